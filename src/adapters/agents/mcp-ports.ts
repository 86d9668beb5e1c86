/** What the MCP server needs from the command that runs it. Types only. */
import type { Gate, Letter, Opened, Result, Selector } from "../../core/gate.ts";
import type { Clock } from "../../core/ports.ts";
import type { Kind } from "../../core/round.ts";

/** A question as a tool was called with it: the payload, and what stands beside it. */
export interface Wish {
  kind: Kind;
  /** The next page of a running session. */
  again: boolean;
  payload: unknown;
  /** A deadline in words: `30m`, `2h`, `never`. */
  timeout?: string | undefined;
  to?: string[] | undefined;
  key?: string | undefined;
  session?: string | undefined;
  reviewers?: string[] | undefined;
  quorum?: number | undefined;
}

/** What came of a brief: the file that it stands in, or the names of the sections that have no text. */
export type Submitted = { file: string } | { missing: string[] };

/** Whether messages are on the disk now, and where; `reason`: why not. */
export interface Kept {
  saved: boolean;
  file: string;
  reason?: string;
}

/** An error for an agent. */
export interface Explained {
  /** `unreachable`: nobody can be asked now. `usage`: the call was wrong. `internal`: ours. */
  kind: "unreachable" | "usage" | "internal";
  message: string;
  /** What to do about it; "" where nothing can be said. */
  help: string;
}

export interface McpParts {
  version: string;
  clock: Clock;
  /** The gate, connected when it is first needed. */
  gate(): Promise<Pick<Gate, "wait" | "acknowledge" | "cancel" | "inbox" | "say" | "show">>;
  /** Puts the question to people, or finds it where it is asked already. `client`: the program's own name for itself. */
  open(wish: Wish, client: string): Promise<Opened>;
  /** The session that this connection means. */
  selector(client: string, session: string | undefined): Promise<Selector>;
  /** A result as this project hands it over: recorded, and with the advice of its settings. Never throws. */
  conclude(result: Result): Result;
  /** Keeps what people wrote beside the brief. Never throws. */
  keep(session: string, messages: Letter[]): Kept;
  /** Writes a complete brief into the project. */
  submitBrief(markdown: string): Promise<Submitted>;
  explain(error: unknown): Explained;
  /** Takes a line for people. */
  say(line: string): void;
}

/** Something inside a reply that counts as taken once the client has it. */
export interface Receipt {
  session: string;
  carries: { rounds: string[]; messages: string[] };
}

/** What a tool gives back. */
export interface Reply {
  result: Record<string, unknown>;
  /** A line for whoever reads the text. */
  line: string;
  isError: boolean;
  receipts: Receipt[];
  /** What people decided, as it stands in `result`: given again if the client never took it. */
  outcomes: Result[];
}

/** One call of a tool. */
export interface Call {
  parts: McpParts;
  client: string;
  /** Keeps other calls from giving the outcomes of these rounds too, until this call is over. */
  claim(rounds: string[]): void;
  /** Does another call of this connection give the outcome of this round? */
  isClaimed(round: string): boolean;
  /** Outcomes that the client refused with its cancellation, which crossed with the reply. */
  crossed(): Result[];
  /** The sessions that this connection used last: answers may still come in each. */
  sessions: Set<string>;
  /** Rounds whose deadline this client knows to be over: they are waited for past it. */
  overdue: Set<string>;
  /** Aborts when the client cancels the call or leaves. */
  signal: AbortSignal;
  /** Has the client left, rather than cancelled this one call? */
  hasLeft(): boolean;
  /** Tells the client that the call is alive; null where it did not ask for that. */
  progress: ((message: string) => void) | null;
}
