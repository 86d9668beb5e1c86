/** What people write while the agent works: Slack as a server, the commands as processes. */
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Client } from "../../src/adapters/link/client.ts";
import { openSlack } from "../../src/adapters/slack/surface.ts";
import { type Channel, type Slack, startSlack } from "../doubles/slack/index.ts";
import type { Typing } from "../doubles/slack/person.ts";
import { people } from "../support/slack-stage.ts";
import { until } from "../support/until.ts";
import { openWorkshop, press, type Workshop } from "./askgate.ts";
import { startBot } from "./own-bot.ts";

let shop: Workshop;
let slack: Slack;
let team: ReturnType<typeof people>;
let gate: Client;
let endBot: () => Promise<void>;
beforeAll(async () => {
  slack = await startSlack({ factor: 50 });
  team = people(slack);
  shop = openWorkshop();
  endBot = await startBot(shop.stateDir, (parts) => [openSlack(parts)]);
  gate = await shop.gate();
});
afterAll(async () => {
  gate.close();
  await endBot();
  await shop.close();
  await slack.stop();
});

let channels = 0;

/** A project whose agent was allowed something in a channel of its own, whose thread is there to write in. */
async function working() {
  channels += 1;
  const name = `work-${channels}`;
  const members = [team.ana, team.ben, team.acme.bot];
  const channel = team.acme.channel({ id: `C0WORK${channels}`, name, members });
  const cwd = shop.project();
  const { botToken, appToken } = team.acme;
  const env = { SLACK_BOT_TOKEN: botToken, SLACK_APP_TOKEN: appToken, SLACK_API_URL: slack.apiUrl };
  const where = ["--via", "slack", "--to", `#${name}`];
  const command = shop.start(["permission", "Go ahead", "--command", "make", ...where], { cwd, env });
  const round = await command.round();
  await press(gate, round, "allow");
  await command.ended;
  const thread = await until(() => channel.messages()[0]?.ts ?? false);
  const run = (...args: string[]) => shop.run(args, { cwd });
  const read = async (...flags: string[]) => JSON.parse((await run("inbox", ...flags)).stdout);
  return { cwd, env, where, channel, thread, run, read, writes: writer({ cwd, channel, thread }) };
}

/** Writes in the thread, and waits until the bot has it. */
const writer =
  ({ cwd, channel, thread }: { cwd: string; channel: Channel; thread: string }) =>
  async (who: "ana" | "ben", text: string, files: Typing["files"] = []): Promise<void> => {
    const there = async () =>
      (await gate.inbox({ project: cwd, session: null, agentSession: null })).messages;
    const { length } = await there();
    await team[who].types(channel, text, { thread, files });
    await until(async () => (await there()).length > length);
  };

describe.concurrent("inbox", { timeout: 120_000 }, () => {
  it("gives every message once, in order, with who, when and where, and saves it", async () => {
    const { cwd, read, writes } = await working();
    await writes("ana", "also rate-limit /auth");
    await writes("ben", "and log it\nplease");
    const peeked = await read("--peek");
    expect(peeked).toMatchObject({ amendments: null });
    const first = await read();
    expect(first.messages).toEqual(peeked.messages);
    expect(first.messages).toMatchObject([
      { id: "m1", text: "also rate-limit /auth", by: "Ana", byId: "slack:T1/U0ANA", where: "slack" },
      { id: "m2", text: "and log it\nplease", by: "Ben" },
    ]);
    expect(first.amendments).toEqual({ saved: true, file: ".askgate/amendments.md" });
    const kept = readFileSync(join(cwd, ".askgate", "amendments.md"), "utf8");
    expect(kept).toContain(`${first.session}/m2 · Ben (slack:T1/U0BEN) in slack\n\n> and log it\n> please\n`);
    await writes("ana", "third", [{ name: "spec.txt", mimetype: "text/plain", content: "limits" }]);
    const files = [{ name: "spec.txt", type: "text/plain", url: expect.stringContaining("http") }];
    expect((await read()).messages).toMatchObject([{ text: "third", files }]);
    expect(await read()).toMatchObject({ session: first.session, messages: [], amendments: null });
  });

  it("saves it in the session's project, wherever the agent stands", async () => {
    const { cwd, writes } = await working();
    await writes("ana", "elsewhere too");
    const [{ session }] = JSON.parse((await shop.run(["list"], { cwd })).stdout);
    await shop.run(["inbox", "--session", session], { cwd: shop.project() });
    expect(readFileSync(join(cwd, ".askgate", "amendments.md"), "utf8")).toContain("> elsewhere too");
  });

  it("gives also what could not be saved, and says that it is not", async () => {
    const { cwd, run, writes } = await working();
    mkdirSync(join(cwd, ".askgate", "amendments.md"), { recursive: true });
    await writes("ana", "remember this");
    const { code, stdout, stderr } = await run("inbox");
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      messages: [{ text: "remember this" }],
      amendments: { saved: false, reason: "it is a folder" },
    });
    expect(stderr).toContain("NOT saved in .askgate/amendments.md (it is a folder)");
  });

  it("has answers that came after the agent went on, and their place in the log", async () => {
    const { cwd, env, where, run, read } = await working();
    const ask = ["ask", "Which port?", ...where, "--timeout", "50ms"];
    const { round } = JSON.parse((await shop.run(ask, { cwd, env })).stdout);
    await press(gate, round, "answer", { words: "8080" });
    expect(await read("--peek")).toMatchObject({ late: [{ round, answer: "8080" }] });
    expect(await read()).toMatchObject({ messages: [], late: [{ round, question: "Which port?" }] });
    expect((await run("inbox")).stderr).toBe("nothing new\n");
    expect(readFileSync(join(cwd, ".askgate", "qa.md"), "utf8")).toContain(`${round} · answered by `);
  });

  it("answers what is asked of the state from the store, and gives it to no agent", async () => {
    const { channel, thread, read } = await working();
    for (const question of ["? how far", "？"]) {
      const { length } = channel.thread(thread);
      await team.ana.types(channel, question, { thread });
      await until(() => channel.thread(thread).length > length + 1);
      expect(JSON.stringify(channel.thread(thread).at(-1))).toContain("Nothing is open");
    }
    expect(await read()).toMatchObject({ messages: [] });
  });

  it("is empty where no session runs: exit 0", async () => {
    const { code, stdout, stderr } = await shop.run(["inbox"], { cwd: shop.project() });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ session: null, messages: [], late: [], amendments: null });
    expect(stderr).toBe("no session is open here\n");
  });
});

describe.concurrent("say", { timeout: 120_000 }, () => {
  it("puts a note into the thread, from words or standard input", async () => {
    const { cwd, channel, thread, run } = await working();
    const said = () => JSON.stringify(channel.thread(thread));
    expect(await run("say", "The tests pass.")).toMatchObject({ code: 0, stdout: "" });
    await until(() => said().includes("The tests pass."));
    await shop.run(["say"], { cwd, input: "Next the docs.\n" });
    await until(() => said().includes("Next the docs."));
  });

  it("says that there is no session, or nothing to say: exit 2", async () => {
    const nowhere = await shop.run(["say", "hello"], { cwd: shop.project() });
    expect(nowhere).toMatchObject({ code: 2, stdout: "" });
    expect(nowhere.stderr).toContain("no session is open here");
    expect((await shop.run(["say", " "], { cwd: shop.project() })).code).toBe(2);
  });
});
