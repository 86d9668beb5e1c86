import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { VAULT_FILE } from "../../src/adapters/shared/vault-file.ts";
import { manifest } from "../../src/adapters/slack/manifest.ts";
import { ACME, BETA, openTeams, type Teams } from "../doubles/teams.ts";
import { inTerminal, type Terminal } from "../e2e/pty.ts";
import { until } from "../support/until.ts";
import { MAIN, openWorkshop, type Workshop } from "./askgate.ts";
import { startBot } from "./own-bot.ts";

let shop: Workshop;
let teams: Teams;
let end: () => Promise<void>;
beforeEach(async () => {
  shop = openWorkshop();
  teams = openTeams(ACME, BETA);
  end = await startBot(shop.stateDir, teams.openChats);
  onTestFinished(async () => {
    await end();
    await shop.close();
  });
});

const SETUP = ["setup", "slack"];
const tokens = { SLACK_BOT_TOKEN: ACME.tokens.bot, SLACK_APP_TOKEN: ACME.tokens.app };

/** `askgate setup slack` in a terminal of its own. */
const sit = (flags = ""): Terminal =>
  inTerminal(`cd ${shop.project()} && exec ${process.execPath} ${MAIN} setup slack ${flags}`, shop.env());

const kept = (): string => readFileSync(join(shop.stateDir, VAULT_FILE), "utf8");

describe("setup slack without a terminal", () => {
  it("and without tokens shows the manifest, says what to set, and exits 2", async () => {
    const { code, stdout, stderr } = await shop.run(SETUP);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(JSON.stringify(manifest("askgate"), null, 2));
    for (const said of ["api.slack.com/apps?new_app=1", "connections:write", "SLACK_APP_TOKEN", "/invite"])
      expect(stderr).toContain(said);
  });

  it("--manifest prints the manifest and nothing else", async () => {
    const { code, stdout, stderr } = await shop.run([...SETUP, "--manifest", "--name", "askgate-ana"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(manifest("askgate-ana"))));
    expect((await shop.run([...SETUP, "--manifest", "--name", "Ask Gate"])).code).toBe(2);
  });

  it("connects with the tokens of the environment, and pairs whom --me names", async () => {
    const command = shop.start([...SETUP, "--me", "ana@acme.example", "--json"], { env: tokens });
    await until(() => teams.asked.length === 1);
    teams.press();
    const { code, stdout, stderr } = await command.ended;
    expect(JSON.parse(stdout)).toEqual({
      surface: "slack",
      connection: "T1",
      label: "acme (bot askgate)",
      me: "Ana",
    });
    expect(code).toBe(0);
    for (const said of [
      "SLACK_BOT_TOKEN and SLACK_APP_TOKEN from the environment",
      "paired with Ana",
      "--to me",
    ])
      expect(stderr).toContain(said);
  });

  it("connects with the tokens of the project's .env", async () => {
    const cwd = shop.project();
    const lines = Object.entries(tokens).map(([name, value]) => `${name}=${value}\n`);
    writeFileSync(join(cwd, ".env"), lines.join(""));
    const { code, stdout, stderr } = await shop.run(SETUP, { cwd });
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
    expect(stderr).toContain(`from ${join(cwd, ".env")}`);
    expect(stderr).toContain("connected: acme (bot askgate)");
    expect(kept()).toContain(ACME.tokens.bot);
  });

  it("with tokens that are refused exits 5 and says what to do", async () => {
    const env = { ...tokens, SLACK_BOT_TOKEN: "xoxb-1-old" };
    const { code, stdout, stderr } = await shop.run(SETUP, { env });
    expect({ code, stdout }).toEqual({ code: 5, stdout: "" });
    expect(stderr).toContain("Copy both tokens again");
  });

  it("pairs on the connection that is there, if there is one", async () => {
    const none = await shop.run([...SETUP, "--me", "@ana"]);
    expect(none).toMatchObject({ code: 2, stdout: "" });
    expect(none.stderr).toContain("nothing is connected yet\nSet SLACK_BOT_TOKEN and SLACK_APP_TOKEN");
    await shop.run(SETUP, { env: tokens });
    const command = shop.start([...SETUP, "--me", "@ana"]);
    await until(() => teams.asked.length === 1);
    teams.press();
    expect((await command.ended).stderr).toContain("paired with Ana");
  });

  it("whose person is not found exits 2, connected all the same", async () => {
    const { code, stderr } = await shop.run([...SETUP, "--me", "@nobody"], { env: tokens });
    expect(code).toBe(2);
    expect(stderr).toContain("nobody in Slack is @nobody");
    expect(kept()).toContain(ACME.tokens.bot);
  });
});

