/** From nothing to an answer in Slack: commands and bot as processes, Slack as a server that says no. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { openWorkshop, type Running, type Workshop } from "../cli/askgate.ts";
import { type Slack, startSlack } from "../doubles/slack/index.ts";
import { LOGIN } from "../support/login.ts";
import { people } from "../support/slack-stage.ts";
import { until } from "../support/until.ts";

let shop: Workshop;
let slack: Slack;
let team: ReturnType<typeof people>;
beforeEach(async () => {
  slack = await startSlack({ factor: 50 });
  team = people(slack);
  shop = openWorkshop();
  onTestFinished(async () => {
    await shop.close();
    await slack.stop();
  });
});

const tokens = () => ({
  SLACK_BOT_TOKEN: team.acme.botToken,
  SLACK_APP_TOKEN: team.acme.appToken,
  SLACK_API_URL: slack.apiUrl,
});

/** `setup slack`, and Ana presses the button that she gets. */
async function setUp(): Promise<void> {
  const command = shop.start(["setup", "slack", "--me", "ana@acme.test"], { env: tokens() });
  await until(() => command.said().stderr.includes("Press the button that the bot just sent Ana"));
  const [asked] = team.ana.dm().messages();
  if (asked === undefined) throw new Error("nobody asked Ana");
  await team.ana.presses(asked, "Yes, that is me");
  const { code, stderr } = await command.ended;
  expect(stderr).toContain("paired with Ana");
  expect(code).toBe(0);
}

const ask = (how: { cwd?: string; env?: Record<string, string> }, ...flags: string[]): Running =>
  shop.start(["clarity", "up", ...flags], { input: JSON.stringify(LOGIN), ...how });

/** Ana answers what stands in her direct message with the bot. */
async function answer(): Promise<void> {
  const card = () => team.ana.dm().messages().at(-1);
  await slack.until(() => JSON.stringify(card()?.blocks ?? []).includes("Send to agent"));
  const home = card();
  if (home === undefined) throw new Error("nothing stands there");
  await team.ana.presses(home, "★ Accept recommended");
  await team.ana.presses(home, "Send to agent");
}

it("is set up, looked at, asked and answered", async () => {
  await setUp();
  const doctor = await shop.run(["doctor", "--to", "#plans"]);
  expect(doctor.stdout).toMatch(/^slack acme \(bot askgate\)\n {2}✓ bot token/m);
  expect(doctor.stdout).not.toContain("✗");
  expect(doctor.code).toBe(0);
  const command = ask({});
  await answer();
  const { code, stdout, stderr } = await command.ended;
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ status: "submitted", by: "Ana", where: "slack" });
  expect(stderr).not.toContain("127.0.0.1:4");
  await slack.assertClean();
});

it("is kept over the bot's end", async () => {
  await setUp();
  await shop.run(["bot", "stop"]);
  const command = ask({});
  await answer();
  expect((await command.ended).code).toBe(0);
});

it("needs no setup where a project's .env has the tokens", async () => {
  const cwd = shop.project();
  const lines = Object.entries(tokens()).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(join(cwd, ".env"), lines.join(""));
  const command = ask({ cwd }, "--to", "@ana");
  await answer();
  expect((await command.ended).code).toBe(0);
});

it("says what is wrong with a token that Slack refuses", async () => {
  slack.expectError("auth.test", "invalid_auth");
  const env = { ...tokens(), SLACK_BOT_TOKEN: "xoxb-0-wrong-0123456789" };
  const setup = await shop.run(["setup", "slack"], { env });
  expect(setup.code).toBe(5);
  expect(setup.stderr).toContain("SLACK_BOT_TOKEN");
  const { code, stdout } = await ask({ env }, "--to", "#plans").ended;
  expect(code).toBe(5);
  expect(JSON.parse(stdout)).toMatchObject({ status: "unreachable", reason: /SLACK_BOT_TOKEN/ });
  expect(JSON.stringify([setup, stdout])).not.toContain("wrong-0123456789");
});
