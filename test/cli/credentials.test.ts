import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { readCredentials } from "../../src/cli/credentials.ts";
import { temporaryFolder } from "../support/folder.ts";

let project = "";
beforeEach(() => {
  project = temporaryFolder();
});

const BOT = "xoxb-1-bot-secret";
const APP = "xapp-1-app-secret";
const DISCORD = "OTAwMDAwMDAwMDAwMDAwMDAx.Gabcde.long-secret_long-secret";
const both = { SLACK_BOT_TOKEN: BOT, SLACK_APP_TOKEN: APP };

/** What a command finds with this environment and this `.env`. */
function read(env: Record<string, string>, file?: Record<string, string>) {
  const lines = Object.entries(file ?? {}).map(([name, value]) => `${name}=${value}\n`);
  if (file !== undefined) writeFileSync(join(project, ".env"), lines.join(""));
  return readCredentials(project, env);
}

/** What is said instead, without any secret. */
function mistake(env: Record<string, string>, file?: Record<string, string>): string {
  try {
    read(env, file);
  } catch (error) {
    if (!(error instanceof Error && "advice" in error)) throw error;
    const said = `${error.message}\n${error.advice}`.replaceAll(join(project, ".env"), ".env");
    expect(said.replace("a client secret", "")).not.toMatch(/secret/);
    return said;
  }
  throw new Error("it was taken");
}

const slack = (more: object = {}) => [
  { surface: "slack", tokens: { bot: BOT, app: APP }, baseUrl: null, source: "the environment", ...more },
];

describe("credentials", () => {
  it("are none where nothing is set, or set to nothing", () => {
    expect(read({})).toEqual([]);
    expect(read({ SLACK_BOT_TOKEN: "", SLACK_APP_TOKEN: " " }, { SLACK_API_URL: "" })).toEqual([]);
  });

  it("come from the environment, else from the project's .env", () => {
    expect(read(both)).toEqual(slack());
    expect(read({}, both)).toEqual(slack({ source: join(project, ".env") }));
  });

  it("of a chat that is not meant are not looked at, nor are their mistakes", () => {
    const env = { ...both, DISCORD_TOKEN: "secret" };
    expect(readCredentials(project, env, ["slack", "web"])).toEqual(slack());
    expect(readCredentials(project, env, ["web"])).toEqual([]);
  });

  it("of the environment win as a whole", () => {
    const other = { SLACK_BOT_TOKEN: "xoxb-2-other", SLACK_APP_TOKEN: "xapp-2-other" };
    expect(read(both, other)).toEqual(slack());
    expect(read(both, { SLACK_BOT_TOKEN: "xoxb-2-other" })).toEqual(slack());
    expect(read(both, { ...other, SLACK_API_URL: "https://evil.example/api/" })).toEqual(slack());
  });

  it("bring an address from the same place", () => {
    const SLACK_API_URL = "http://127.0.0.1:4000/api/";
    expect(read({ ...both, SLACK_API_URL })).toEqual(slack({ baseUrl: SLACK_API_URL }));
    expect(read({}, { ...both, SLACK_API_URL })).toMatchObject([{ baseUrl: SLACK_API_URL }]);
  });

  it("of two chats are two sets, each from its own place", () => {
    const DISCORD_API_URL = "http://127.0.0.1:4000/api";
    expect(read(both, { DISCORD_TOKEN: DISCORD, DISCORD_API_URL })).toEqual([
      ...slack(),
      {
        surface: "discord",
        tokens: { bot: DISCORD },
        baseUrl: DISCORD_API_URL,
        source: join(project, ".env"),
      },
    ]);
  });

  it("lose what a shell left around them", () => {
    expect(read({ ...both, SLACK_BOT_TOKEN: ` ${BOT}\n` })).toEqual(slack());
  });
});

