import { lstatSync, statSync } from "node:fs";
import { request as httpRequest } from "node:http";
import { dirname } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { type Client, type ConnectOptions, connect } from "../../../src/adapters/link/client.ts";
import { recordedSocket, recordSocket } from "../../../src/adapters/link/paths.ts";
import { LINK_VERSION, SLICE_MS } from "../../../src/adapters/link/protocol.ts";
import { systemClock } from "../../../src/adapters/shared/clock.ts";
import type { Frame } from "../../../src/core/gate.ts";
import { manualClock } from "../../doubles/manual-clock.ts";
import { openMemoryStore } from "../../doubles/memory-store.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { until } from "../../support/until.ts";
import { type Bot, type BotOptions, planRequest, press, startBot, VERSIONS, VIEW } from "./support.ts";

let stateDir = "";

beforeEach(() => {
  stateDir = temporaryFolder();
});

async function bot(more: Partial<BotOptions> = {}): Promise<Bot> {
  const started = await startBot({ stateDir, ...more });
  onTestFinished(() => started.end());
  return started;
}

async function command(more: ConnectOptions = {}): Promise<Client> {
  const client = await connect({ stateDir, start: false, versions: VERSIONS, ...more });
  onTestFinished(() => client.close());
  return client;
}

describe("a call", () => {
  test("waits until somebody answers through another connection", async () => {
    await bot();
    const [agent, person] = [await command(), await command()];
    const { round, session } = await agent.open(planRequest());
    const waited = agent.wait(round, Number.POSITIVE_INFINITY, false);
    await press(person, session, "approve");
    expect(await waited).toMatchObject({
      state: "settled",
      result: { status: "submitted", decision: "approve" },
    });
  });

  test("comes back with nothing when patience is over", async () => {
    await bot({ clock: systemClock });
    const agent = await command();
    const { round } = await agent.open(planRequest());
    expect(await agent.wait(round, 0, false)).toMatchObject({ state: "open", result: { status: "pending" } });
  });

  test("fails with the error that the gate threw", async () => {
    await bot();
    const agent = await command();
    await expect(agent.wait("r_nothing-1", 0, false)).rejects.toMatchObject({
      name: "AskgateError",
      code: "unknown_round",
      help: "See: askgate list",
    });
  });

  test("can be every other call of a gate", async () => {
    await bot();
    const agent = await command();
    const { round, session } = await agent.open(planRequest());
    expect(await agent.list("/home/ana/shop")).toMatchObject([{ session, rounds: [{ round }] }]);
    expect(await agent.show(round)).toMatchObject({ session });
    await agent.cancel(round);
    await agent.acknowledge(session, { rounds: [round], messages: [] });
    const selector = { project: "/home/ana/shop", session: null, agentSession: null };
    expect(await agent.down(selector)).toEqual({ session });
    expect(await agent.down(selector)).toBeNull();
  });

  test("that is not in the shape of this version is refused with what is wrong", async () => {
    await bot();
    const answer = await post(recordedSocket(stateDir) ?? "", "/cancel", JSON.stringify({ rund: "r_1" }));
    expect(answer).toMatchObject({ status: 422, body: { error: { code: "bad_request" } } });
  });

  test("of more than 16 MiB is refused", async () => {
    await bot();
    const agent = await command();
    const payload = { title: "t", plan: "x".repeat(17 * 1024 * 1024) };
    await expect(agent.open(planRequest({ payload }))).rejects.toMatchObject({ code: "too_large" });
  });
});

