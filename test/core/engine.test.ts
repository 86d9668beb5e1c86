import { afterEach, describe, expect, it, vi } from "vitest";
import type { Frame, LocalPress, Opened, OpenRequest } from "../../src/core/gate.ts";
import type { Engine } from "../../src/core/ports.ts";
import { type Bench, bench, MINUTE, request } from "../support/engine.ts";
import { LOGIN, PLAN } from "../support/login.ts";
import { ROOMY } from "../support/people.ts";

let made: Bench;
let engine: Engine;
let clock: Bench["clock"];

async function fresh(): Promise<void> {
  made = await bench();
  ({ engine, clock } = made);
}

async function restart(between: () => void = () => {}): Promise<void> {
  await engine.stop();
  between();
  engine = await made.restart();
}

afterEach(() => engine.stop());

const open = (more: Partial<OpenRequest> = {}): Promise<Opened> => engine.open(request(more));

let presses = 0;
const act = (
  opened: Opened,
  verb: string,
  more: Partial<LocalPress> & { target?: string; rev?: number } = {},
) => {
  const { target = "-", rev = 0, ...press } = more;
  presses += 1;
  const button = `v1:st:${verb}:${opened.round}:${rev}:${target}`;
  return engine.act(opened.session, {
    id: `p${presses}`,
    button,
    values: [],
    words: null,
    surface: "web",
    ...press,
  });
};

async function answer(opened: Opened): Promise<void> {
  await act(opened, "accept");
  await act(opened, "send", { rev: 9 });
}

const HERE = { project: "/repo", session: null, agentSession: null };

const ends = (opened: Opened) => engine.wait(opened.round, Number.POSITIVE_INFINITY, false);

describe("a round", () => {
  it("blocks until somebody sends it, and comes with a link", async () => {
    await fresh();
    const opened = await open();
    expect(opened).toMatchObject({
      attached: false,
      result: null,
      links: [{ url: `http://page/#${opened.session}` }],
    });
    const waiting = ends(opened);
    await answer(opened);
    expect(await waiting).toMatchObject({
      state: "settled",
      by: "ana in the browser",
      result: { status: "submitted" },
    });
  });

  it("is still open when patience ends", async () => {
    await fresh();
    const opened = await open();
    const waiting = engine.wait(opened.round, 1000, false);
    await act(opened, "pick", { target: "d0", values: ["o0"] });
    clock.advance(1000);
    expect(await waiting).toMatchObject({
      state: "open",
      result: { status: "pending", items: [{ decisionId: "auth" }] },
    });
  });

  it("is waited for no longer than its command lives", async () => {
    await fresh();
    const [one, other] = [await open({ session: "a" }), await open({ session: "b" })];
    const gone = new AbortController();
    const waits = [one, other].map(({ round }) => engine.wait(round, MINUTE, false, gone.signal));
    const down = () => engine.down({ project: "/repo", session: null, agentSession: null });
    await expect(down()).rejects.toMatchObject({ code: "usage" });
    gone.abort();
    expect((await Promise.all(waits)).map(({ state }) => state)).toEqual(["open", "open"]);
    expect(engine.figures().waiting).toBe(0);
    expect(await down()).toEqual({ session: other.session });
  });

  it("that is not there is refused, also to those who do not wait", async () => {
    await fresh();
    const { round } = await open();
    const unknown = round.replace(/1$/, "9");
    for (const patience of [0, MINUTE])
      await expect(engine.wait(unknown, patience, true)).rejects.toMatchObject({ code: "unknown_round" });
  });

  it("tells every command that waits", async () => {
    await fresh();
    const opened = await open();
    const both = Promise.all([ends(opened), ends(opened)]);
    await answer(opened);
    expect((await both).map(({ result }) => result.status)).toEqual(["submitted", "submitted"]);
  });

  it("says what is wrong with a payload, and opens nothing", async () => {
    await fresh();
    const opened = await open({ payload: { ...LOGIN, title: "" } });
    expect(opened).toMatchObject({ round: "", result: { status: "invalid", issues: [{ path: "title" }] } });
    expect(engine.figures().open).toBe(0);
  });

  it("that nobody there may settle is a usage error", async () => {
    await fresh();
    await expect(open({ policy: { responders: ["slack:U1"] } })).rejects.toMatchObject({ code: "usage" });
    await expect(open({ policy: { responders: ["nobody"] } })).rejects.toMatchObject({ code: "usage" });
    await expect(
      open({ policy: { quorum: 0 }, kind: "plan", payload: PLAN, floor: { reviewers: ["x"] } }),
    ).rejects.toThrow();
  });

  it("that waits for nobody needs nobody to be there", async () => {
    await fresh();
    const asked = await open({
      kind: "ask",
      payload: { question: "Which port?" },
      timeoutMs: 0,
      via: ["slack"],
    });
    expect(asked.result).toMatchObject({ status: "timeout", mode: "ask" });
  });

  it("cannot be asked where no surface is there", async () => {
    await fresh();
    expect(await open({ via: ["slack"] })).toMatchObject({ result: { status: "unreachable" } });
  });
});

