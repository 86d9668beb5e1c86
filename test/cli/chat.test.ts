import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { ACME, BETA, openTeams, type Team, type Teams } from "../doubles/teams.ts";
import { LOGIN } from "../support/login.ts";
import { type Ended, openWorkshop, press, type Running, type Workshop } from "./askgate.ts";
import { startBot } from "./own-bot.ts";

let shop: Workshop;
let teams: Teams;
beforeEach(async () => {
  shop = openWorkshop();
  teams = openTeams(ACME, BETA);
  const end = await startBot(shop.stateDir, teams.openChats);
  onTestFinished(async () => {
    await end();
    await shop.close();
  });
});

const tokensOf = ({ tokens: { bot, app } }: Team) => ({ SLACK_BOT_TOKEN: bot, SLACK_APP_TOKEN: app });

const ask = (flags: string[], env: Record<string, string> = {}, cwd = shop.project()): Running =>
  shop.start(["clarity", "up", "--no-open", ...flags], { input: JSON.stringify(LOGIN), cwd, env });

async function cancelled(command: Running): Promise<Ended> {
  const gate = await shop.gate();
  await press(gate, await command.round(), "cancel").finally(() => gate.close());
  return command.ended;
}

describe("a question with a chat's tokens", () => {
  it("is asked in the chat and not on the page", async () => {
    const ended = await cancelled(ask(["--to", "#plans"], tokensOf(ACME)));
    expect(ended.code).toBe(3);
    expect(ended.stderr).not.toContain("http://127.0.0.1");
    expect(teams.posts[0]).toBe("T1 #plans");
  });

  it("goes to the person who paired unless a place is named", async () => {
    const setup = shop.start(["setup", "slack", "--me", "U1"], { env: tokensOf(ACME) });
    await expect.poll(() => teams.asked).toEqual(["Ana"]);
    teams.press();
    await setup.ended;
    await cancelled(ask([]));
    expect(teams.posts[0]).toBe("T1 D1");
  });

  it("needs them once: the bot keeps the connection", async () => {
    await cancelled(ask(["--to", "#plans"], tokensOf(ACME)));
    await cancelled(ask(["--to", "#plans"]));
    await cancelled(ask(["--to", "#plans"], tokensOf(ACME)));
    expect(teams.tried).toEqual([ACME.tokens.bot]);
    expect(teams.posts.length).toBeGreaterThanOrEqual(3);
  });

  it("is asked in the team that the project chose", async () => {
    await shop.run(["setup", "slack"], { env: tokensOf(ACME) });
    await shop.run(["setup", "slack"], { env: tokensOf(BETA) });
    const cwd = shop.project();
    writeFileSync(join(cwd, "askgate.json"), JSON.stringify({ slack: "beta", to: ["#plans"] }));
    await cancelled(ask([], {}, cwd));
    expect(teams.posts[0]).toBe("T2 #plans");
  });

  it("that are refused reaches nobody: exit 5, and what to do", async () => {
    const ended = await ask(["--to", "#plans"], { ...tokensOf(ACME), SLACK_BOT_TOKEN: "xoxb-1-old" }).ended;
    expect(ended.code).toBe(5);
    expect(JSON.parse(ended.stdout)).toMatchObject({
      status: "unreachable",
      reason: expect.stringContaining("the tokens were refused"),
      help: "Copy both tokens again: askgate setup slack",
    });
    expect(ended.stderr).toContain("Copy both tokens again");
  });

  it("that are refused is asked elsewhere, and says so", async () => {
    const env = { ...tokensOf(ACME), SLACK_BOT_TOKEN: "xoxb-1-old" };
    const ended = await cancelled(ask(["--via", "slack,web", "--to", "#plans"], env));
    expect(ended.code).toBe(3);
    expect(ended.stderr).toContain("the tokens were refused");
    expect(ended.stderr).toContain("open http://127.0.0.1");
  });

  it("that are half set is a usage error, unless no chat is meant", async () => {
    const env = { SLACK_APP_TOKEN: ACME.tokens.app };
    const ended = await ask([], env).ended;
    expect(ended).toMatchObject({ code: 2, stdout: "" });
    expect(ended.stderr).toContain("SLACK_BOT_TOKEN is missing");
    expect((await cancelled(ask(["--via", "web"], env))).code).toBe(3);
  });
});

describe("a question without any chat", () => {
  it("is asked on the page", async () => {
    const ended = await cancelled(ask([]));
    expect(ended.stderr).toContain("open http://127.0.0.1");
    expect(teams.tried).toEqual([]);
  });

  it("that means one says how to begin: exit 5", async () => {
    const ended = await ask(["--via", "slack"]).ended;
    expect(ended.code).toBe(5);
    expect(ended.stderr).toContain("slack is not configured\nConnect: askgate setup slack");
  });
});

describe("bot status", () => {
  it("shows connections and no token", async () => {
    await shop.run(["setup", "slack"], { env: tokensOf(ACME) });
    const { stdout } = await shop.run(["bot", "status"]);
    expect(stdout).toMatch(/^slack +acme \(bot askgate\) T1 · connected · nobody paired$/m);
    const asData = await shop.run(["bot", "status", "--json"]);
    expect(JSON.parse(asData.stdout).connections).toEqual([
      { surface: "slack", connection: "T1", label: "acme (bot askgate)", me: null, works: true },
    ]);
    expect(stdout + asData.stdout).not.toMatch(/xoxb|xapp/);
  });
});
