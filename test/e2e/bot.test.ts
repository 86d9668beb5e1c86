/** The bot as a process: started by commands, killed, replaced, asked how it is. Runs what `npm run build` made. */
import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Readable } from "node:stream";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { type Client, connect, type Health } from "../../src/adapters/link/client.ts";
import { recordedSocket } from "../../src/adapters/link/paths.ts";
import { runBot } from "../../src/cli/bot.ts";
import { sessionIdOf } from "../../src/core/round.ts";
import { planRequest, press } from "../adapters/link/support.ts";
import { manualClock } from "../doubles/manual-clock.ts";
import { temporaryFolder } from "../support/folder.ts";
import { installAs } from "../support/release.ts";
import { until } from "../support/until.ts";

const MAIN = resolve("dist/main.js");
let stateDir = "";

beforeEach(() => {
  stateDir = join(temporaryFolder(), "state");
  mkdirSync(stateDir, { mode: 0o700 });
  onTestFinished(endBot);
});

interface Options {
  main?: string;
  input?: unknown;
  env?: Record<string, string>;
  stdio?: StdioOptions;
}

interface Command {
  child: ChildProcess;
  /** The round that it said it waits for. */
  round(): Promise<string>;
  ended: Promise<{ code: number | null; stdout: string; stderr: string }>;
}

