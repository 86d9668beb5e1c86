import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { inviteLink } from "../../src/adapters/discord/invite.ts";
import { openDiscord } from "../../src/adapters/discord/surface.ts";
import { VAULT_FILE } from "../../src/adapters/shared/vault-file.ts";
import type { OpenChats } from "../../src/cli/compose.ts";
import { type Discord, type Guild, type Person, startDiscord } from "../doubles/discord/index.ts";
import { inTerminal, type Terminal } from "../e2e/pty.ts";
import { MAIN, openWorkshop, type Running, type Workshop } from "./askgate.ts";
import { startBot } from "./own-bot.ts";

let shop: Workshop;
let discord: Discord;
let acme: Guild;
let ana: Person;
beforeEach(async () => {
  shop = openWorkshop();
  discord = await startDiscord({ factor: Number.POSITIVE_INFINITY });
  acme = discord.guild({ id: "100", name: "acme" });
  ana = acme.person({ id: "501", name: "Ana" });
  const end = await startBot(shop.stateDir, openChats);
  onTestFinished(async () => {
    await end();
    await shop.close();
    await discord.stop();
  });
});

/** What is pasted by hand comes without an address. */
const openChats: OpenChats = (parts) => {
  const chat = openDiscord(parts);
  const connect = chat.connect.bind(chat);
  chat.connect = (credentials) => connect({ ...credentials, baseUrl: discord.apiUrl });
  return [chat];
};

const SETUP = ["setup", "discord"];
const token = () => ({ DISCORD_TOKEN: discord.token });

const sit = (flags = ""): Terminal =>
  inTerminal(`cd ${shop.project()} && exec ${process.execPath} ${MAIN} setup discord ${flags}`, shop.env());

const kept = (): string => readFileSync(join(shop.stateDir, VAULT_FILE), "utf8");

/** Ana presses the button that the bot sent her. */
async function pressed(): Promise<void> {
  await discord.until(() => ana.dm().messages().length > 0);
  const asked = ana.dm().messages().at(-1);
  if (asked === undefined) throw new Error("nobody asked Ana");
  await ana.presses(asked, "Yes, that is me");
}

describe("setup discord without a terminal", () => {
  it("and without a token says what to click and to set, and exits 2", async () => {
    const { code, stdout, stderr } = await shop.run(SETUP);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    for (const said of [
      "https://discord.com/developers/applications?new_application=true",
      "switch Message Content Intent on",
      "Reset Token",
      "set DISCORD_TOKEN in the environment or in .env",
    ])
      expect(stderr).toContain(said);
  });

  it("connects with the token of the environment, and pairs whom --me names", async () => {
    const command: Running = shop.start([...SETUP, "--me", "@ana", "--json"], { env: token() });
    await pressed();
    const { code, stdout, stderr } = await command.ended;
    expect(JSON.parse(stdout)).toEqual({
      surface: "discord",
      connection: discord.appId,
      label: "askgate",
      me: "Ana",
    });
    expect(code).toBe(0);
    for (const said of ["using DISCORD_TOKEN from the environment", "in acme", "paired with Ana", "--to me"])
      expect(stderr).toContain(said);
    expect(stdout + stderr).not.toContain(discord.token);
    const status = await shop.run(["bot", "status"]);
    expect(status.stdout).toMatch(/^discord +askgate 900000000000000001 · connected · paired with Ana$/m);
    await discord.assertClean();
  });

  it("shows the link where the bot is in no server, where nobody can be asked", async () => {
    acme.kicksBot();
    const alone = await shop.run(SETUP, { env: token() });
    expect(alone).toMatchObject({ code: 0, stdout: "" });
    expect(alone.stderr).toContain(
      `${inviteLink(discord.appId)}\nThen say who you are:  askgate setup discord`,
    );
    const asking = await shop.run([...SETUP, "--me", "@ana"], { env: token() });
    expect(asking).toMatchObject({ code: 2, stdout: "" });
    expect(asking.stderr).toContain("the bot is in no server yet: nobody can be asked\nLet it in");
    expect(kept()).toContain(discord.token);
  });

  it("with a token that is refused exits 5 and says what to do", async () => {
    discord.expectError("GET /users/@me", 401);
    const env = { DISCORD_TOKEN: `${discord.token.slice(0, -6)}secret` };
    const { code, stdout, stderr } = await shop.run(SETUP, { env });
    expect({ code, stdout }).toEqual({ code: 5, stdout: "" });
    expect(stderr).toContain("Discord does not know this token");
    expect(stderr).not.toContain("secret");
  });
});

