/** What one command costs whoever waits for it: until it asks, until it ends, what it holds, and what a picker sees. */
import { askAndStay, buttonsOf, press, question, VIEW } from "./askgate.mjs";
import { inPairs, median, repeat, resident, startNode } from "./measure.mjs";

/** Command start until its round is open, against the start and end of Node that does nothing. */
export async function start(state) {
  const bare = async () => {
    const node = startNode(["-e", "0"], { env: state.env });
    return (await node.exited) - node.begun;
  };
  const asking = async () => {
    const command = await askAndStay(state);
    await leave(state, command);
    return command.opened - command.begun;
  };
  await bare();
  await asking();
  const { a, b, ratio } = await inPairs(bare, asking);
  const detail = `node -e 0 ${a.toFixed(1)} ms, clarity up ${b.toFixed(1)} ms`;
  return [
    { figure: "start", what: "command start to round open", value: ratio, limit: 1.5, unit: "×", detail },
  ];
}

/** The settling press until the command that waits has ended. */
export async function exit(state) {
  const runs = await repeat(async () => {
    const command = await askAndStay(state);
    const { pick, send } = await buttonsOf(state.gate, command.session);
    await press(state.gate, command.session, pick, ["o0"]);
    const sent = performance.now();
    await press(state.gate, command.session, send);
    const acknowledged = performance.now();
    const ended = await command.exited;
    return { sent: ended - sent, acknowledged: ended - acknowledged };
  });
  const value = median(runs.map(({ sent }) => sent));
  const after = median(runs.map(({ acknowledged }) => acknowledged));
  const detail = `from the press sent; ${after.toFixed(1)} ms from its acknowledgement`;
  return [{ figure: "exit", what: "settling to command exit", value, limit: 30, unit: "ms", detail }];
}

/** The memory of a command that waits. */
export async function waiting(state) {
  const runs = await repeat(async () => {
    const command = await askAndStay(state);
    await buttonsOf(state.gate, command.session);
    const { now } = resident(command.child.pid);
    await leave(state, command);
    return now;
  });
  const value = median(runs);
  return [
    {
      figure: "waiting",
      what: "resident memory of a waiting command",
      value,
      limit: 60,
      unit: "MB",
      detail: "",
    },
  ];
}

/** A pick sent until the card of its follow-up is with somebody who watches. */
export async function followUp(state) {
  const runs = await repeat(async (run) => {
    const { session } = await state.gate.open(question(`follow-up-${run}`));
    const { pick } = await buttonsOf(state.gate, session);
    const watching = new AbortController();
    const frames = state.gate.watch(session, VIEW, watching.signal)[Symbol.asyncIterator]();
    const before = new Set((await frames.next()).value.order);
    const sent = performance.now();
    const picking = press(state.gate, session, pick, ["o1"]);
    for (let shown = before.size; shown <= before.size; ) shown = (await frames.next()).value.order.length;
    const received = performance.now();
    watching.abort();
    await picking;
    await state.gate.down({ project: "", session, agentSession: null });
    return received - sent;
  });
  const value = median(runs);
  const detail = `at most ${Math.max(...runs).toFixed(1)} ms`;
  return [
    { figure: "follow-up", what: "pick to follow-up card received", value, limit: 100, unit: "ms", detail },
  ];
}

/** Ends a waiting command and its session, so that one run leaves nothing to the next. */
async function leave(state, { child, exited, session }) {
  child.kill("SIGKILL");
  await exited;
  await state.gate.down({ project: "", session, agentSession: null });
}
