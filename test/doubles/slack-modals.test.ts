import { afterEach, beforeEach, expect, test } from "vitest";
import type { Channel, Person } from "./slack/index.ts";
import { type TestBot, testBot } from "./slack/test-bot.ts";
import { refusal, refused, type Scene, scene } from "./slack/testing.ts";
import { type Json, record, str } from "./slack/wire.ts";

let it: Scene;
let bot: TestBot;
let ana: Person;
let plans: Channel;
let time = Date.UTC(2026, 10, 30);

beforeEach(async () => {
  it = await scene({ ackMs: 1000, now: () => time });
  ana = it.acme.person({ id: "U1", name: "Ana" });
  plans = it.acme.channel({ id: "C1", name: "plans", members: [ana, it.acme.bot] });
  bot = await testBot(it.slack, it.acme);
});

afterEach(async () => {
  await bot.stop();
  await it.slack.stop();
});

const plain = (text: string) => ({ type: "plain_text", text });
const input = (block_id: string, label: string, more = {}, element = {}) => ({
  type: "input",
  block_id,
  label: plain(label),
  element: { type: "plain_text_input", action_id: "text", ...element },
  ...more,
});
const modal = (more: Json = {}): Json => ({
  type: "modal",
  title: plain("Why?"),
  submit: plain("Send"),
  callback_id: "why",
  private_metadata: "s1",
  blocks: [input("reason", "Reason"), input("more", "More", { optional: true })],
  ...more,
});

const views = (method: "open" | "push" | "update", args: object) =>
  it.web.apiCall(`views.${method}`, { ...args });

async function trigger(): Promise<string> {
  const button = {
    type: "button" as const,
    action_id: "go",
    text: { type: "plain_text" as const, text: "Go" },
  };
  await it.web.chat.postMessage({
    channel: "C1",
    text: "a",
    blocks: [{ type: "actions", elements: [button] }],
  });
  const message = plans.messages().at(-1);
  if (message === undefined) throw new Error("nothing was posted");
  await ana.presses(message, "Go");
  return str(bot.last().trigger_id);
}

const opened = async (view = modal()) => {
  await views("open", { trigger_id: await trigger(), view });
};

test("a press opens a modal, and submitting it sends what was filled in", async () => {
  await opened();
  expect(ana.view()).toMatchObject({ title: "Why?", submit: "Send", errors: {}, privateMetadata: "s1" });
  expect(await ana.submits({ Reason: "because" })).toEqual({ kind: "closed" });
  expect(ana.view()).toBe(null);
  expect(bot.last()).toMatchObject({
    type: "view_submission",
    team: { id: "T1", domain: "acme" },
    user: { id: "U1", team_id: "T1" },
    view: {
      callback_id: "why",
      private_metadata: "s1",
      state: {
        values: {
          reason: { text: { type: "plain_text_input", value: "because" } },
          more: { text: { type: "plain_text_input", value: null } },
        },
      },
    },
  });
  await it.slack.assertClean();
});

test("the client itself asks for what is required, too short or too long, and sends nothing", async () => {
  await opened(modal({ blocks: [input("a", "A", {}, { min_length: 2, max_length: 3 }), input("b", "B")] }));
  const before = bot.payloads.length;
  expect(await ana.submits({ A: "x" })).toEqual({
    kind: "errors",
    errors: { a: "Must be at least 2 characters long.", b: "Please complete this required field." },
  });
  expect(await ana.submits({ A: "xxxx", B: "b" })).toMatchObject({ kind: "errors" });
  expect(bot.payloads.length).toBe(before);
  expect(await ana.submits({ A: "xxx" })).toEqual({ kind: "closed" });
  await expect(ana.submits({})).rejects.toThrow("no modal open");
});

test("errors show under their inputs; an unknown block is a violation", async () => {
  await opened();
  bot.answer = () => ({ response_action: "errors", errors: { reason: "too vague" } });
  expect(await ana.submits({ Reason: "hm" })).toEqual({ kind: "errors", errors: { reason: "too vague" } });
  expect(ana.view()?.errors).toEqual({ reason: "too vague" });
  await it.slack.assertClean();
  bot.answer = () => ({ response_action: "errors", errors: { nowhere: "too vague" } });
  expect(await ana.submits({ Reason: "hm" })).toMatchObject({ kind: "failed" });
  await expect(it.slack.assertClean()).rejects.toThrow("unknown block_id: nowhere");
});

