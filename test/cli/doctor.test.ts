import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { openDiscord } from "../../src/adapters/discord/surface.ts";
import { type Discord, startDiscord } from "../doubles/discord/index.ts";
import { ACME, BETA, openTeams } from "../doubles/teams.ts";
import { openWorkshop, type Workshop } from "./askgate.ts";
import { startBot } from "./own-bot.ts";

let shop: Workshop;
let discord: Discord;
beforeEach(async () => {
  shop = openWorkshop();
  discord = await startDiscord({ factor: Number.POSITIVE_INFINITY });
  discord.guild({ id: "100", name: "acme" }).channel({ id: "201", name: "plans" });
  const teams = openTeams(ACME, BETA);
  const end = await startBot(shop.stateDir, (parts) => [...teams.openChats(parts), openDiscord(parts)]);
  onTestFinished(async () => {
    await end();
    await shop.close();
    await discord.stop();
  });
});

const tokens = ({ tokens: { bot, app } }: typeof ACME) => ({ SLACK_BOT_TOKEN: bot, SLACK_APP_TOKEN: app });

describe("doctor", () => {
  it("without any chat says how to begin: exit 0", async () => {
    const { code, stdout, stderr } = await shop.run(["doctor"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^askgate\n {2}✓ version +\d/);
    for (const name of ["state directory", "disk", "settings", "bot", "page"])
      expect(stdout).toMatch(new RegExp(`^ {2}✓ ${name} +\\S`, "m"));
    expect(stdout).toMatch(
      /^ {2}– connections +none: .*\n {6}Connect one: askgate setup slack, or askgate setup discord$/m,
    );
  });

  it("connects this project's tokens and has the bot look at the connection", async () => {
    const { code, stdout } = await shop.run(["doctor", "--to", "#plans"], { env: tokens(ACME) });
    expect(code).toBe(0);
    expect(stdout).toMatch(/ {2}✓ slack tokens +from the environment: acme/);
    expect(stdout).toMatch(/^slack acme \(bot askgate\)\n {2}✓ bot token .*\n {2}– direct messages /m);
    expect(stdout).toMatch(/ {2}✓ #plans +the bot is a member\n$/);
  });

  it("looks at each chat, with the places that are meant for it", async () => {
    const env = { ...tokens(ACME), DISCORD_TOKEN: discord.token, DISCORD_API_URL: discord.apiUrl };
    const { code, stdout } = await shop.run(["doctor", "--to", "slack:#plans", "--to", "discord:#plans"], {
      env,
    });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^slack acme \(bot askgate\)\n[\s\S]* {2}✓ #plans +the bot is a member\n/m);
    expect(stdout).toMatch(/^discord askgate\n[\s\S]* {2}✓ #plans +all 7 permissions\n/m);
    expect(stdout.match(/#plans +/g)).toHaveLength(2);
    await discord.assertClean();
  });

  it("goes on with one chat where the other's tokens are wrong", async () => {
    const env = { ...tokens(ACME), DISCORD_TOKEN: "a-client-secret-of-32-characters" };
    const { code, stdout } = await shop.run(["doctor"], { env });
    expect(code).toBe(5);
    expect(stdout).toMatch(/ {2}✓ slack tokens +from the environment: acme/);
    expect(stdout).toMatch(/ {2}✗ discord tokens +DISCORD_TOKEN .* got a client secret$/m);
  });

  it("says what to do below what failed: exit 5", async () => {
    const { code, stdout } = await shop.run(["doctor", "--to", "#secret"], { env: tokens(ACME) });
    expect(code).toBe(5);
    expect(stdout).toMatch(/ {2}✗ #secret +not found\n {6}\/invite @askgate\n$/);
  });

  it("gives the list as JSON, and looks at the project's places on its own connection only", async () => {
    await shop.run(["setup", "slack"], { env: tokens(ACME) });
    await shop.run(["setup", "slack"], { env: tokens(BETA) });
    const cwd = shop.project();
    writeFileSync(
      join(cwd, "askgate.json"),
      JSON.stringify({ slack: "beta", to: ["slack:#plans", "discord:#x"] }),
    );
    const { code, stdout } = await shop.run(["doctor", "--json"], { cwd });
    expect(code).toBe(0);
    const places = JSON.parse(stdout).filter(({ name }: { name: string }) => name.startsWith("#"));
    expect(places).toEqual([
      {
        about: "slack beta (bot askgate)",
        name: "#plans",
        state: "ok",
        detail: expect.any(String),
        help: "",
      },
    ]);
  });

  it("names mistakes in tokens and settings, and goes on", async () => {
    const cwd = shop.project();
    writeFileSync(join(cwd, "askgate.json"), JSON.stringify({ colour: "red" }));
    const env = { SLACK_BOT_TOKEN: ACME.tokens.bot };
    const { code, stdout } = await shop.run(["doctor"], { cwd, env });
    expect(code).toBe(5);
    expect(stdout).toMatch(/✗ settings +.*colour: unknown key/);
    expect(stdout).toMatch(/✗ slack tokens +SLACK_APP_TOKEN is missing/);
    expect(stdout).toContain("✓ page");
  });

  it("says that the tokens are refused", async () => {
    const env = { ...tokens(ACME), SLACK_BOT_TOKEN: "xoxb-1-old" };
    const { code, stdout } = await shop.run(["doctor"], { env });
    expect(code).toBe(5);
    expect(stdout).toMatch(/✗ slack tokens +the tokens were refused.*\n {6}Copy both tokens again/);
  });
});
