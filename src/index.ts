/** What other programs may use: the core's pure functions, and the gate itself. */
export { type ConnectOptions, connect } from "./adapters/link/client.ts";
export { parseBrief } from "./core/brief.ts";
export {
  activeSet,
  checkPicks,
  clarityResult,
  missing,
  type Pick,
  type Picks,
  pick,
} from "./core/decisions.ts";
export { AskgateError, type Issue, PayloadError } from "./core/error.ts";
export type { Gate, Opened, OpenRequest, Result, Waited } from "./core/gate.ts";
export {
  type Ask,
  type Clarity,
  type Decision,
  type Option,
  type Plan,
  parseAsk,
  parseClarity,
  parsePlan,
} from "./core/payload.ts";
export { type PlanBlock, planBlocks } from "./core/plan.ts";
