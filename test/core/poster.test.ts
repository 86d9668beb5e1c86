import { describe, expect, it, vi } from "vitest";
import type { Opened } from "../../src/core/gate.ts";
import type { Actor } from "../../src/core/people.ts";
import { type Chat, chat } from "../doubles/chat.ts";
import { openMemoryStore } from "../doubles/memory-store.ts";
import { type Bench, bench, request } from "../support/engine.ts";
import { LOGIN, PLAN } from "../support/login.ts";
import { ANA, BEN, TIGHT } from "../support/people.ts";

const PLACE = { surface: "slack" as const, id: "#plans", direct: false };

async function started(): Promise<{ there: Chat; made: Bench }> {
  const there = chat(TIGHT);
  return { there, made: await bench({ surfaces: [there] }) };
}

const open = ({ made }: { made: Bench }, more = {}): Promise<Opened> =>
  made.engine.open(request({ via: ["slack"], to: ["#plans"], ...more }));

let presses = 0;
function press(
  there: Chat,
  opened: Opened,
  verb: string,
  more: { target?: string; values?: string[]; actor?: Actor; rev?: number; words?: string } = {},
) {
  presses += 1;
  const { target = "-", values = [], actor = ANA, rev = 0, words = null } = more;
  const button = `v1:st:${verb}:${opened.round}:${rev}:${target}`;
  return there.hears({ type: "press", id: `c${presses}`, place: PLACE, actor, button, values, words });
}

const keys = (there: Chat) => there.messages.map(({ card }) => card.key.split("/")[1] ?? "home");

/** Waits until what stands there is what the predicate wants. */
const until = (check: () => void) => vi.waitFor(check, { interval: 1 });