describe("setup discord --invite", () => {
  const INVITE = [...SETUP, "--invite"];

  it("prints the link of the token's application and nothing else", async () => {
    const { code, stdout, stderr } = await shop.run(INVITE, { env: token() });
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: `${inviteLink(discord.appId)}\n`,
      stderr: "",
    });
    expect(discord.calls).toEqual([]);
  });

  it("or of the one that is connected; with none it exits 2", async () => {
    const none = await shop.run(INVITE);
    expect(none).toMatchObject({ code: 2, stdout: "" });
    expect(none.stderr).toContain("no application is known yet\nSet DISCORD_TOKEN");
    await shop.run(SETUP, { env: token() });
    expect((await shop.run(INVITE)).stdout).toBe(`${inviteLink(discord.appId)}\n`);
  });
});

describe("setup discord in a terminal", () => {
  it("goes from nothing to a paired person, and shows no token", async () => {
    acme.kicksBot();
    const here = sit();
    await here.see("New Application");
    await here.see("Paste the token here; it is not shown.");
    await here.see("the bot's token (three parts with dots between): ");
    here.type("a-client-secret-of-32-characters");
    await here.see("got a client secret");
    await here.see("the bot's token (three parts with dots between): ");
    here.type(discord.token);
    await here.see("connected: askgate");
    await here.see("not yet: the bot is in no server");
    await here.see(inviteLink(discord.appId));
    await here.see("Enter once it is in, s to do it later: ");
    here.type("");
    await here.see("not yet");
    await here.see("s to do it later: ");
    acme.invitesBot();
    here.type("");
    await here.see("in acme");
    await here.see("Who are you in Discord? @name or id");
    here.type("@ana");
    await here.see("Press the button that the bot just sent Ana in Discord");
    await pressed();
    await here.see("paired with Ana");
    await here.see("askgate clarity up --input examples/login.json --to me");
    expect(await here.ended).toBe(0);
    for (const secret of [discord.token, "a-client-secret"]) expect(here.raw()).not.toContain(secret);
    await discord.assertClean();
  });

  it("asks for the token again once the intent is switched on", async () => {
    discord.grants({ messageContent: false });
    const here = sit();
    await here.see("the bot's token");
    here.type(discord.token);
    await here.see("Message Content Intent is switched off");
    await here.see(`applications/${discord.appId}/bot`);
    await here.see("the bot's token");
    discord.grants({ messageContent: true });
    here.type(discord.token);
    await here.see("connected: askgate");
    await here.see("Who are you in Discord?");
    here.press("\x03");
    expect(await here.ended).toBe(130);
  });

  it("lets one put the server off, and asks nobody before", async () => {
    acme.kicksBot();
    const here = sit();
    await here.see("the bot's token");
    here.type(discord.token);
    await here.see("s to do it later: ");
    here.type("s");
    await here.see("Then say who you are:  askgate setup discord");
    expect(await here.ended).toBe(0);
    expect(here.raw()).not.toContain("Who are you");
  });

  it("says why somebody cannot be asked, and asks again", async () => {
    await shop.run(SETUP, { env: token() });
    ana.closesDms();
    discord.expectError("POST /channels/:channel/messages", 50007);
    const here = sit();
    await here.see("1  askgate · nobody paired");
    here.type("1");
    await here.see("Who are you in Discord?");
    here.type("@nobody");
    await here.see("@nobody");
    await here.see("Who are you in Discord?");
    here.type("@ana");
    await here.see("take no direct messages");
    await here.see("Who are you in Discord?");
    ana.closesDms(false);
    here.type("@ana");
    await here.see("Press the button");
    await pressed();
    await here.see("paired with Ana");
    expect(await here.ended).toBe(0);
  });
});