describe("asking again", () => {
  it("attaches to the open round, and returns an outcome that nobody took", async () => {
    await fresh();
    const first = await open();
    const again = await open();
    expect(again).toMatchObject({ round: first.round, attached: true });
    await answer(first);
    expect(await open()).toMatchObject({ round: first.round, result: { status: "submitted" } });
    await engine.acknowledge(first.session, { rounds: [first.round], messages: [] });
    expect(await open()).toMatchObject({ attached: false, result: null });
  });

  it("attaches when two commands ask at once", async () => {
    await fresh();
    const [one, other] = await Promise.all([open(), open()]);
    expect(other?.round).toBe(one?.round);
  });

  it("gives a round whose deadline has passed a new one", async () => {
    await fresh();
    const first = await open({ timeoutMs: MINUTE });
    clock.advance(2 * MINUTE);
    expect(await ends(first)).toMatchObject({ state: "late", result: { status: "timeout" } });
    const again = await open({ timeoutMs: MINUTE });
    expect(again.round).toBe(first.round);
    const waiting = ends(again);
    clock.advance(MINUTE);
    expect(await waiting).toMatchObject({ state: "late" });
  });

  it("under a key gives the same round whatever happened, and refuses another payload", async () => {
    await fresh();
    const first = await open({ key: "k" });
    await answer(first);
    await engine.acknowledge(first.session, { rounds: [first.round], messages: [] });
    expect(await open({ key: "k" })).toMatchObject({ round: first.round, result: { status: "submitted" } });
    await expect(open({ key: "k", payload: { ...LOGIN, title: "Other" } })).rejects.toMatchObject({
      code: "usage",
    });
    expect((await open({ key: "k2" })).round).not.toBe(first.round);
  });

  it("survives a restart, without asking twice", async () => {
    await fresh();
    const first = await open();
    await act(first, "pick", { target: "d0", values: ["o1"] });
    await restart();
    const again = await open();
    expect(again).toMatchObject({ round: first.round, attached: true });
    await answer(again);
    expect(await ends(again)).toMatchObject({ result: { result: [{ optionId: "password" }, {}, {}] } });
  });
});

describe("a session that ended long ago", () => {
  it("still gives its outcomes, and learns that they were taken", async () => {
    await fresh();
    const opened = await open();
    await answer(opened);
    await engine.down({ project: "/repo", session: null, agentSession: null });
    clock.advance(24 * 60 * MINUTE);
    await restart();
    const { carries, result } = await ends(opened);
    expect(result).toMatchObject({ status: "submitted" });
    for (let times = 0; times < 2; times += 1) await engine.acknowledge(opened.session, carries);
    await restart();
    expect(await engine.show(opened.session)).toMatchObject({ rounds: [{ acknowledged: true }] });
    expect(await engine.list(null)).toEqual([]);
  });
});