describe("a wait", () => {
  test("of ten minutes is many short ones", async () => {
    const clock = manualClock();
    const { link } = await bot({ clock });
    const [agent, person] = [await command(), await command()];
    const { round, session } = await agent.open(planRequest());
    const waited = agent.wait(round, Number.POSITIVE_INFINITY, false);
    for (let passed = 0; passed < 10 * 60_000; passed += SLICE_MS) {
      const { calls } = link.figures();
      await until(() => link.figures().waiting === 1);
      clock.advance(SLICE_MS);
      await until(() => link.figures().calls > calls);
    }
    await press(person, session, "approve");
    expect(await waited).toMatchObject({ state: "settled" });
  });

  test("is let go when its command goes away", async () => {
    const { link } = await bot();
    const agent = await command();
    const { round } = await agent.open(planRequest());
    const waited = agent.wait(round, Number.POSITIVE_INFINITY, false).catch((error: unknown) => error);
    await until(() => link.figures().waiting === 1);
    agent.close();
    await until(() => link.figures().waiting === 0);
    expect(await waited).toMatchObject({ code: "closed" });
  });

  test("goes on with the next bot, and so does a watch, its frames numbered through", async () => {
    const store = openMemoryStore();
    const first = await bot({ store });
    const [agent, person] = [await command(), await command()];
    const { round, session } = await agent.open(planRequest());
    const frames: Frame[] = [];
    const watching = collect(person.watch(session, VIEW, new AbortController().signal), frames);
    const waited = agent.wait(round, Number.POSITIVE_INFINITY, false);
    await until(() => first.link.figures().waiting === 1 && frames.length === 1);
    await first.end(true);
    const second = await bot({ store });
    await until(() => second.link.figures().waiting === 1 && frames.length === 2);
    await press(person, session, "approve");
    expect(await waited).toMatchObject({ state: "settled" });
    await person.down({ project: "/home/ana/shop", session, agentSession: null });
    await watching;
    expect(frames.map(({ number }) => number)).toEqual(frames.map((_, index) => index + 1));
    expect(frames.at(-1)?.ended).toBe(true);
    expect(frames[1]?.cards.map(({ key }) => key)).toEqual(frames[1]?.order);
  });
});

describe("versions", () => {
  test.each([
    { link: LINK_VERSION - 1, version: "1.5.0" },
    { link: LINK_VERSION, version: "1.3.9" },
    { link: LINK_VERSION, version: "1.4.0-rc.1" },
    VERSIONS,
  ])("an older command (%o) works with a newer bot", async (versions) => {
    await bot();
    const old = await command({ versions });
    expect(await old.open(planRequest())).toMatchObject({ attached: false });
  });

  test.each([
    { link: LINK_VERSION + 1, version: "1.4.0" },
    { link: LINK_VERSION, version: "1.10.0" },
    { link: LINK_VERSION, version: "1.4.1-rc.1" },
  ])("for a newer command (%o) an older bot stops before anything happens", async (versions) => {
    const old = await bot();
    const agent = await command({ versions });
    await expect(agent.open(planRequest())).rejects.toMatchObject({ code: "unreachable" });
    expect(old.stops).toEqual([true]);
  });

  test("a newer command may still ask an older bot how it is", async () => {
    const { stops } = await bot();
    const agent = await command({ versions: { link: LINK_VERSION + 1, version: "2.0.0" } });
    expect(await agent.health()).toMatchObject({ ...VERSIONS, pid: process.pid, stateDir: stateDir });
    expect(stops).toEqual([]);
  });

  test("stop answers when everything is put away", async () => {
    const { link, stops } = await bot();
    const agent = await command();
    await agent.stop();
    expect(stops).toEqual([false]);
    await expect(agent.health()).rejects.toMatchObject({ code: "unreachable", fields: { running: false } });
    expect(link.figures().waiting).toBe(0);
  });
});

describe("the socket", () => {
  test("can be opened by the user only", async () => {
    await bot();
    const socket = recordedSocket(stateDir) ?? "";
    expect(lstatSync(socket).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(socket)).mode & 0o777).toBe(0o700);
  });

  test("of another state directory's bot is not taken for one's own", async () => {
    await bot();
    const other = temporaryFolder();
    recordSocket(other, recordedSocket(stateDir) ?? "");
    const agent = await command({ stateDir: other });
    await expect(agent.open(planRequest())).rejects.toMatchObject({ code: "unreachable" });
  });
});

async function collect(source: AsyncIterable<Frame>, into: Frame[]): Promise<void> {
  for await (const frame of source) into.push(frame);
}

function post(socketPath: string, path: string, body: string): Promise<{ status: number; body: unknown }> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ socketPath, path, method: "POST" }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      resolve({ status: response.statusCode ?? 0, body: JSON.parse(Buffer.concat(chunks).toString()) });
    });
    sent.once("error", reject).end(body);
  });
}