describe("a chat surface", () => {
  it("gets one message, follow-ups in its thread, and changes them with as few calls as cards changed", async () => {
    const { there, made } = await started();
    const opened = await open({ made });
    expect(there.calls).toEqual([`post ${opened.round}`]);
    await press(there, opened, "pick", { target: "d0", values: ["o1"] });
    await until(() => expect(keys(there)).toEqual(["home", "d1"]));
    expect(there.messages[1]).toMatchObject({ under: "h1", card: { mention: [ANA.id] } });
    await until(() =>
      expect(there.calls.slice(1)).toEqual([`post ${opened.round}/d1`, `update ${opened.round}`]),
    );
    await press(there, opened, "pick", { target: "d0", values: ["o0"] });
    await until(() => expect(keys(there)).toEqual(["home"]));
    await until(() =>
      expect(there.calls.slice(3)).toEqual([`update ${opened.round}`, `remove ${opened.round}/d1`]),
    );
    await made.engine.stop();
  });

  it("coalesces picks made while an update is on its way, and counts all of them", async () => {
    const { there, made } = await started();
    const opened = await open({ made });
    let release = (): void => {};
    there.gate = new Promise((resolve) => {
      release = resolve;
    });
    await press(there, opened, "pick", { target: "d0", values: ["o1"] });
    await until(() => expect(there.calls).toHaveLength(2));
    await press(there, opened, "pick", { target: "d1", values: ["o1"] });
    await press(there, opened, "pick", { target: "d2", values: ["o1"] });
    release();
    await until(() => expect(there.calls).toHaveLength(4));
    expect(there.calls.slice(1)).toEqual([
      `post ${opened.round}/d1`,
      `update ${opened.round}`,
      `update ${opened.round}/d1`,
    ]);
    await press(there, opened, "send", { rev: 3 });
    expect(await made.engine.wait(opened.round, Number.POSITIVE_INFINITY, false)).toMatchObject({
      result: { result: [{ optionId: "password" }, { optionId: "strict" }, { optionId: "month" }] },
    });
    await made.engine.stop();
  });

  it("saves a press together with what it calls for, before that goes out", async () => {
    const there = chat(TIGHT);
    const store = openMemoryStore({ records: new Map() });
    const order: string[] = [];
    const save = store.save.bind(store);
    vi.spyOn(store, "save").mockImplementation(async (key, value, expected) => {
      const sends = JSON.stringify(value).includes('"state":"sending"');
      if (key.startsWith("session/")) order.push(sends ? "save, sending" : "save");
      return save(key, value, expected);
    });
    const made = await bench({ surfaces: [there], store });
    const opened = await open({ made });
    order.length = 0;
    const post = there.post;
    there.post = (place, card, how) => {
      order.push(`post, ${how.since === null ? "new" : "looked for"}`);
      return post(place, card, how);
    };
    await press(there, opened, "pick", { target: "d0", values: ["o1"] });
    await until(() => expect(keys(there)).toEqual(["home", "d1"]));
    expect(order.slice(0, 2)).toEqual(["save, sending", "post, new"]);
    await made.engine.stop();
  });

  it("never posts twice when the answer to a post was lost, not even over a restart", async () => {
    const { there, made } = await started();
    there.next = [{ kind: "lost" }];
    void open({ made });
    await until(() => expect(there.messages).toHaveLength(1));
    const engine = await made.restart();
    made.clock.advance(60_000);
    await until(() => expect(there.calls.length).toBeGreaterThan(1));
    expect(there.messages).toHaveLength(1);
    await engine.stop();
  });

  it("never posts twice when it had to wait before it could look whether the post is there", async () => {
    const { there, made } = await started();
    there.next = [{ kind: "lost" }, { kind: "later", afterMs: 3_000, unsure: false }];
    void open({ made });
    await until(() => expect(there.messages).toHaveLength(1));
    const engine = await made.restart();
    await until(() => expect(there.calls).toHaveLength(2));
    made.clock.advance(60_000);
    await until(() => expect(there.calls).toHaveLength(3));
    expect(there.messages).toHaveLength(1);
    await engine.stop();
  });

  it("waits as long as it is told to, then goes on", async () => {
    const { there, made } = await started();
    const opened = await open({ made });
    there.next = [{ kind: "later", afterMs: 3000, unsure: false }];
    await press(there, opened, "pick", { target: "d0", values: ["o1"] });
    await until(() => expect(there.calls).toHaveLength(2));
    made.clock.advance(3000);
    await until(() => expect(keys(there)).toEqual(["home", "d1"]));
    await made.engine.stop();
  });

  it("that refuses the first message ends the round, unless another surface has it", async () => {
    const { there, made } = await started();
    there.next = [{ kind: "refused", reason: "is_archived" }];
    expect(await open({ made })).toMatchObject({
      result: { status: "unreachable" },
      notes: expect.arrayContaining(["slack #plans: is_archived"]),
    });
    there.next = [{ kind: "refused", reason: "is_archived" }];
    const both = await open({ made }, { via: ["slack", "web"], payload: PLAN, kind: "plan" });
    expect(both).toMatchObject({
      result: null,
      notes: expect.arrayContaining(["slack #plans: is_archived"]),
    });
    await made.engine.stop();
  });

  it("posts again what somebody deleted, once it changes", async () => {
    const { there, made } = await started();
    const opened = await open({ made });
    there.messages = [];
    await press(there, opened, "pick", { target: "d2", values: ["o1"] });
    await until(() => expect(keys(there)).toEqual(["home"]));
    await made.engine.stop();
  });

  it("says who answered elsewhere", async () => {
    const { there, made } = await started();
    const opened = await open({ made }, { via: ["slack", "web"] });
    const act = (verb: string, rev: number) =>
      made.engine.act(opened.session, {
        id: verb,
        button: `v1:st:${verb}:${opened.round}:${rev}:-`,
        values: [],
        words: null,
        surface: "web",
      });
    await act("accept", 0);
    await act("send", 1);
    await until(() => expect(JSON.stringify(there.messages[0]?.card)).toContain("ana in the browser"));
    expect(await press(there, opened, "send", { actor: BEN })).toMatchObject({
      kind: "word",
      code: "settled",
    });
    await made.engine.stop();
  });

  it("keeps what is typed in a block's thread, and tells its author", async () => {
    const { there, made } = await started();
    const opened = await open({ made }, { kind: "plan", payload: PLAN });
    const block = there.messages.find(({ card }) => card.key.endsWith("/b2-2"));
    const typed = {
      type: "typed" as const,
      id: "m1",
      at: 1,
      place: PLACE,
      actor: BEN,
      text: "why?",
      files: [],
    };
    await there.hears({
      ...typed,
      anchor: { kind: "thread", handle: block?.handle ?? "" },
    });
    await until(() => expect(there.told).toMatchObject([{ tone: "kept", about: "m1", to: BEN.id }]));
    expect((await made.engine.show(opened.session)).rounds).toMatchObject([
      { annotations: [{ comment: "why?" }] },
    ]);
    await made.engine.stop();
  });

  it("says when nobody is notified in a channel", async () => {
    const { made } = await started();
    expect((await open({ made })).notes).toEqual([expect.stringContaining("nobody is notified in #plans")]);
    const asked = await open(
      { made },
      { policy: { responders: [ANA.id] }, payload: { ...LOGIN, title: "Other" } },
    );
    expect(asked.notes).toEqual([]);
    await made.engine.stop();
  });

  it("gets a 40-decision page whole", async () => {
    const { there, made } = await started();
    const decisions = Array.from({ length: 40 }, (_, at) => ({ ...LOGIN.decisions[0], id: `q${at}` }));
    await open({ made }, { payload: { ...LOGIN, decisions } });
    const targets = there.messages.flatMap(({ card }) =>
      card.parts.flatMap((part) => (part.kind === "choice" ? part.target : [])),
    );
    expect(targets).toEqual(decisions.map((_, at) => `d${at}`));
    await made.engine.stop();
  });
});
