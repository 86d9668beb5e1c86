/** What Discord limits is sent as soon as it may be, and not before; everything else goes on meanwhile. */
import { expect, it } from "vitest";
import type { DiscordStage } from "../../support/discord-stage.ts";
import { movableClock } from "../../support/movable-clock.ts";
import { until } from "../../support/until.ts";
import {
  asked,
  askedPlan,
  calls,
  DAY,
  delivery,
  EDIT,
  home,
  MAGIC,
  MONTH,
  now,
  PASSWORD,
  POST,
  REACT,
  REMOVE,
  room,
  shows,
  THREAD,
  thread,
} from "./delivery.ts";

const SCOPES = ["user", "shared", "global"] as const;

/** The clock of the bot, which Discord's goes by, too. */
async function timed(): Promise<DiscordStage & { clock: ReturnType<typeof movableClock> }> {
  const clock = movableClock();
  return { ...(await delivery({ clock, now: clock.now })), clock };
}

it.each(SCOPES)("puts a card up once Discord takes it: %s", async (scope) => {
  const stage = await delivery();
  stage.discord.fail(POST, { retryAfter: 1, scope });
  await asked(stage);
  await stage.discord.until(() => shows(stage.team.plans.messages()[0], "Session length?"));
  expect(calls(stage, POST).map(({ error }) => error)).toEqual(["429", null]);
});

it.each(SCOPES)("makes a card of what was announced once Discord takes that: %s", async (scope) => {
  const stage = await delivery();
  stage.discord.fail(EDIT, { retryAfter: 1, scope });
  await asked(stage);
  await stage.discord.until(() => shows(home(stage), "Session length?"));
  expect(calls(stage, POST)).toHaveLength(1);
});

it.each(SCOPES)("changes a card, and takes one away, once Discord takes it: %s", async (scope) => {
  const stage = await delivery();
  await asked(stage);
  const { ana } = stage.team;
  stage.discord.fail(EDIT, { retryAfter: 1, scope });
  await ana.chooses(home(stage), DAY);
  await stage.discord.until(() => shows(home(stage), "One day — Ana"));
  await ana.chooses(home(stage), PASSWORD);
  await stage.discord.until(() => thread(stage).length === 1);
  stage.discord.fail(REMOVE, { retryAfter: 1, scope });
  await ana.chooses(home(stage), MAGIC);
  await stage.discord.until(() => thread(stage).length === 0);
});

it("waits for minutes to open a thread, asks for it no earlier, and then shows all", async () => {
  const stage = await timed();
  await asked(stage, { timeoutMs: null });
  const { ana } = stage.team;
  stage.discord.fail(THREAD, { retryAfter: 219 });
  await ana.chooses(home(stage), PASSWORD);
  await stage.discord.until(() => calls(stage, THREAD).length === 1);
  for (const seconds of [31, 31, 31, 31, 31, 31]) stage.clock.forward(seconds * 1_000);
  expect(calls(stage, THREAD)).toHaveLength(1);
  await until(() => {
    stage.clock.forward(31_000);
    return thread(stage).length === 1;
  });
  await stage.discord.until(() => shows(home(stage), "magic link — Ana"));
});

it("keeps an hour's limit from one session, and from others in that channel, but from no other channel", async () => {
  const stage = await timed();
  const { acme, ana } = stage.team;
  const ideas = acme.channel({ id: "202", name: "ideas", members: [ana, acme.bot] });
  await until(async () => typeof (await stage.chat().resolve("#ideas", null)) === "object");
  await asked(stage, { timeoutMs: null });
  stage.discord.fail(EDIT, { retryAfter: 3_600 });
  await ana.chooses(home(stage), DAY);
  await stage.discord.until(() => calls(stage, EDIT).at(-1)?.error === "429");
  const before = calls(stage, EDIT).length;
  await asked(stage, { to: ["#ideas"], session: "other", timeoutMs: null });
  await stage.discord.until(() => shows(ideas.messages()[0], "Session length?"));
  await ana.chooses(home(stage), PASSWORD);
  stage.clock.forward(31_000);
  await stage.discord.until(() => thread(stage).length === 1);
  expect(
    calls(stage, EDIT)
      .slice(before)
      .map(({ channel }) => channel),
  ).not.toContain("201");
  stage.clock.forward(3_600_000);
  await stage.discord.until(() => shows(home(stage), "One day — Ana"));
});

it("holds everything back while Discord limits all, but answers presses", async () => {
  const stage = await delivery();
  await asked(stage);
  const { ana } = stage.team;
  stage.discord.fail(EDIT, { retryAfter: 2, scope: "global" });
  await ana.chooses(home(stage), DAY);
  await stage.discord.until(() => calls(stage, EDIT).at(-1)?.error === "429");
  expect(await ana.chooses(home(stage), MONTH)).toEqual({ kind: "acked" });
  await ana.presses(home(stage), "Other…");
  await stage.discord.until(() => ana.modal() !== null);
  ana.dismisses();
  await stage.discord.until(() => shows(home(stage), "One month — Ana"));
});

it("keeps a sign for a typed message until Discord takes it", async () => {
  const stage = await delivery();
  const opened = await askedPlan(stage);
  stage.discord.fail(REACT, { retryAfter: 1, scope: "shared" });
  const id = await stage.team.ana.types(room(stage), "rate-limit it");
  const typed = () => thread(stage).find((message) => message.id === id);
  await stage.discord.until(() => (typed()?.reactions.length ?? 0) === 1);
  expect(await now(stage, opened)).toMatchObject({ feedback: [{ text: "rate-limit it" }] });
});

it("answers presses before it goes on with bulk in the same channel", async () => {
  const stage = await delivery();
  const { ana, plans } = stage.team;
  await asked(stage, { session: "one" });
  const paragraphs = Array.from({ length: 12 }, (_, index) => `Paragraph ${index}.`);
  const payload = { title: "Long", plan: paragraphs.join("\n\n") };
  const plan = stage.open({ kind: "plan", session: "two", granularity: "block", payload });
  const below = () => plans.threads().flatMap((one) => one.messages()).length;
  await stage.discord.until(() => below() >= 2);
  await ana.chooses(home(stage), PASSWORD);
  await stage.discord.until(() => shows(home(stage), "Ana"));
  expect(below()).toBeLessThan(10);
  await stage.stop();
  await plan.catch(() => {});
});

it("meets no limit of Discord's own with a plan of many blocks", async () => {
  const stage = await delivery({ factor: 1 });
  const paragraphs = Array.from({ length: 8 }, (_, index) => `Paragraph ${index}.`);
  const payload = { title: "Long", plan: paragraphs.join("\n\n") };
  await asked(stage, { kind: "plan", granularity: "block", payload });
  await stage.discord.until(() => thread(stage).some((message) => shows(message, "Paragraph 7.")), 20_000);
  await stage.team.ana.presses(home(stage), "Approve");
  await stage.discord.until(() => !shows(home(stage), "Request changes"));
  expect(stage.discord.calls.filter(({ error }) => error === "429")).toEqual([]);
});