describe("a mistake in credentials", () => {
  it("is an address without tokens from the same place", () => {
    const SLACK_API_URL = "https://evil.example/api/";
    const said = /SLACK_API_URL is set in .* without tokens\nAn address counts only together with tokens/;
    expect(mistake({ SLACK_API_URL })).toMatch(said);
    expect(mistake(both, { SLACK_API_URL })).toMatch(said);
    expect(mistake({ SLACK_API_URL }, both)).toMatch(said);
    expect(mistake({ DISCORD_TOKEN: DISCORD }, { DISCORD_API_URL: SLACK_API_URL })).toContain(
      "DISCORD_API_URL is set in .env without tokens",
    );
  });

  it("is an address that is none", () => {
    expect(mistake({ ...both, SLACK_API_URL: "slack.com:443" })).toContain("expected an address such as");
    expect(mistake({ DISCORD_TOKEN: DISCORD, DISCORD_API_URL: "discord.com" })).toContain(
      "expected an address such as https://discord.com/api",
    );
  });

  it("is one token without the other, and says where that one comes from", () => {
    expect(mistake({ SLACK_BOT_TOKEN: BOT })).toContain(
      "SLACK_APP_TOKEN is missing: SLACK_BOT_TOKEN comes from the environment",
    );
    expect(mistake({}, { SLACK_APP_TOKEN: APP })).toContain(
      "SLACK_BOT_TOKEN is missing: SLACK_APP_TOKEN comes from .env",
    );
    expect(mistake({ SLACK_BOT_TOKEN: BOT }, { SLACK_APP_TOKEN: APP })).toContain(
      "the one in .env belongs to another set",
    );
  });

  it("is a pair that is swapped", () => {
    expect(mistake({ SLACK_BOT_TOKEN: APP, SLACK_APP_TOKEN: BOT })).toBe(
      "SLACK_BOT_TOKEN and SLACK_APP_TOKEN in the environment are swapped\n" +
        "Swap them: SLACK_BOT_TOKEN takes xoxb-…, SLACK_APP_TOKEN takes xapp-….",
    );
  });

  it.each([
    [{ ...both, SLACK_APP_TOKEN: BOT }, "SLACK_APP_TOKEN", "got Slack's bot token", "Basic Information"],
    [{ ...both, SLACK_BOT_TOKEN: "xoxp-1-secret" }, "SLACK_BOT_TOKEN", "got Slack's user token", "OAuth"],
    [{ ...both, SLACK_BOT_TOKEN: DISCORD }, "SLACK_BOT_TOKEN", "got the token of a Discord bot", "OAuth"],
    [{ ...both, SLACK_BOT_TOKEN: "secret" }, "SLACK_BOT_TOKEN", "got something else", "OAuth"],
    [{ ...both, SLACK_BOT_TOKEN: "xoxb-a secret" }, "SLACK_BOT_TOKEN", "got something else", "OAuth"],
    [{ DISCORD_TOKEN: `Bot ${DISCORD}` }, "DISCORD_TOKEN", 'one with "Bot" before it: leave', "Reset Token"],
    [{ DISCORD_TOKEN: "a-client-secret-of-32-characters" }, "DISCORD_TOKEN", "got a client secret", "Reset"],
    [{ DISCORD_TOKEN: "0f".repeat(32) }, "DISCORD_TOKEN", "got a public key", "Reset Token"],
    [{ DISCORD_TOKEN: "900000000000000001" }, "DISCORD_TOKEN", "got an application's id", "Reset Token"],
    [{ DISCORD_TOKEN: BOT }, "DISCORD_TOKEN", "got Slack's bot token", "Reset Token"],
    [{ DISCORD_TOKEN: "secret.secret" }, "DISCORD_TOKEN", "got something else", "Reset Token"],
  ])("is a token of another kind", (env, name, got, where) => {
    const said = mistake(env);
    for (const part of [`${name} in the environment: expected `, got, where]) expect(said).toContain(part);
  });
});
