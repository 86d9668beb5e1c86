/** The bot is killed while its cards stand in Slack, at moments that matter; commands wait through it. Runs what `npm run build` made. */
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { openWorkshop, type Running, type Workshop } from "../cli/askgate.ts";
import type { Message } from "../doubles/slack/index.ts";
import { LOGIN } from "../support/login.ts";
import { people } from "../support/slack-stage.ts";
import { until } from "../support/until.ts";
import { expectOncePosted, expectScene, type Shown } from "./slack-scene.ts";
import { openWorld, type SlackWorld, standing } from "./slack-world.ts";

let shop: Workshop;
let world: SlackWorld;
let team: ReturnType<typeof people>;
beforeEach(async () => {
  shop = openWorkshop();
  world = await openWorld();
  team = people(world.slack, world.acme);
  onTestFinished(async () => {
    world.over = true;
    await shop.close();
    await world.stop();
  });
});

const PLAN = {
  title: "Login",
  plan: Array.from({ length: 9 }, (_, at) => `Step ${at + 1} of the plan.`).join("\n\n"),
};

function ask(command: "clarity" | "plan", input: object): Running {
  const { acme, slack } = world;
  const env = {
    SLACK_BOT_TOKEN: acme.botToken,
    SLACK_APP_TOKEN: acme.appToken,
    SLACK_API_URL: slack.apiUrl,
  };
  return shop.start([command, "up", "--to", "#plans"], { input: JSON.stringify(input), env });
}

/** SIGKILL; the command that waits starts another bot. */
async function killBot(): Promise<void> {
  const gate = await shop.gate();
  const { pid } = await gate.health().finally(() => gate.close());
  process.kill(pid, "SIGKILL");
  await until(() => world.slack.sockets.count === 0);
  world.kills.push(Date.now());
}

const listening = (): Promise<void> => world.slack.until(() => world.slack.sockets.count > 0, 20_000);

/** The one message whose blocks say this, as soon as it stands. */
async function saying(text: string): Promise<Message> {
  const find = () =>
    standing(world, team.plans).filter(({ blocks }) => JSON.stringify(blocks).includes(text));
  await world.slack.until(() => find().length > 0, 20_000);
  const [message] = find();
  if (message === undefined) throw new Error("it was there");
  return message;
}

/** Whatever happened: the command has its outcome, and the channel shows what the session draws, once. */
async function expectSettled({ ended }: Running, outcome: object): Promise<void> {
  const { code, stdout } = await ended;
  expect(code).toBe(0);
  const result = JSON.parse(stdout);
  expect(result).toMatchObject(outcome);
  const gate = await shop.gate();
  onTestFinished(() => gate.close());
  const shown: Shown = {
    world,
    channel: team.plans,
    sessions: [result.session],
    show: (id) => gate.show(id),
  };
  await until(() => expectScene(shown).then(() => true));
  expectOncePosted(shown);
  await world.slack.assertClean();
}

test("between post and click: the click reaches the next bot", async () => {
  const command = ask("clarity", LOGIN);
  const home = await saying("Login PRD");
  await killBot();
  expect(await team.ana.presses(home, "★ Accept recommended")).toMatchObject({ kind: "failed" });
  await listening();
  await team.ana.presses(home, "★ Accept recommended");
  await team.ana.presses(home, "Send to agent");
  await expectSettled(command, { status: "submitted", by: "Ana" });
});

test.each(["request", "response"] as const)(
  "between click and reply, its %s on the way: the reply stands once",
  async (at) => {
    const command = ask("clarity", LOGIN);
    const home = await saying("Login PRD");
    const way = new Promise<void>((met) => {
      world.slack.fail("chat.postMessage", { hold: new Promise(() => {}), at, met });
    });
    expect(await team.ana.chooses(home, "2 Password")).toMatchObject({ kind: "acked" });
    await way;
    await killBot();
    const reply = await saying("Password policy?");
    await listening();
    await team.ana.chooses(reply, "2 Strict");
    await team.ana.presses(await saying("★ Accept recommended"), "★ Accept recommended");
    await world.slack.until(() => JSON.stringify(home.blocks).includes("3 of 3"));
    await team.ana.presses(await saying("Send to agent"), "Send to agent");
    await expectSettled(command, { result: [{}, { answer: "Strict" }, {}] });
  },
);

test("in the middle of a plan's posting, twice: every block stands once, in order", async () => {
  const command = ask("plan", PLAN);
  for (const posts of [3, 6]) {
    await world.slack.until(() => standing(world, team.plans).length >= posts, 20_000);
    await killBot();
  }
  await command.round();
  await listening();
  const blocks = standing(world, team.plans).map(({ blocks }) => JSON.stringify(blocks));
  const steps = blocks.join("\n").matchAll(/Step (\d) of the plan/g);
  expect([...steps].map(([, step]) => Number(step))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  const end = standing(world, team.plans).findLast(({ threadTs }) => threadTs === null);
  if (end === undefined) throw new Error("nothing stands there");
  await team.ana.presses(end, "Approve");
  await expectSettled(command, { decision: "approve" });
});