describe("sessions", () => {
  it("are separate for every agent", async () => {
    await fresh();
    const one = await open({ session: "a" });
    const other = await open({ session: "b" });
    expect(other.session).not.toBe(one.session);
    await answer(one);
    expect(await ends(one)).toMatchObject({ state: "settled" });
    expect(await engine.wait(other.round, 0, false).catch(String)).toMatchObject({ state: "open" });
  });

  it("are told apart by the agent's own id", async () => {
    await fresh();
    const one = await open({ agentSession: "A" });
    expect((await open({ agentSession: "B" })).session).not.toBe(one.session);
    expect((await open({ agentSession: "B", kind: "plan", payload: PLAN })).session).not.toBe(one.session);
    expect((await open({ agentSession: "A", kind: "plan", payload: PLAN })).session).toBe(one.session);
  });

  it("cannot be guessed while commands wait in two of them", async () => {
    await fresh();
    const [one, other] = [await open({ session: "a" }), await open({ session: "b" })];
    const waits = [ends(one), ends(other)];
    await expect(open({ kind: "plan", payload: PLAN })).rejects.toMatchObject({ code: "usage" });
    expect((await open({ kind: "plan", payload: PLAN, session: "a" })).session).toBe(one.session);
    await Promise.all([answer(one), answer(other)]);
    await Promise.all(waits);
  });

  it("go on with the next page, and refuse it while one is open", async () => {
    await fresh();
    const flow = { ...LOGIN, flow: { session_id: "login", page_id: "one" } };
    const first = await open({ payload: flow });
    const next = { ...flow, flow: { session_id: "login", page_id: "two" } };
    await expect(open({ payload: next, again: true })).rejects.toMatchObject({
      message: expect.stringContaining(first.round),
    });
    await answer(first);
    expect(await ends(first)).toMatchObject({
      result: { action: "continue", sessionId: "login", pageId: "one" },
    });
    const second = await open({ payload: next, again: true });
    expect(second.session).toBe(first.session);
    expect(second.round).not.toBe(first.round);
  });

  it("have nothing to continue at first, after a cancel, and after their end", async () => {
    await fresh();
    await expect(open({ again: true })).rejects.toMatchObject({ code: "usage" });
    const first = await open();
    await act(first, "cancel");
    expect(await open({ again: true, payload: { ...LOGIN, title: "Next" } })).toMatchObject({
      result: { status: "cancelled" },
    });
    await engine.down({ project: "/repo", session: null, agentSession: null });
    expect(await open({ again: true, payload: { ...LOGIN, title: "Next" } })).toMatchObject({
      result: { status: "cancelled" },
    });
    const second = await open({ payload: { ...LOGIN, title: "Second" } });
    await answer(second);
    clock.advance(13 * 60 * MINUTE);
    await vi.waitFor(async () => {
      clock.advance(MINUTE);
      expect((await engine.show(second.session)).ended).toMatchObject({ how: "expired" });
    });
    expect(await open({ again: true, payload: { ...LOGIN, title: "Third" } })).toMatchObject({
      result: { status: "timeout" },
    });
  });

  it("end once for a down that is repeated, and leave the others alone", async () => {
    await fresh();
    const [other, mine] = [await open({ session: "a" }), await open({ session: "b" })];
    const down = { project: "/repo", session: null, agentSession: null, since: clock.now() };
    clock.advance(1);
    expect(await engine.down(down)).toEqual({ session: mine.session });
    expect(await engine.down(down)).toEqual({ session: mine.session });
    expect((await engine.show(other.session)).ended).toBeNull();
  });

  it("end with down, which cancels what is open", async () => {
    await fresh();
    expect(await engine.down({ project: "/repo", session: null, agentSession: null })).toBeNull();
    const opened = await open();
    const waiting = ends(opened);
    expect(await engine.down({ project: "/repo", session: null, agentSession: null })).toEqual({
      session: opened.session,
    });
    expect(await waiting).toMatchObject({ result: { status: "cancelled" } });
  });
});

describe("a question that its agent withdrew", () => {
  it("is asked anew by the same command", async () => {
    await fresh();
    const first = await open();
    await engine.down({ project: "/repo", session: null, agentSession: null });
    expect(await open()).toMatchObject({
      attached: false,
      result: null,
      round: expect.not.stringMatching(first.round),
    });
  });

  it("tells the next command when a person cancelled it", async () => {
    await fresh();
    const first = await open();
    await act(first, "cancel");
    expect(await open()).toMatchObject({ round: first.round, result: { status: "cancelled", by: "ana" } });
  });
});

describe("time", () => {
  it("that passes while the bot is down is caught up on", async () => {
    await fresh();
    const opened = await open({ timeoutMs: MINUTE, policy: { onTimeout: "fail" } });
    await restart(() => clock.advance(2 * MINUTE));
    expect(await ends(opened)).toMatchObject({ state: "settled", result: { status: "timeout" } });
  });

  it("can be longer than 2^31 milliseconds, and endless", async () => {
    await fresh();
    const long = await open({ timeoutMs: 2 ** 33, session: "a" });
    const endless = await open({ timeoutMs: null, session: "b" });
    const vast = await open({ timeoutMs: 1e300, session: "c" });
    clock.advance(2 ** 32);
    for (const opened of [long, endless, vast]) {
      expect(await engine.wait(opened.round, 0, false)).toMatchObject({ state: "open" });
    }
    clock.advance(2 ** 32);
    expect(await ends(long)).toMatchObject({ state: "late" });
  });

  it("hands a late answer over with the session's next command", async () => {
    await fresh();
    const first = await open({ timeoutMs: MINUTE });
    clock.advance(MINUTE);
    expect(await ends(first)).toMatchObject({ state: "late" });
    await answer(first);
    const second = await open({ kind: "plan", payload: PLAN });
    expect(second.session).toBe(first.session);
    await act(second, "approve");
    const waited = await ends(second);
    expect(waited).toMatchObject({
      result: { decision: "approve", late: [{ status: "submitted", round: first.round }] },
      carries: { rounds: [second.round, first.round] },
    });
    await engine.acknowledge(second.session, waited.carries);
    expect((await ends(second)).result).not.toHaveProperty("late");
  });

  it("hands a late answer over with the session's inbox, too", async () => {
    await fresh();
    const first = await open({ timeoutMs: MINUTE });
    clock.advance(MINUTE);
    await answer(first);
    const inbox = await engine.inbox(HERE);
    expect(inbox).toMatchObject({ messages: [], late: [{ status: "submitted", round: first.round }] });
    expect(await engine.inbox(HERE)).toEqual(inbox);
    await engine.acknowledge(first.session, inbox.carries);
    expect(await engine.inbox(HERE)).toMatchObject({ session: first.session, late: [] });
  });

  it("lets a later wait go past a deadline that is over", async () => {
    await fresh();
    const opened = await open({ timeoutMs: MINUTE });
    clock.advance(MINUTE);
    const waiting = engine.wait(opened.round, Number.POSITIVE_INFINITY, true);
    await answer(opened);
    expect(await waiting).toMatchObject({ state: "settled" });
  });
});

