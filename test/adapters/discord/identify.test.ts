import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { identify } from "../../../src/adapters/discord/identify.ts";
import { AskgateError } from "../../../src/core/error.ts";
import { type Discord, startDiscord } from "../../doubles/discord/index.ts";

let discord: Discord;
const logged: string[] = [];
const note = (message: string): void => void logged.push(message);
const parts = { log: { info: note, warn: note, error: note } };
beforeEach(async () => {
  logged.length = 0;
  discord = await startDiscord();
  onTestFinished(() => discord.stop());
});

const given = (bot = discord.token) =>
  ({ surface: "discord", tokens: { bot }, baseUrl: discord.apiUrl }) as const;

/** Why it was refused, and what to do. */
async function refusal(token?: string): Promise<string> {
  const error: unknown = await identify(given(token), parts).catch((reason) => reason);
  if (!(error instanceof AskgateError)) throw new Error("it was taken");
  expect(error.code).toBe("connection_refused");
  return `${error.message}\n${error.help}`;
}

describe("a token", () => {
  it("tells the application, its bot, and what is kept of them", async () => {
    expect(await identify(given(), parts)).toEqual({
      connection: discord.appId,
      kept: {
        credentials: given(),
        label: "askgate",
        about: { app: discord.appId, botUser: discord.bot.id, name: "askgate" },
        me: null,
      },
    });
    await discord.assertClean();
  });

  it("has the command registered, once however often it is set up", async () => {
    await identify(given(), parts);
    await identify(given(), parts);
    const ana = discord.guild({ id: "100", name: "acme" }).person({ id: "501", name: "Ana" });
    await expect(ana.runs("askgate lists", ana.dm())).rejects.toThrow("/askgate has no lists");
    await discord.assertClean();
  });

  it("is taken all the same where the command cannot be registered", async () => {
    discord.expectError("POST /applications/:app/commands", 30032);
    discord.fail("POST /applications/:app/commands", { status: 400, code: 30032 });
    expect((await identify(given(), parts)).connection).toBe(discord.appId);
    expect(logged).toContain("the command is not registered");
  });
});

describe("a token is refused", () => {
  it("that Discord does not know", async () => {
    discord.expectError("GET /users/@me", 401);
    const said = await refusal(`${discord.token.slice(0, -6)}secret`);
    expect(said).toMatch(/^DISCORD_TOKEN: Discord does not know this token\nResetting .* Bot · Reset Token$/);
    expect(JSON.stringify([said, logged])).not.toContain("secret");
  });

  it("whose application may not read what people write", async () => {
    discord.grants({ messageContent: false });
    const said = await refusal();
    expect(said).toContain("askgate: Message Content Intent is switched off\n");
    expect(said).toContain(`https://discord.com/developers/applications/${discord.appId}/bot`);
  });

  it("while Discord does not answer", async () => {
    discord.fail("GET /users/@me", { http: 503 });
    expect(await refusal()).toContain("DISCORD_TOKEN: Discord does not answer");
  });
});
