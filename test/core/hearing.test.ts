/** What the engine makes of what a chat hears: whose it is, what was missed, and what waits for whom. */
import { describe, expect, it } from "vitest";
import type { Typed } from "../../src/core/event.ts";
import type { Opened } from "../../src/core/gate.ts";
import type { Place } from "../../src/core/people.ts";
import type { Ear } from "../../src/core/surface.ts";
import { type Chat, chat } from "../doubles/chat.ts";
import { type Bench, bench, MINUTE, request } from "../support/engine.ts";
import { PLAN } from "../support/login.ts";
import { ANA, BEN, STRANGER, TIGHT } from "../support/people.ts";
import { until } from "../support/until.ts";

const CHANNEL = { surface: "slack" as const, id: "#plans", direct: false, label: "#plans" };
const DIRECT = { surface: "slack" as const, id: "ana", direct: true, label: "Ana" };

interface There {
  there: Chat;
  made: Bench;
  ear(): Ear;
}

async function started(): Promise<There> {
  const there = chat(TIGHT);
  let heard: Ear | null = null;
  const begin = there.start;
  there.start = async (ear) => {
    heard = ear;
    await begin(ear);
  };
  there.resolve = async (place): Promise<Place> => (place === "@ana" ? DIRECT : CHANNEL);
  const made = await bench({ surfaces: [there] });
  const ear = (): Ear => {
    if (heard === null) throw new Error("not started");
    return heard;
  };
  return { there, made, ear };
}

const open = ({ made }: There, more = {}): Promise<Opened> =>
  made.engine.open(request({ via: ["slack"], to: ["#plans"], ...more }));

const ask = (on: There, session: string, more = {}): Promise<Opened> =>
  open(on, {
    kind: "ask",
    session,
    to: ["@ana"],
    payload: { question: `Which port, ${session}?`, allow_custom: true },
    ...more,
  });

let ids = 0;
function typed(text: string, more: Partial<Typed> = {}): Typed {
  ids += 1;
  const place = more.place ?? CHANNEL;
  return {
    type: "typed",
    id: `slack:${place.id}/${ids}`,
    at: ids,
    place,
    actor: ANA,
    anchor: null,
    text,
    files: [],
    ...more,
  };
}

const inThread = (handle: string): Pick<Typed, "anchor"> => ({ anchor: { kind: "thread", handle } });
const shown = async ({ made }: There, { session }: Opened): Promise<string> =>
  JSON.stringify((await made.engine.show(session)).rounds);
const inbox = async ({ made }: There, { session }: Opened): Promise<string[]> =>
  ((await made.engine.show(session)).inbox as { text: string }[]).map(({ text }) => text);
const answer = async ({ made }: There, { round }: Opened) =>
  (await made.engine.wait(round, 0, false)).result.answer;

describe("a message", () => {
  it("belongs to the session in whose thread it stands", async () => {
    const on = await started();
    const one = await open(on);
    const two = await open(on, { session: "two", kind: "plan", payload: PLAN });
    await on.there.hears(typed("for the first", inThread("h1")));
    expect(await inbox(on, one)).toEqual(["for the first"]);
    expect(await shown(on, two)).not.toContain("for the first");
    await on.made.engine.stop();
  });

  it("in no thread of ours, or in the channel itself, is nobody's", async () => {
    const on = await started();
    const one = await open(on);
    await on.there.hears(typed("to a colleague"));
    await on.there.hears(typed("in another thread", inThread("x9")));
    expect(await inbox(on, one)).toEqual([]);
    await on.made.engine.stop();
  });

  it("in a direct message answers the only open question", async () => {
    const on = await started();
    const opened = await ask(on, "one");
    await on.there.hears(typed("8080", { place: DIRECT }));
    expect(await answer(on, opened)).toBe("8080");
    await on.made.engine.stop();
  });

  it("in a direct message answers none where several are open, and reaches the agent that asked last", async () => {
    const on = await started();
    const one = await ask(on, "one");
    const two = await ask(on, "two");
    await on.there.hears(typed("8080", { place: DIRECT }));
    expect(await answer(on, one)).toBeUndefined();
    expect(await answer(on, two)).toBeUndefined();
    expect(await inbox(on, two)).toEqual(["8080"]);
    await on.made.engine.stop();
  });

  it("that is edited before it comes counts as edited; deleted before, it does not count", async () => {
    const on = await started();
    const opened = await open(on);
    const first = typed("frist", inThread("h1"));
    const second = typed("never mind", inThread("h1"));
    const { id, place, actor, anchor } = first;
    await on.there.hears({ type: "edited", id, place, actor, anchor, text: "first" });
    await on.there.hears({ type: "deleted", id: second.id, place, anchor });
    await on.there.hears(first);
    await on.there.hears(second);
    await until(async () => (await inbox(on, opened)).join() === "first");
    await on.made.engine.stop();
  });

  it("delivered twice is taken once", async () => {
    const on = await started();
    const opened = await open(on);
    const message = typed("once", inThread("h1"));
    await Promise.all([on.there.hears(message), on.there.hears(message)]);
    expect(await inbox(on, opened)).toEqual(["once"]);
    await on.made.engine.stop();
  });
});