describe("a note of the agent", () => {
  it("stands in the thread, where it was said", async () => {
    await fresh();
    const { session, round } = await open({ origin: { repo: "", branch: "", agent: "Claude", host: "" } });
    expect(await engine.say(HERE, " half of it is done \n")).toEqual({ session });
    const plan = await open({ kind: "plan", payload: PLAN });
    const view = { surface: "web" as const, limits: ROOMY, locale: "en" };
    for await (const { order, cards } of engine.watch(session, view, AbortSignal.timeout(5_000))) {
      expect(order.slice(0, 3)).toEqual([round, `${round}/n0`, plan.round]);
      expect(cards[1]?.parts).toMatchObject([{ kind: "text", text: "Claude: half of it is done" }]);
      break;
    }
  });

  it("needs words, and a session", async () => {
    await fresh();
    expect(await engine.say(HERE, "hello")).toBeNull();
    expect(await engine.inbox(HERE)).toMatchObject({ session: null, messages: [] });
    await expect(engine.say(HERE, " \n")).rejects.toMatchObject({ code: "usage" });
  });
});

describe("watching", () => {
  const view = { surface: "web" as const, limits: ROOMY, locale: "en" };

  it("gives all cards, then what changed, and ends with the session", async () => {
    await fresh();
    const opened = await open();
    const frames = engine.watch(opened.session, view, new AbortController().signal)[Symbol.asyncIterator]();
    const next = async (): Promise<Frame> => (await frames.next()).value;
    expect(await next()).toMatchObject({ number: 1, order: [opened.round], ended: false });
    await act(opened, "pick", { target: "d0", values: ["o1"] });
    expect(await next()).toMatchObject({ number: 2, order: [opened.round, `${opened.round}/d1`] });
    await act(opened, "pick", { target: "d1", values: ["o1"] });
    expect((await next()).cards.map(({ key }) => key)).toEqual([opened.round, `${opened.round}/d1`]);
    await engine.down({ project: "/repo", session: null, agentSession: null });
    expect(await next()).toMatchObject({ ended: true });
    expect(await frames.next()).toMatchObject({ done: true });
  });

  it("leaves nothing to open for a page that is open", async () => {
    await fresh();
    const opened = await open();
    expect(opened.links[0]?.open).toBe("http://page/t");
    const off = new AbortController();
    const frames = engine.watch(opened.session, view, off.signal)[Symbol.asyncIterator]();
    await frames.next();
    expect((await open()).links[0]?.open).toBeNull();
    off.abort();
    await frames.next();
    expect((await open()).links[0]?.open).toBe("http://page/t");
  });

  it("stops when it is called off", async () => {
    await fresh();
    const opened = await open();
    const off = new AbortController();
    const frames = engine.watch(opened.session, view, off.signal)[Symbol.asyncIterator]();
    await frames.next();
    const waiting = frames.next();
    off.abort();
    expect(await waiting).toMatchObject({ done: true });
    expect(engine.figures().watching).toBe(0);
  });
});

describe("presses", () => {
  it("are answered in the language of who presses", async () => {
    await fresh();
    const opened = await open();
    expect(await act(opened, "send", { locale: "fr-CA" })).toMatchObject({
      kind: "word",
      text: expect.stringMatching(/\u00a0:/),
    });
    expect(await act(opened, "send")).toMatchObject({ text: expect.stringContaining("Still open:") });
  });

  it("of another store, another session or no shape at all are refused", async () => {
    await fresh();
    const [one, other] = [await open({ session: "a" }), await open({ session: "b" })];
    const press = (session: string, button: string) =>
      engine.act(session, { id: button, button, values: ["o0"], words: null, surface: "web" });
    const refused = { kind: "word", code: "unknown_button" };
    expect(await press(one.session, `v1:xx:pick:${one.round}:0:d0`)).toMatchObject({
      ...refused,
      code: "other_store",
    });
    expect(await press(one.session, `v1:st:pick:${other.round}:0:d0`)).toMatchObject(refused);
    expect(await press(one.session, "v2:st:pick")).toMatchObject(refused);
    expect(await press(one.session, `v1:st:pick:${one.round}:0:d0`)).toEqual({ kind: "done" });
  });
});
