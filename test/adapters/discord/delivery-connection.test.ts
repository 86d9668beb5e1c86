/** A connection that is of no use any more, or away for a while: new rounds say what to do, the rest waits. */
import { expect, it } from "vitest";
import type { DiscordStage } from "../../support/discord-stage.ts";
import { movableClock } from "../../support/movable-clock.ts";
import { until } from "../../support/until.ts";
import {
  asked,
  DAY,
  delivery,
  EDIT,
  home,
  known,
  listens,
  now,
  PASSWORD,
  POST,
  REACT,
  room,
  says,
  shows,
  start,
  THREAD,
  thread,
} from "./delivery.ts";

const refused = async (stage: DiscordStage, reason: RegExp): Promise<void> => {
  const { result } = await stage.open({ session: "another" });
  expect(result).toMatchObject({ status: "unreachable", reason: expect.stringMatching(reason) });
};

/** The refusals that a worthless token brings about, whatever the bot calls first. */
function expectUnauthorized({ discord }: DiscordStage): void {
  for (const route of [POST, EDIT, THREAD, REACT, "GET /users/:user", "GET /gateway/bot"])
    discord.expectError(route, 401, { maybe: true });
  discord.expectError("gateway", 4004, { maybe: true });
}

it("waits for a new token, and then shows what happened meanwhile", async () => {
  const clock = movableClock();
  const stage = await delivery({ clock });
  const opened = await asked(stage);
  const { ana } = stage.team;
  await ana.chooses(home(stage), DAY);
  await stage.discord.until(() => shows(home(stage), "Ana"));
  expectUnauthorized(stage);
  stage.discord.revoke();
  await refused(stage, /the bot token is not valid; run: askgate setup discord/);
  expect(stage.chat().connections()).toEqual([]);
  expect(await now(stage, opened)).toMatchObject({ status: "pending" });
  const bot = stage.discord.resetToken();
  await stage.chat().connect({ ...stage.credentials, tokens: { bot } });
  await ana.chooses(home(stage), PASSWORD);
  clock.forward(31_000);
  await stage.discord.until(() => thread(stage).length === 1);
  expect(stage.team.plans.messages()).toHaveLength(1);
  await asked(stage, { session: "later" });
});

it("keeps what was pressed just before its token was revoked, and shows it with the new one", async () => {
  const clock = movableClock();
  const stage = await delivery({ clock });
  await asked(stage);
  expectUnauthorized(stage);
  const { ana } = stage.team;
  stage.discord.fail(THREAD, { status: 401, code: 401 });
  await ana.chooses(home(stage), PASSWORD);
  await until(() => says(stage, "of no use any more"));
  await refused(stage, /the bot token is not valid/);
  expect(thread(stage)).toHaveLength(0);
  const bot = stage.discord.resetToken();
  await stage.chat().connect({ ...stage.credentials, tokens: { bot } });
  clock.forward(31_000);
  await stage.discord.until(() => thread(stage).length === 1);
  expect(stage.team.plans.messages()).toHaveLength(1);
});

it("keeps the old connection when the new token is refused", async () => {
  const stage = await delivery();
  await asked(stage);
  stage.discord.expectError("GET /users/@me", 401);
  const tokens = { bot: "OTAw.wrong.0123456789-abcdef" };
  await expect(stage.chat().connect({ ...stage.credentials, tokens })).rejects.toThrow("DISCORD_TOKEN");
  await stage.team.ana.chooses(home(stage), PASSWORD);
  await stage.discord.until(() => shows(home(stage), "Ana"));
});

it("refuses new rounds while it may not read messages, and asks again once it may", async () => {
  const stage = await delivery();
  await asked(stage);
  stage.discord.grants({ messageContent: false });
  stage.discord.expectError("gateway", 4014);
  stage.discord.sockets.drop();
  stage.discord.sockets.forget();
  await until(() => stage.chat().connections().length === 0);
  await refused(stage, /Message Content Intent is switched off: switch it on in the Developer Portal/);
  stage.discord.grants({ messageContent: true });
  await stage.chat().connect(stage.credentials);
  await stage.team.ana.chooses(home(stage), PASSWORD);
  await stage.discord.until(() => thread(stage).length === 1);
  await asked(stage, { session: "another" });
});

it("refuses new rounds when Discord cannot be reached for a minute, and asks again when it can", async () => {
  const clock = movableClock();
  const stage = await delivery({ clock });
  await asked(stage);
  stage.discord.sockets.reachable(false);
  stage.discord.sockets.drop();
  await until(() => says(stage, "nobody listens"));
  await stage.team.ana.types(stage.team.plans, "is anybody there?");
  clock.forward(61_000);
  await refused(stage, /Discord cannot be reached/);
  stage.discord.sockets.reachable(true);
  await until(() => stage.chat().connections().length === 1);
  await asked(stage, { session: "later" });
  await stage.discord.until(() => shows(home(stage), "I was away"));
});

it("connects once Discord is back that was away when the bot started", async () => {
  const stage = await delivery();
  await asked(stage);
  await stage.stop();
  stage.discord.fail("GET /gateway/bot", { http: 503 }, { times: 2 });
  await start(stage);
  await stage.team.ana.chooses(home(stage), PASSWORD);
  await stage.discord.until(() => thread(stage).length === 1);
});

it("says nothing on open cards when it was away for less than a minute", async () => {
  const stage = await delivery();
  await asked(stage);
  stage.discord.sockets.drop();
  stage.discord.sockets.forget();
  await stage.discord.until(() => stage.discord.sockets.started === 2);
  await stage.team.ana.chooses(home(stage), DAY);
  await stage.discord.until(() => shows(home(stage), "Ana"));
  expect(shows(home(stage), "I was away")).toBe(false);
});

it("says so after a restart, too, until somebody acts", async () => {
  const clock = movableClock();
  const stage = await delivery({ clock });
  await asked(stage);
  await stage.stop();
  clock.forward(61_000);
  await start(stage);
  await stage.discord.until(() => shows(home(stage), "I was away"));
  await stage.team.ana.chooses(home(stage), DAY);
  await stage.discord.until(() => !shows(home(stage), "I was away"));
});

it("does not say so after a resume, which brings what was pressed meanwhile", async () => {
  const clock = movableClock();
  const stage = await delivery({ clock });
  const opened = await asked(stage);
  stage.discord.expectFailedPress({ maybe: true });
  stage.discord.expectError("POST /interactions/:interaction/:token/callback", 10062, { maybe: true });
  stage.discord.sockets.drop();
  const pressed = stage.team.ana.chooses(home(stage), PASSWORD);
  clock.forward(50_000);
  await listens(stage);
  await pressed;
  await stage.discord.until(() => thread(stage).length === 1);
  clock.forward(50_000);
  await stage.team.ana.types(room(stage), "and a word");
  await until(async () => (await known(stage, opened)).includes("and a word"));
  expect(stage.discord.sockets).toMatchObject({ started: 1, resumed: 1 });
  expect(shows(home(stage), "I was away")).toBe(false);
});
