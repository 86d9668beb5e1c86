/** A connection that is of no use any more, or shared with another process: new rounds say what to do, the rest waits. */
import { expect, it } from "vitest";
import type { Check } from "../../../src/core/surface.ts";
import { movableClock } from "../../support/movable-clock.ts";
import type { SlackStage } from "../../support/slack-stage.ts";
import { until } from "../../support/until.ts";
import { asked, bothListen, calls, delivery, home, now, PASSWORD, shows } from "./delivery.ts";

const refused = async (stage: SlackStage, reason: RegExp): Promise<void> => {
  const { result } = await stage.open({ session: "another" });
  expect(result).toMatchObject({ status: "unreachable", reason: expect.stringMatching(reason) });
};

/** The refusals that a test brings about, whatever the bot calls first. */
function expectErrors(stage: SlackStage, error: string): void {
  for (const method of ["chat.postMessage", "chat.update", "users.info", "conversations.members"])
    stage.slack.expectError(method, error, { maybe: true });
}

it.each(["token_revoked", "account_inactive"] as const)(
  "waits for a new bot token, and then shows what happened meanwhile: %s",
  async (how) => {
    const clock = movableClock();
    const stage = await delivery({ clock });
    const opened = await asked(stage);
    const { acme, ana, plans } = stage.team;
    await ana.chooses(home(stage), "1 One day");
    await stage.slack.until(() => shows(home(stage), "Ana"));
    expectErrors(stage, how);
    expectErrors(stage, "invalid_auth");
    acme.revoke(how);
    await until(() => stage.logged.some((line) => line.includes("of no use any more")));
    await refused(stage, /(revoked|removed from the workspace); run: askgate setup slack/);
    await ana.chooses(home(stage), PASSWORD);
    expect(await now(stage, opened)).toMatchObject({ status: "pending" });
    expect(plans.thread(home(stage).ts)).toHaveLength(0);
    const bot = acme.reinstall();
    const { credentials } = stage;
    await stage.chat().connect({ ...credentials, tokens: { ...credentials.tokens, bot } });
    clock.forward(31_000);
    await stage.slack.until(() => plans.thread(home(stage).ts).length === 1);
    expect(plans.messages()).toHaveLength(1);
    await asked(stage, { session: "another" });
  },
);

it("finds out by itself that a bot token is worth nothing", async () => {
  const stage = await delivery();
  await asked(stage);
  expectErrors(stage, "invalid_auth");
  stage.team.acme.reinstall();
  await refused(stage, /the bot token is not valid; run: askgate setup slack/);
  await refused(stage, /the bot token is not valid/);
  expect(stage.chat().connections()).toEqual([]);
});

it("keeps the old connection when the new tokens are refused", async () => {
  const stage = await delivery();
  await asked(stage);
  await bothListen(stage);
  const { credentials, slack } = stage;
  slack.expectError("apps.connections.open", "invalid_auth");
  const tokens = { ...credentials.tokens, app: "xapp-1-wrong-0123456789-abcdef" };
  await expect(stage.chat().connect({ ...credentials, tokens })).rejects.toThrow("SLACK_APP_TOKEN");
  await stage.team.ana.chooses(home(stage), PASSWORD);
  await slack.until(() => shows(home(stage), "Ana"));
});

it("loses no click while a token is rotated", async () => {
  const clock = movableClock();
  const stage = await delivery({ clock });
  await asked(stage);
  await bothListen(stage);
  const { acme, ana, plans } = stage.team;
  await ana.chooses(home(stage), "1 One day");
  await stage.slack.until(() => shows(home(stage), "Ana"));
  expectErrors(stage, "invalid_auth");
  const bot = acme.reinstall();
  const { credentials } = stage;
  const connecting = stage.chat().connect({ ...credentials, tokens: { ...credentials.tokens, bot } });
  for (const pick of [PASSWORD, "2 One month", "1 Magic link only", PASSWORD])
    await ana.chooses(home(stage), pick);
  await connecting;
  clock.forward(31_000);
  await stage.slack.until(() => plans.thread(home(stage).ts).length === 1);
  expect(ana.failedPresses).toEqual([]);
  expect(ana.ephemerals(plans)).toEqual([]);
});

it("refuses new rounds once the app token is worth nothing, and says so", async () => {
  const stage = await delivery();
  await asked(stage);
  await bothListen(stage);
  stage.slack.expectError("apps.connections.open", "invalid_auth");
  stage.team.acme.revokeApp();
  stage.slack.sockets.dropAll();
  await until(() => stage.logged.some((line) => line.includes("could not be opened")));
  await until(() => stage.chat().connections().length === 0);
  await refused(stage, /app token: .*not valid; run: askgate setup slack/);
});

it("refuses new rounds while Socket Mode is switched off", async () => {
  const stage = await delivery();
  await asked(stage);
  await bothListen(stage);
  stage.slack.expectError("apps.connections.open", "socket_mode_disabled");
  stage.slack.sockets.disconnect("link_disabled");
  await until(() => stage.chat().connections().length === 0);
  await refused(stage, /app token: Socket Mode is switched off; switch it on/);
});

it("refuses new rounds when Slack cannot be reached for a minute", async () => {
  const clock = movableClock();
  const stage = await delivery({ clock });
  await asked(stage);
  await bothListen(stage);
  stage.slack.fail("apps.connections.open", { http: 503 }, { times: 4 });
  stage.slack.sockets.dropAll();
  await until(() => stage.logged.some((line) => line.includes("nobody listens")));
  clock.forward(60_001);
  await refused(stage, /Slack cannot be reached/);
});

it("refuses new rounds while another process uses the app, and asks again when that is gone", async () => {
  const clock = movableClock();
  const stage = await delivery({ clock });
  await bothListen(stage);
  const foreign = await stage.team.acme.foreignSocket();
  const [only] = await findings(stage, "only bot of this app");
  expect(only).toMatchObject({ state: "failed", detail: "1 other socket is open" });
  await stage.slack.until(() => stage.slack.sockets.count === 3);
  clock.forward(120_001);
  await findings(stage, "only bot of this app");
  await refused(stage, /another process uses this Slack app .*use your own app.*ASKGATE_URL/);
  await stage.slack.until(() => stage.slack.sockets.count === 3);
  await foreign.close();
  await stage.slack.until(() => stage.slack.sockets.count === 2);
  await asked(stage);
  expect(calls(stage, "chat.postMessage").length).toBeGreaterThan(0);
});

async function findings(stage: SlackStage, name: string): Promise<Check[]> {
  const all: Check[] = [];
  for await (const check of stage.chat().check("T1", [])) all.push(check);
  return all.filter((check) => check.name === name);
}