function askgate(args: string[], { main = MAIN, input, env = {}, stdio = "pipe" }: Options = {}): Command {
  const child = spawn(process.execPath, [main, ...args], {
    stdio,
    cwd: temporaryFolder(),
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ASKGATE_STATE_DIR: stateDir, ...env },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  child.stdin?.end(input === undefined ? "" : JSON.stringify(input));
  const out = collect(child.stdout);
  const err = collect(child.stderr);
  const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((done) =>
    child.once("close", (code) => done({ code, stdout: out.text, stderr: err.text })),
  );
  return { child, round: () => until(() => /r_[\w-]+/.exec(err.text)?.[0] ?? false), ended };
}

function collect(stream: Readable | null): { text: string } {
  const collected = { text: "" };
  stream?.setEncoding("utf8").on("data", (text: string) => {
    collected.text += text;
  });
  return collected;
}

const askPlan = (title: string, options: Options = {}): Command =>
  askgate(["plan", "up", "--no-open", "--via", "web"], { input: { title, plan: "Do it." }, ...options });

async function person(): Promise<Client> {
  const client = await connect({ stateDir, start: false });
  onTestFinished(() => client.close());
  return client;
}

const approve = async (round: string): Promise<void> => press(await person(), sessionIdOf(round), "approve");

const healthOf = (): Promise<Health> => until(async () => (await person()).health());

const killed = async (signal: NodeJS.Signals): Promise<Health> => {
  const health = await healthOf();
  process.kill(health.pid, signal);
  await until(() => !isAlive(health.pid));
  return health;
};

/** Whatever bot a test left, however it can be reached. */
function endBot(): void {
  for (const name of readdirSync(stateDir).filter((file) => file.startsWith("lock-"))) {
    const { pid }: { pid: number } = JSON.parse(readFileSync(join(stateDir, name), "utf8"));
    if (pid !== process.pid && isAlive(pid)) process.kill(pid, "SIGKILL");
  }
}

const isAlive = (pid: number): boolean => {
  try {
    return !/\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
};

const logged = (message: string): number =>
  readFileSync(join(stateDir, "bot.log"), "utf8").split(`"msg":"${message}"`).length - 1;

describe("starting", () => {
  test("commands that come at once share one bot", async () => {
    const commands = ["One", "Two", "Three", "Four"].map((title) => askPlan(title));
    const rounds = await Promise.all(commands.map((command) => command.round()));
    expect(await healthOf()).toMatchObject({ openRounds: 4, waiting: 4 });
    expect(logged("ready")).toBe(1);
    await Promise.all(rounds.map(approve));
    for (const { ended } of commands) expect((await ended).code).toBe(0);
  });

  test("bots that are started at once leave one running, also after it was killed", async () => {
    for (const ready of [1, 2]) {
      const bots = Array.from({ length: 3 }, () => askgate(["bot", "run"]));
      const refused = await until(() => {
        const gone = bots.filter(({ child }) => child.exitCode !== null);
        return gone.length === 2 && gone;
      });
      for (const { ended } of refused)
        expect(await ended).toMatchObject({ code: 2, stderr: expect.stringMatching(/running already/) });
      await until(() => logged("ready") === ready);
      await killed("SIGKILL");
    }
  });

  test("nothing of the command stays open in the bot", async () => {
    const child = spawn("bash", ["-c", `"$0" "$1" bot start 40>&3`, process.execPath, MAIN], {
      stdio: ["pipe", "pipe", "pipe", "pipe"],
      env: { PATH: process.env.PATH, ASKGATE_STATE_DIR: stateDir, MY_TOKEN: "xoxb-1" },
    });
    await Promise.all([1, 2, 3].map((fd) => ended(child.stdio[fd])));
    const { pid } = await healthOf();
    expect(isAlive(pid)).toBe(true);
    expect(readFileSync(`/proc/${pid}/environ`, "utf8")).not.toContain("xoxb-1");
    expect(readlinkSync(`/proc/${pid}/cwd`)).toBe(stateDir);
    expect(sessionOf(pid)).toBe(pid);
  });

  test("a command with another environment finds the same bot", async () => {
    const runtime = temporaryFolder();
    await askgate(["bot", "start"], { env: { XDG_RUNTIME_DIR: runtime } }).ended;
    expect(recordedSocket(stateDir)).toContain(runtime);
    const other = askgate(["bot", "status", "--json"], { env: { TMPDIR: temporaryFolder() } });
    expect(JSON.parse((await other.ended).stdout)).toMatchObject({
      running: true,
      pid: (await healthOf()).pid,
    });
  });

  test("what keeps a bot from starting is said by the command that wanted one", async () => {
    const deep = join(temporaryFolder(), "x".repeat(80));
    mkdirSync(deep);
    const { code, stderr } = await askPlan("Plan", { env: { XDG_RUNTIME_DIR: deep } }).ended;
    expect(code).toBe(5);
    expect(stderr).toMatch(/socket path .* bytes/);
    expect(stderr).toMatch(/XDG_RUNTIME_DIR or TMPDIR/);
  });
});

describe("a bot that goes away while commands wait", () => {
  test.each(["SIGKILL", "SIGTERM"] as const)(
    "by %s: each command still gets its own outcome",
    async (signal) => {
      const [one, two] = [askPlan("One"), askPlan("Two")];
      const [first, second] = [await one.round(), await two.round()];
      await until(async () => (await healthOf()).waiting === 2);
      const before = await killed(signal);
      const after = await until(async () => {
        const health = await healthOf();
        return health.waiting === 2 && health;
      });
      expect(after.pid).not.toBe(before.pid);
      await approve(second);
      await approve(first);
      expect(JSON.parse((await one.ended).stdout)).toMatchObject({
        round: first,
        title: "One",
        decision: "approve",
      });
      expect(JSON.parse((await two.ended).stdout)).toMatchObject({
        round: second,
        title: "Two",
        decision: "approve",
      });
      expect(logged("ready")).toBe(2);
    },
  );

  test("only from sight, its socket cleaned away: it listens anew", async () => {
    const runtime = temporaryFolder();
    await askgate(["bot", "start"], { env: { XDG_RUNTIME_DIR: runtime } }).ended;
    const { pid } = await healthOf();
    rmSync(join(runtime, "askgate"), { recursive: true });
    const command = askPlan("Plan");
    await approve(await command.round());
    expect((await command.ended).code).toBe(0);
    expect(await healthOf()).toMatchObject({ pid });
  });

  test("because its state directory was removed: it leaves no process behind", async () => {
    await askgate(["bot", "start"]).ended;
    const { pid } = await healthOf();
    rmSync(stateDir, { recursive: true });
    await until(() => !isAlive(pid));
    mkdirSync(stateDir);
  });

  test("by `bot stop`: the state is as it was, and no process and no socket are left behind", async () => {
    const client = await connect({ stateDir });
    onTestFinished(() => client.close());
    const { round } = await client.open(planRequest());
    const socket = recordedSocket(stateDir) ?? "";
    const { pid } = await client.health();
    expect((await askgate(["bot", "stop"]).ended).stderr).toContain(`stopped (process ${pid})`);
    expect(recordedSocket(stateDir)).toBeNull();
    expect(statSync(socket, { throwIfNoEntry: false })).toBeUndefined();
    await until(() => !isAlive(pid));
    expect(await client.show(round)).toMatchObject({ rounds: [{ outcome: null }] });
  });
});

describe("versions", () => {
  test("a newer command replaces the bot, and what waited on the older one gets its outcome", async () => {
    const older = askPlan("Older");
    const first = await older.round();
    const { pid } = await healthOf();
    const newer = askPlan("Newer", { main: installAs("99.0.0") });
    const second = await newer.round();
    const health = await until(async () => {
      const now = await healthOf();
      return now.waiting === 2 && now;
    });
    expect(health).toMatchObject({ version: "99.0.0" });
    expect(health.pid).not.toBe(pid);
    await approve(first);
    await approve(second);
    expect(JSON.parse((await older.ended).stdout)).toMatchObject({ round: first, status: "submitted" });
    expect(JSON.parse((await newer.ended).stdout)).toMatchObject({ round: second, status: "submitted" });
  });

  test("an older command is content with a newer bot", async () => {
    await askgate(["bot", "start"], { main: installAs("99.0.0") }).ended;
    const { pid } = await healthOf();
    const older = askPlan("Older");
    await approve(await older.round());
    expect((await older.ended).code).toBe(0);
    expect((await healthOf()).pid).toBe(pid);
  });
});

describe("idleness", () => {
  test("with nobody waiting and nothing open for an hour the bot ends", async () => {
    const { clock, run } = await idleBot();
    clock.advance(59 * 60_000);
    const client = await person();
    const { round } = await client.open(planRequest());
    clock.advance(3 * 60 * 60_000);
    await client.cancel(round);
    clock.advance(59 * 60_000);
    expect(await client.health()).toMatchObject({ openRounds: 0 });
    clock.advance(62 * 60_000);
    await run;
    expect(recordedSocket(stateDir)).toBeNull();
  });
});

async function idleBot() {
  const clock = manualClock();
  let ready = (): void => {};
  const isReady = new Promise<void>((done) => {
    ready = done;
  });
  const signal = new AbortController().signal;
  const run = runBot({ stateDir, idleExit: true, clock, signal, onReady: ready });
  await Promise.race([isReady, run]);
  return { clock, run };
}

describe("`bot`", () => {
  test("status says that none runs, for people and for programs", async () => {
    expect((await askgate(["bot", "status"]).ended).stdout).toMatch(/not running/);
    const { code, stdout } = await askgate(["bot", "status", "--json"]).ended;
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ running: false, stateDir, logFile: join(stateDir, "bot.log") });
  });

  test("status tells process, version, questions, commands, page, state and log", async () => {
    const command = askPlan("Plan");
    await command.round();
    await until(async () => (await healthOf()).waiting === 1);
    const { stdout } = await askgate(["bot", "status"]).ended;
    const { pid, page, version } = await healthOf();
    for (const word of [
      `process ${pid}`,
      version,
      "1 question in 1 session",
      "1 command",
      page,
      stateDir,
      "bot.log",
    ]) {
      expect(stdout).toContain(word);
    }
  });

  test("logs are lines for people, and follow what is written", async () => {
    const follow = askgate(["bot", "logs", "--follow"]);
    const said = collect(follow.child.stdout);
    await askgate(["bot", "start"]).ended;
    await until(() => /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d info {2}ready .*version=/m.test(said.text));
    await askgate(["bot", "stop"]).ended;
    await until(() => said.text.includes("stopping reason=a command asked for it"));
    const last = await askgate(["bot", "logs", "--lines", "1", "--json"]).ended;
    expect(JSON.parse(last.stdout)).toMatchObject({ level: "info", msg: "stopping" });
  });

  test("run stays in the foreground and ends in order on ^C", async () => {
    const bot = askgate(["bot", "run"]);
    await healthOf();
    bot.child.kill("SIGINT");
    expect(await bot.ended).toMatchObject({ code: 0, stdout: "" });
    expect(recordedSocket(stateDir)).toBeNull();
  });
});

const ended = (stream: unknown): Promise<void> =>
  new Promise((done, fail) => {
    if (!isReadable(stream)) return fail(new Error("no stream"));
    stream.once("end", () => done()).resume();
  });

const isReadable = (stream: unknown): stream is Readable =>
  typeof stream === "object" && stream !== null && "resume" in stream;

/** The process's session (setsid): its own when no terminal's signals reach it. */
const sessionOf = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[3]);
};