describe("what was missed", () => {
  it("is told apart from what was heard before and what is heard while it is read back", async () => {
    const on = await started();
    const opened = await open(on);
    await on.there.hears(typed("before", inThread("h1")));
    const missed = typed("missed", inThread("h1"));
    const standing = on.ear().standing("slack");
    await on.there.hears(typed("meanwhile", inThread("h1")));
    const [place] = await standing;
    expect(place).toMatchObject({ place: { id: "#plans" }, handles: ["h1"] });
    await on.ear().reread({ place: CHANNEL, from: 0, messages: [missed] });
    // "before" stood in the place no more when it was read back: somebody deleted it. "meanwhile" came after the look.
    expect(await inbox(on, opened)).toEqual(["meanwhile", "missed"]);
    await on.made.engine.stop();
  });

  it("is left to the next bot where this one is stopped before it has read back", async () => {
    const on = await started();
    const opened = await open(on);
    const missed = typed("missed", { ...inThread("h1"), at: on.made.clock.now() });
    await on.made.restart();
    on.made.clock.advance(2 * MINUTE);
    await on.there.hears(typed("heard", { ...inThread("h1"), at: on.made.clock.now() }));
    await on.made.restart();
    const [place] = await on.ear().standing("slack");
    expect(place?.heard).toBeLessThanOrEqual(missed.at);
    await on.ear().reread({ place: CHANNEL, from: 0, messages: [missed] });
    expect(await inbox(on, opened)).toContain("missed");
    await on.made.engine.stop();
  });

  it("is asked for once for each place, for all sessions there", async () => {
    const on = await started();
    await open(on);
    on.made.clock.advance(MINUTE);
    await open(on, { session: "two", kind: "plan", payload: PLAN });
    const standing = await on.ear().standing("slack");
    expect(standing).toHaveLength(1);
    expect(standing[0]?.handles.length).toBeGreaterThan(2);
    expect(standing[0]?.since).toBe(on.made.clock.now() - MINUTE);
    await on.made.engine.stop();
  });

  it("is not asked for where nothing runs any more", async () => {
    const on = await started();
    await open(on);
    await on.made.engine.down({ project: "/repo", session: null, agentSession: null });
    expect(await on.ear().standing("slack")).toEqual([]);
    await on.made.engine.stop();
  });
});

describe("away", () => {
  const away = async (on: There, opened: Opened) => (await on.made.engine.show(opened.session)).away;
  const gap = (on: There, ms: number) => {
    const until = on.made.clock.now();
    return { surface: "slack" as const, from: until - ms, until };
  };

  it("is said for more than a minute, of sessions that ran, in the places that nobody heard", async () => {
    const on = await started();
    const opened = await open(on);
    on.made.clock.advance(10 * MINUTE);
    await on.ear().away(gap(on, MINUTE - 1), () => true);
    await on.ear().away(gap(on, 2 * MINUTE), () => false);
    expect(await away(on, opened)).toEqual({});
    await on.ear().away(gap(on, 2 * MINUTE), ({ id }) => id === "#plans");
    expect(await away(on, opened)).toEqual({ slack: on.made.clock.now() });
    await on.made.engine.stop();
  });

  it("is not said of a question that was asked since", async () => {
    const on = await started();
    on.made.clock.advance(10 * MINUTE);
    const opened = await open(on);
    await on.ear().away(gap(on, 9 * MINUTE), () => true);
    expect(await away(on, opened)).toEqual({});
    await on.made.engine.stop();
  });
});

describe("a post", () => {
  it("that somebody deleted is put up again, once", async () => {
    const on = await started();
    await open(on);
    on.there.messages = [];
    await on.there.hears({ type: "unposted", place: CHANNEL, handle: "h1" });
    await on.there.hears({ type: "unposted", place: CHANNEL, handle: "h1" });
    await until(() => on.there.messages.length === 1);
    expect(on.there.calls.filter((call) => call.startsWith("post"))).toHaveLength(2);
    await on.made.engine.stop();
  });

  it("that is none of ours may go", async () => {
    const on = await started();
    await open(on);
    expect(await on.there.hears({ type: "unposted", place: CHANNEL, handle: "x9" })).toEqual({
      kind: "done",
    });
    expect(on.there.calls).toHaveLength(1);
    await on.made.engine.stop();
  });
});

it("says what is open, with the addresses of the cards, to whoever sends too early", async () => {
  const on = await started();
  const { round } = await open(on);
  const button = `v1:st:send:${round}:0:-`;
  const press = {
    type: "press" as const,
    id: "p",
    place: CHANNEL,
    actor: ANA,
    button,
    values: [],
    words: null,
  };
  const told = await on.there.hears(press);
  if (told.kind !== "word") throw new Error("no word");
  expect(told.code).toBe("incomplete");
  expect(told.pointers?.length).toBeGreaterThan(0);
  for (const pointer of told.pointers ?? []) expect(pointer.url).toBe("chat://h1");
  await on.made.engine.stop();
});

it("lists what waits for somebody, the newest first, and to nobody else", async () => {
  const on = await started();
  await open(on);
  on.made.clock.advance(1);
  await open(on, { session: "two", kind: "plan", payload: PLAN });
  const here = async () => true;
  const waiting = await on.ear().awaited(BEN, here);
  expect(waiting.map(({ title }) => title)).toEqual(["Login flow", "Login PRD"]);
  expect(waiting[1]?.url).toBe("chat://h1");
  expect(await on.ear().awaited(STRANGER, async () => false)).toEqual([]);
  await on.made.engine.stop();
});
