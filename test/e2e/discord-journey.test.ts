/** From nothing to an answer in Discord: commands and bot as processes, Discord as a server that says no. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { openWorkshop, type Running, type Workshop } from "../cli/askgate.ts";
import { type Channel, type Discord, startDiscord } from "../doubles/discord/index.ts";
import { people } from "../support/discord-stage.ts";
import { LOGIN } from "../support/login.ts";
import { until } from "../support/until.ts";

let shop: Workshop;
let discord: Discord;
let team: ReturnType<typeof people>;
beforeEach(async () => {
  discord = await startDiscord({ factor: 50 });
  team = people(discord);
  shop = openWorkshop();
  onTestFinished(async () => {
    await shop.close();
    await discord.stop();
  });
});

const token = () => ({ DISCORD_TOKEN: discord.token, DISCORD_API_URL: discord.apiUrl });

/** `setup discord`, and Ana presses the button that she gets. */
async function setUp(): Promise<void> {
  const command = shop.start(["setup", "discord", "--me", "@ana"], { env: token() });
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

/** Ana answers what stands last in a channel. */
async function answer(channel: Channel): Promise<void> {
  const card = () => channel.messages().at(-1);
  await discord.until(() => {
    const last = card();
    return last !== undefined && channel.picture(last).includes("Send to agent");
  });
  const home = card();
  if (home === undefined) throw new Error("nothing stands there");
  await team.ana.presses(home, "★ Accept recommended");
  await team.ana.presses(home, "Send to agent");
}

it("is set up, looked at, asked and answered", async () => {
  await setUp();
  const doctor = await shop.run(["doctor", "--to", "#plans"]);
  expect(doctor.stdout).toMatch(/^discord askgate\n {2}✓ bot token/m);
  expect(doctor.stdout).not.toContain("✗");
  expect(doctor.code).toBe(0);
  const command = ask({});
  await answer(team.ana.dm());
  const { code, stdout, stderr } = await command.ended;
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ status: "submitted", by: "Ana", where: "discord" });
  expect(stderr).toMatch(/asked Ana in Discord https:\/\/discord\.com\/channels\/@me\//);
  expect(stderr).not.toContain("127.0.0.1:4");
  await discord.assertClean();
});

it("is asked and answered in a channel", async () => {
  await setUp();
  const command = ask({}, "--to", "#plans");
  await answer(team.plans);
  const { code, stderr } = await command.ended;
  expect(code).toBe(0);
  expect(stderr).toContain("asked #plans in Discord");
  await discord.assertClean();
});

it("is kept over the bot's end", async () => {
  await setUp();
  await shop.run(["bot", "stop"]);
  const command = ask({});
  await answer(team.ana.dm());
  expect((await command.ended).code).toBe(0);
});

it("needs no setup where a project's .env has the token", async () => {
  const cwd = shop.project();
  const lines = Object.entries(token()).map(([name, value]) => `${name}=${value}\n`);
  writeFileSync(join(cwd, ".env"), lines.join(""));
  const command = ask({ cwd }, "--to", "@ana");
  await answer(team.ana.dm());
  expect((await command.ended).code).toBe(0);
});

it("says what is wrong with a token that Discord refuses", async () => {
  discord.expectError("GET /users/@me", 401);
  const env = { ...token(), DISCORD_TOKEN: `${discord.token.slice(0, -6)}secret` };
  const setup = await shop.run(["setup", "discord"], { env });
  expect(setup.code).toBe(5);
  expect(setup.stderr).toContain("DISCORD_TOKEN");
  const { code, stdout } = await ask({ env }, "--to", "#plans").ended;
  expect(code).toBe(5);
  expect(JSON.parse(stdout)).toMatchObject({
    status: "unreachable",
    reason: expect.stringContaining("DISCORD_TOKEN"),
  });
  expect(JSON.stringify([setup, stdout])).not.toContain("secret");
});
