/** Presses over a socket that is dropped, replaced or doubled: each counts once, and is answered once. */
import { Client, GatewayIntentBits } from "discord.js";
import { expect, it, onTestFinished } from "vitest";
import type { DiscordStage } from "../../support/discord-stage.ts";
import { movableClock } from "../../support/movable-clock.ts";
import { until } from "../../support/until.ts";
import {
  ANSWER,
  asked,
  askedPlan,
  calls,
  DAY,
  delivery,
  EDIT,
  gated,
  home,
  known,
  listens,
  MAGIC,
  now,
  PASSWORD,
  promise,
  room,
  shows,
  start,
  thread,
} from "./delivery.ts";

const picks = (click: number): string => (click % 2 === 0 ? PASSWORD : MAGIC);

it.each([
  ["a broken line", ({ discord }: DiscordStage) => discord.sockets.drop()],
  ["a request to reconnect", ({ discord }: DiscordStage) => discord.sockets.reconnect()],
  ["a session to resume", ({ discord }: DiscordStage) => discord.sockets.invalidate(true)],
] as const)("loses no press over %s", async (_, breaks) => {
  const stage = await delivery();
  await asked(stage);
  const { ana } = stage.team;
  breaks(stage);
  for (let click = 0; click < 9; click += 1) await ana.chooses(home(stage), picks(click));
  await stage.discord.until(() => thread(stage).length === 1);
  expect(ana.failedPresses).toEqual([]);
  expect(ana.ephemerals(stage.team.plans)).toEqual([]);
});

it("acknowledges a press although the socket breaks before it does", async () => {
  const { gate, around } = gated();
  const stage = await delivery({ around });
  await asked(stage);
  const { done, release } = promise();
  gate.open = done;
  const before = gate.saves;
  const click = stage.team.ana.chooses(home(stage), PASSWORD);
  await expect.poll(() => gate.saves).toBeGreaterThan(before);
  stage.discord.sockets.drop();
  release();
  expect(await click).toEqual({ kind: "acked" });
  await stage.discord.until(() => thread(stage).length === 1);
  await listens(stage);
});

it("answers a press once that a resume brings again", async () => {
  const stage = await delivery();
  await asked(stage);
  stage.discord.sockets.repeat(5);
  await stage.team.ana.chooses(home(stage), PASSWORD);
  await stage.discord.until(() => thread(stage).length === 1);
  stage.discord.sockets.drop();
  await stage.discord.until(() => stage.discord.sockets.resumed === 1);
  await stage.team.ana.chooses(home(stage), DAY);
  await stage.discord.until(() => shows(home(stage), "✓ One day"));
  expect(calls(stage, ANSWER)).toHaveLength(2);
  expect(thread(stage)).toHaveLength(1);
});

it("keeps a message once that a resume brings again", async () => {
  const stage = await delivery();
  const opened = await askedPlan(stage);
  stage.discord.sockets.repeat(5);
  await stage.team.ana.types(room(stage), "rate-limit it");
  await until(async () => (await known(stage, opened)).includes("rate-limit it"));
  stage.discord.sockets.drop();
  await stage.discord.until(() => stage.discord.sockets.resumed === 1);
  await stage.team.ana.types(room(stage), "and log it");
  await until(async () => (await known(stage, opened)).includes("and log it"));
  const { feedback } = await now(stage, opened);
  expect(feedback).toMatchObject([{ text: "rate-limit it" }, { text: "and log it" }]);
});

it.each([
  { lose: "response" },
  { lose: "request" },
  { status: 404, code: 10062 },
  { status: 400, code: 40060 },
  { http: 503 },
] as const)("counts a press whose acknowledgement does not arrive: %j", async (fault) => {
  const stage = await delivery({ ackMs: 500 });
  await asked(stage);
  stage.discord.expectFailedPress({ maybe: true });
  stage.discord.fail(ANSWER, fault);
  await stage.team.ana.chooses(home(stage), PASSWORD);
  await stage.discord.until(() => thread(stage).length === 1);
  expect(calls(stage, ANSWER)).toHaveLength(1);
});

it("counts a press that came too late for an answer, and shows it", async () => {
  const stage = await delivery({ ackMs: 300 });
  await asked(stage);
  stage.discord.expectFailedPress();
  stage.discord.expectError(ANSWER, 10062);
  stage.discord.sockets.drop();
  expect(await stage.team.ana.chooses(home(stage), PASSWORD)).toMatchObject({ kind: "failed" });
  await stage.discord.until(() => thread(stage).length === 1);
});

it("takes an impatient double press once, and puts one follow-up up", async () => {
  const stage = await delivery();
  await asked(stage);
  const { ana, ben } = stage.team;
  await Promise.all([ana.chooses(home(stage), PASSWORD), ben.chooses(home(stage), PASSWORD)]);
  await stage.discord.until(() => shows(home(stage), "Ana") || shows(home(stage), "Ben"));
  expect(thread(stage)).toHaveLength(1);
});

it("settles once for two who send at the same time", async () => {
  const stage = await delivery();
  const opened = await asked(stage);
  const { ana, ben, plans } = stage.team;
  await ana.presses(home(stage), "★ Accept recommended");
  await stage.discord.until(() => shows(home(stage), "Ana"));
  await Promise.all([ana.presses(home(stage), "Send to agent"), ben.presses(home(stage), "Send to agent")]);
  expect(await now(stage, opened)).toMatchObject({ status: "submitted" });
  await until(() => ana.ephemerals(plans).length + ben.ephemerals(plans).length === 1);
});

it("answers once where another bot of the application listens, too", async () => {
  const stage = await delivery();
  await asked(stage);
  const other = new Client({
    intents: [GatewayIntentBits.Guilds],
    rest: { api: stage.discord.apiUrl, retries: 0 },
  });
  onTestFinished(() => other.destroy());
  await other.login(stage.discord.token);
  await stage.discord.until(() => stage.discord.sockets.count === 2);
  await stage.team.ana.chooses(home(stage), PASSWORD);
  await stage.discord.until(() => thread(stage).length === 1);
  expect(calls(stage, ANSWER)).toHaveLength(1);
});

it("sends nothing by what a press brought along, also long after", async () => {
  const clock = movableClock();
  const stage = await delivery({ clock, now: clock.now });
  await asked(stage, { timeoutMs: null });
  const { ana } = stage.team;
  await ana.chooses(home(stage), DAY);
  await stage.discord.until(() => shows(home(stage), "✓ One day"));
  clock.forward(16 * 60_000);
  await ana.chooses(home(stage), PASSWORD);
  await stage.discord.until(() => thread(stage).length === 1);
  await ana.presses(home(stage), "Other…");
  clock.forward(16 * 60_000);
  await ana.submits({ "Session length?": "A week" });
  await stage.discord.until(() => shows(home(stage), "A week"));
  expect(stage.discord.calls.filter(({ method }) => method.includes("/webhooks/"))).toEqual([]);
});

it("takes a press in a thread that was put away before the bot began, whatever Discord answers", async () => {
  const stage = await delivery();
  await asked(stage);
  const { ana } = stage.team;
  await ana.chooses(home(stage), PASSWORD);
  await stage.discord.until(() => shows(home(stage), "Ana"));
  const [followUp] = thread(stage);
  await stage.stop();
  room(stage).archive();
  await start(stage);
  stage.discord.fail("GET /channels/:channel", { http: 503 });
  stage.discord.expectError(EDIT, 50083);
  expect(await ana.chooses(followUp ?? home(stage), "2 Strict")).toEqual({ kind: "acked" });
  await stage.discord.until(() => shows(followUp, "Strict — Ana"));
});