describe("setup slack in a terminal", () => {
  it("goes from nothing to a paired person, and shows no token", async () => {
    const here = sit();
    await here.see("1 or 2 (1): ");
    here.type("2");
    await here.see('"display_name": "askgate"');
    await here.see("Paste the two tokens here");
    await here.see("the bot token (xoxb-…): ");
    here.type(ACME.tokens.bot);
    await here.see("the app-level token (xapp-…): ");
    here.type(ACME.tokens.app);
    await here.see("connected: acme (bot askgate)");
    await here.see("Who are you in Slack?");
    here.type("@ana");
    await here.see("Press the button that the bot just sent Ana in Slack");
    teams.press();
    await here.see("paired with Ana");
    await here.see("askgate clarity up --input examples/login.json --to me");
    expect(await here.ended).toBe(0);
    for (const token of Object.values(ACME.tokens)) expect(here.raw()).not.toContain(token);
  });

  it("takes both tokens pasted at once, asks again for what is wrong, and lets one skip pairing", async () => {
    const here = sit("--name askgate-ana");
    await here.see("the bot token (xoxb-…): ");
    here.type(ACME.tokens.app);
    await here.see("got Slack's app-level token");
    await here.see("the bot token (xoxb-…): ");
    here.press(`xoxb-1-old\r${ACME.tokens.app}\r`);
    await here.see("Copy both tokens again");
    await here.see("the bot token (xoxb-…): ");
    here.press(`${ACME.tokens.bot}\r${ACME.tokens.app}\r`);
    await here.see("connected: acme");
    await here.see("Who are you in Slack?");
    here.type("@nobody");
    await here.see("nobody in Slack is @nobody");
    await here.see("Who are you in Slack?");
    here.type("");
    await here.see("--to '#channel'");
    expect(await here.ended).toBe(0);
    expect(here.raw()).not.toMatch(/xoxb-1|xapp-1/);
  });

  it("opens the page of the new app, the manifest filled in, where there is a browser", async () => {
    const bin = shop.project();
    const opener = join(bin, "xdg-open");
    writeFileSync(opener, `#!/bin/sh\nprintf %s "$1" > ${bin}/opened\n`, { mode: 0o755 });
    const command = `${process.execPath} ${MAIN} setup slack --name askgate-ana`;
    const env = shop.env({ DISPLAY: ":0", PATH: `${bin}:${process.env.PATH}` });
    const here = inTerminal(`cd ${shop.project()} && exec ${command}`, env);
    await here.see("Open step 1 in the browser, the manifest filled in? (Y/n): ");
    here.type("");
    const opened = await until(() => new URL(readFileSync(join(bin, "opened"), "utf8")));
    expect(opened.origin + opened.pathname).toBe("https://api.slack.com/apps");
    expect(opened.searchParams.get("manifest_json")).toBe(JSON.stringify(manifest("askgate-ana")));
    await here.see("the bot token (xoxb-…): ");
    here.press("\x03");
    expect(await here.ended).toBe(130);
  });

  it("offers what is connected already, to say who one is", async () => {
    await shop.run(SETUP, { env: tokens });
    const here = sit();
    await here.see("1  acme (bot askgate) · nobody paired");
    here.type("");
    await here.see("Who are you in Slack?");
    here.type("U1");
    await here.see("Press the button");
    teams.press();
    await here.see("paired with Ana");
    expect(await here.ended).toBe(0);
    const again = sit();
    await again.see("paired with Ana");
    again.type("n");
    await again.see("1 or 2 (1): ");
    again.press("\x03");
    expect(await again.ended).toBe(130);
  });

  it.each([
    ["\x03", 130, ""],
    ["\x04", 2, "you left before it was done"],
  ])("ends on %j, the terminal as it was", async (key, code, said) => {
    const shell = `${process.execPath} ${MAIN} setup slack --name x; code=$?; stty -a | grep -o ' -\\?echo ' ; exit $code`;
    const here = inTerminal(`cd ${shop.project()}; ${shell}`, shop.env());
    await here.see("the bot token (xoxb-…): ");
    here.press(key);
    await here.see(said);
    await here.see(" echo ");
    expect(await here.ended).toBe(code);
  });

  it("ends on ^C while it waits for the button", async () => {
    await shop.run(SETUP, { env: tokens });
    const here = sit("--me @ana");
    await here.see("Connected already");
    here.type("1");
    await here.see("Press the button");
    here.press("\x03");
    expect(await here.ended).toBe(130);
  });
});