test("an answer can update, push and clear; what it shows is checked", async () => {
  await opened();
  bot.answer = () => ({ response_action: "update", view: modal({ title: plain("Again") }) });
  expect(await ana.submits({ Reason: "a" })).toEqual({ kind: "updated" });
  expect(ana.view()?.title).toBe("Again");
  bot.answer = () => ({ response_action: "push", view: modal({ title: plain("Deeper") }) });
  expect(await ana.submits()).toEqual({ kind: "pushed" });
  await ana.closesView();
  expect(ana.view()?.title).toBe("Again");
  await it.slack.assertClean();
  bot.answer = () => ({ response_action: "update", view: modal({ title: plain("x".repeat(25)) }) });
  expect(await ana.submits()).toEqual({ kind: "failed", reason: "invalid_arguments" });
  bot.answer = () => ({ response_action: "clear" });
  expect(await ana.submits()).toEqual({ kind: "closed" });
  expect(ana.view()).toBe(null);
  expect(it.slack.violations).toHaveLength(1);
});

test("a submit nobody acknowledges leaves the modal open and shows a failure", async () => {
  await opened();
  bot.answer = () => null;
  it.slack.expectFailedPress();
  expect(await ana.submits({ Reason: "a" })).toMatchObject({ kind: "failed" });
  expect(ana.view()?.title).toBe("Why?");
  await it.slack.assertClean();
});

test("a trigger lives three seconds and works once", async () => {
  const late = await trigger();
  time += 3001;
  expect(await refusal(views("open", { trigger_id: late, view: modal() }))).toBe("expired_trigger_id");
  const once = await trigger();
  time += 3000;
  expect(await refusal(views("open", { trigger_id: once, view: modal() }))).toBe(null);
  expect(await refusal(views("open", { trigger_id: once, view: modal() }))).toBe("exchanged_trigger_id");
  expect(await refusal(views("open", { trigger_id: "made.up", view: modal() }))).toBe("invalid_trigger_id");
  expect(await refusal(views("open", { view: modal() }))).toBe("invalid_arguments");
});

test("an invalid view is refused with its places, and leaves the trigger usable", async () => {
  const trigger_id = await trigger();
  expect(
    await refused(views("open", { trigger_id, view: modal({ title: plain("x".repeat(25)) }) })),
  ).toMatchObject({
    error: "invalid_arguments",
    response_metadata: {
      messages: ["[ERROR] must be less than 25 characters [json-pointer:/view/title/text]"],
    },
  });
  expect(await refusal(views("open", { trigger_id, view: modal() }))).toBe(null);
});

test("views are updated by id and hash while they are open", async () => {
  await opened();
  const view_id = ana.view()?.viewId ?? "";
  const updated = await views("update", { view_id, view: modal({ title: plain("Again") }) });
  const stale = record(record(updated).view).hash;
  expect(await refusal(views("update", { view_id, hash: stale, view: modal() }))).toBe(null);
  expect(await refusal(views("update", { view_id, hash: stale, view: modal() }))).toBe("hash_conflict");
  await ana.closesView();
  expect(await refusal(views("update", { view_id, view: modal() }))).toBe("not_found");
});

test("modals stack three deep, from what happens in them", async () => {
  const choice = {
    type: "actions",
    elements: [{ type: "button", action_id: "deeper", text: plain("Deeper") }],
  };
  const deep = () => modal({ blocks: [choice], notify_on_close: true });
  await opened(deep());
  const press = async () => {
    const top = ana.view();
    if (top === null) throw new Error("no modal");
    await ana.presses(top, "Deeper");
    expect(bot.last()).toMatchObject({
      container: { type: "view", view_id: top.viewId },
      view: { id: top.viewId },
    });
    return str(bot.last().trigger_id);
  };
  for (let level = 2; level <= 3; level += 1)
    await views("push", { trigger_id: await press(), view: deep() });
  expect(await refusal(views("push", { trigger_id: await press(), view: deep() }))).toBe(
    "push_limit_reached",
  );
  await ana.closesView();
  expect(bot.last()).toMatchObject({ type: "view_closed", is_cleared: false });
});

test("a select in a modal sends its state with all the inputs", async () => {
  const option = (text: string) => ({ text: plain(text), value: text });
  const element = { type: "static_select", action_id: "db", options: [option("Postgres"), option("SQLite")] };
  await opened(
    modal({ blocks: [input("pick", "Database", {}, {}), { ...input("db", "Which", {}), element }] }),
  );
  expect(await ana.submits({ Database: "x", Which: "SQLite" })).toEqual({ kind: "closed" });
  expect(record(record(bot.last().view).state)).toMatchObject({
    values: { db: { db: { type: "static_select", selected_option: option("SQLite") } } },
  });
});
