import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { loadSettings, readEnvFile } from "../../src/cli/config.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "askgate-config-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const project = (): string => join(folder, "project");

/** Writes what the project and the user have set, and loads it. */
function load(files: { project?: unknown; user?: unknown; env?: Record<string, string> }) {
  mkdirSync(join(folder, "home", "askgate"), { recursive: true });
  mkdirSync(project(), { recursive: true });
  if (files.project !== undefined)
    writeFileSync(join(project(), "askgate.json"), JSON.stringify(files.project));
  if (files.user !== undefined) {
    writeFileSync(join(folder, "home", "askgate", "config.json"), JSON.stringify(files.user));
  }
  return loadSettings(project(), { XDG_CONFIG_HOME: join(folder, "home"), ...files.env });
}

describe("settings", () => {
  it("come from the environment, else the project, else the user", () => {
    const settings = load({
      user: { locale: "fr", timeout: "1h", via: ["web"], open: false },
      project: { locale: "es", timeout: "never" },
      env: { ASKGATE_LOCALE: "zh", ASKGATE_TO: "ana, ben" },
    });
    expect(settings).toMatchObject({
      locale: "zh",
      timeout: null,
      via: ["web"],
      open: false,
      to: ["ana", "ben"],
    });
  });

  it("are all optional", () => {
    expect(load({})).toMatchObject({ policy: {}, people: {} });
  });

  it("add up where they say who decides: the project cannot loosen what the user set", () => {
    const { policy } = load({
      user: { policy: { reviewers: ["ana"], quorum: 2, veto: true } },
      project: { policy: { reviewers: ["ben", "ana"], quorum: 1, veto: false, on_timeout: "fail" } },
    });
    expect(policy).toMatchObject({ reviewers: ["ana", "ben"], quorum: 2, veto: true, onTimeout: "fail" });
  });

  it.each([
    [{ colour: "red" }, "askgate.json: colour: unknown key"],
    [{ policy: { quorums: 1 } }, "askgate.json: policy.quorums: unknown key"],
    [{ timeout: 30 }, 'askgate.json: timeout: expected a time such as "30m", got number'],
    [
      { timeout: "soon" },
      'askgate.json: timeout wants a time such as 30m, 1800s, 2h, never or 0, got "soon"',
    ],
    [{ via: "web" }, 'askgate.json: via: expected a list of surfaces, got "web"'],
    [
      { via: ["web", "fax"] },
      'askgate.json: via[1]: expected one of web, terminal, slack, discord, got "fax"',
    ],
    [{ open: "no" }, 'askgate.json: open: expected true or false, got "no"'],
    [{ policy: { quorum: 0 } }, "askgate.json: policy.quorum: expected a whole number from 1, got number"],
    [{ people: { ana: "slack:U1" } }, 'askgate.json: people.ana: expected a list of texts, got "slack:U1"'],
    [{ asks: -1 }, "askgate.json: asks: expected a whole number from 0, got number"],
    [{ log: true }, "askgate.json: log: expected a text, got boolean"],
    [{ advice: { pending: "x" } }, "askgate.json: advice.pending: unknown key"],
    [{ advice: { timeout: "" } }, 'askgate.json: advice.timeout: expected a text, got ""'],
    [[], "askgate.json: <root>: expected an object, got a list"],
    [{ SLACK_BOT_TOKEN: "xoxb-1" }, "askgate.json: SLACK_BOT_TOKEN: unknown key"],
    [{ slack: "xoxb-1" }, "askgate.json: slack: expected a connection's id or name, got a token"],
    [
      { discord: "OTAwMDAwMDAwMDAwMDAwMDAx.Gabcde.0123456789-abcdef" },
      "askgate.json: discord: expected a connection's id or name, got a token",
    ],
  ])("%j is an error with file and path", (settings, said) => {
    expect(() => load({ project: settings })).toThrow(said);
  });

  it("choose the connection of a chat, a project's before the user's", () => {
    expect(load({ user: { slack: "acme" } }).connections).toEqual({ slack: "acme" });
    expect(load({ user: { slack: "acme" }, project: { slack: "T2" } }).connections).toEqual({ slack: "T2" });
    const env = { ASKGATE_SLACK: "beta" };
    expect(load({ project: { slack: "T2" }, env }).connections).toEqual({ slack: "beta" });
    const two = { ASKGATE_DISCORD: "900000000000000001" };
    expect(load({ project: { slack: "T2", discord: "askgate" }, env: two }).connections).toEqual({
      slack: "T2",
      discord: "900000000000000001",
    });
  });

  it("allow as many questions as the one that allows fewest", () => {
    expect(load({ user: { asks: 3 }, project: { asks: 5 }, env: { ASKGATE_ASKS: "4" } }).asks).toBe(3);
    expect(load({ user: {}, project: { asks: 0 }, env: { ASKGATE_ASKS: "4" } }).asks).toBe(0);
    expect(load({ user: {}, project: {} }).asks).toBeUndefined();
    expect(() => load({ env: { ASKGATE_ASKS: "many" } })).toThrow("ASKGATE_ASKS (environment): expected");
  });

  it("say what agents without an answer are told, a project's text before the user's", () => {
    const user = { advice: { timeout: "Decide.", declined: "Leave it." } };
    const project = { advice: { timeout: "Take the first." } };
    expect(load({ user, project }).advice).toEqual({ timeout: "Take the first.", declined: "Leave it." });
  });

  it("place the log from the project, or nowhere", () => {
    expect(load({ project: { log: "notes/qa.md" } }).log).toBe(join(project(), "notes", "qa.md"));
    expect(load({ user: { log: false }, project: {} }).log).toBe(false);
  });

  it("from the environment are checked as well", () => {
    expect(() => load({ env: { ASKGATE_VIA: "web,fax" } })).toThrow(
      "ASKGATE_VIA (environment)[1]: expected one of",
    );
  });
});

describe("a project's .env", () => {
  const read = (text: string, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => {
    mkdirSync(project());
    writeFileSync(join(project(), ".env"), text);
    return readEnvFile(project(), env);
  };

  it("sets what is not set", () => {
    const env = read("ASKGATE_LOCALE=fr\nASKGATE_SESSION='one two' # why\n", { ASKGATE_LOCALE: "es" });
    expect(env).toEqual({ ASKGATE_LOCALE: "es", ASKGATE_SESSION: "one two" });
  });

  it("names paths from the project on", () => {
    expect(read("ASKGATE_STATE_DIR=.state\n", {})).toEqual({ ASKGATE_STATE_DIR: join(project(), ".state") });
  });

  it("keeps tokens out of the environment of what a command starts", () => {
    expect(read("SLACK_BOT_TOKEN=xoxb-1\n", {})).toEqual({});
  });

  it("cannot choose the programs that a command starts", () => {
    expect(read("PATH=/tmp/evil\nBROWSER=evil\nNODE_OPTIONS=--require=evil\n", { PATH: "/bin" })).toEqual({
      PATH: "/bin",
    });
  });
});
