/** The bot is killed while its cards stand in a chat, at moments that matter; commands wait through it. Runs what `npm run build` made. */
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { openWorkshop, type Running, type Workshop } from "../cli/askgate.ts";
import { LOGIN } from "../support/login.ts";
import { until } from "../support/until.ts";
import type { Control, OpenPlatform, Platform, Post, Room, Somebody } from "./chat-platform.ts";
import { expectOncePosted, expectScene, type Shown } from "./chat-scene.ts";
import { openWorld, type World } from "./chat-world.ts";

const PATIENCE_MS = 20_000;

const planOf = (steps: number) => ({
  title: "Login",
  plan: Array.from({ length: steps }, (_, at) => `Step ${at + 1} of the plan.`).join("\n\n"),
});
export const PLAN = planOf(1);

/** A channel with Ana and Ben in it, where commands ask and the bot dies. */
export class Stage {
  readonly world: World;
  readonly ana: Somebody;
  readonly ben: Somebody;
  readonly room: Room;
  readonly #shop: Workshop;

  constructor(world: World, shop: Workshop) {
    this.world = world;
    this.#shop = shop;
    this.ana = this.platform.person(501, "Ana");
    this.ben = this.platform.person(502, "Ben");
    this.room = this.platform.channel(201, "plans", [this.ana, this.ben]);
  }

  get platform(): Platform {
    return this.world.platform;
  }

  asks(command: "clarity" | "plan", input: object): Running {
    const { env } = this.platform;
    return this.#shop.start([command, "up", "--to", "#plans"], { input: JSON.stringify(input), env });
  }

  /** SIGKILL; the command that waits starts another bot. */
  async kills(): Promise<void> {
    const gate = await this.#shop.gate();
    const { pid } = await gate.health().finally(() => gate.close());
    process.kill(pid, "SIGKILL");
    await this.platform.gone();
    this.world.kills.push(Date.now());
  }

  /** Kills it as soon as a call of this kind is on its way, which then never gets through, or its answer never arrives. */
  async killsOnTheWay(way: Promise<void>): Promise<void> {
    await way;
    await this.kills();
  }

  holds(call: string, at: "request" | "response"): Promise<void> {
    return this.platform.holds(call, at);
  }

  until(condition: () => boolean): Promise<void> {
    return this.platform.until(condition, PATIENCE_MS);
  }

  listening(): Promise<void> {
    return this.until(() => this.platform.listens);
  }

  /** The post that says this, as soon as it stands. */
  async saying(text: string): Promise<Post> {
    const find = () =>
      this.platform.standing(this.room).find((post) => this.platform.says(post).includes(text));
    await this.until(() => find() !== undefined);
    const post = find();
    if (post === undefined) throw new Error("it was there");
    return post;
  }

  /** The last control with this label or option that somebody sees, as soon as there is one. */
  async control(who: Somebody, label: string): Promise<Control> {
    const is = (control: Control) => control.label === label || indexOf(control, label) >= 0;
    const find = () =>
      this.platform
        .standing(this.room)
        .flatMap((post) => who.sees(post))
        .findLast(is);
    await this.until(() => find() !== undefined);
    const control = find();
    if (control === undefined) throw new Error("it was there");
    return control;
  }

  /** Presses the last control with this label, once somebody listens. */
  async presses(who: Somebody, label: string): Promise<void> {
    await this.listening();
    expect(await (await this.control(who, label)).presses()).toEqual({ kind: "acked" });
  }

  async chooses(who: Somebody, option: string): Promise<void> {
    await this.listening();
    const control = await this.control(who, option);
    expect(await control.chooses([`o${indexOf(control, option)}`])).toEqual({ kind: "acked" });
  }

  async opensForm(who: Somebody, label: string): Promise<void> {
    await this.presses(who, label);
    await this.until(() => who.hasForm());
  }

  /** The signs that Ana's or Ben's words carry once the bot has them. */
  async kept(said: Post): Promise<void> {
    await this.until(() => this.platform.signs(said).includes("kept"));
  }

  /** Whatever happened: the command has its outcome, and the room shows what the session draws, once. */
  async settles({ ended }: Running, outcome: object): Promise<void> {
    const { code, stdout } = await ended;
    expect(code).toBe(0);
    const result = JSON.parse(stdout);
    expect(result).toMatchObject(outcome);
    const gate = await this.#shop.gate();
    onTestFinished(() => gate.close());
    const { world, room } = this;
    const shown: Shown = { world, room, sessions: [result.session], show: (id) => gate.show(id) };
    await until(() => expectScene(shown).then(() => true));
    expectOncePosted(shown);
    await this.platform.assertClean();
  }
}

const indexOf = ({ options }: Control, option: string): number =>
  options.findIndex((one) => one.includes(option));

/** A stage for each test. */
export function stages(open: OpenPlatform): () => Stage {
  let stage: Stage;
  beforeEach(async () => {
    const shop = openWorkshop();
    const world = await openWorld(open);
    stage = new Stage(world, shop);
    onTestFinished(async () => {
      world.over = true;
      await shop.close();
      await world.stop();
    });
  });
  return () => stage;
}

/** What every chat must stand. */
export function testKills(now: () => Stage): void {
  test("between post and click: the click reaches the next bot", async () => {
    const stage = now();
    const command = stage.asks("clarity", LOGIN);
    const accept = await stage.control(stage.ana, "★ Accept recommended");
    await stage.kills();
    expect(await accept.presses()).toMatchObject({ kind: "failed" });
    await stage.presses(stage.ana, "★ Accept recommended");
    await stage.presses(stage.ana, "Send to agent");
    await stage.settles(command, { status: "submitted", by: "Ana" });
  });

  test.each(["request", "response"] as const)(
    "between click and reply, its %s on the way: the reply stands once",
    async (at) => {
      const stage = now();
      const command = stage.asks("clarity", LOGIN);
      const home = await stage.saying("Login PRD");
      await stage.control(stage.ana, "Password");
      const way = stage.holds(stage.platform.posting, at);
      await stage.chooses(stage.ana, "Password");
      await stage.killsOnTheWay(way);
      await stage.saying("Password policy?");
      await stage.chooses(stage.ana, "Strict");
      await stage.presses(stage.ana, "★ Accept recommended");
      await stage.until(() => stage.platform.says(home).includes("3 of 3"));
      await stage.presses(stage.ana, "Send to agent");
      await stage.settles(command, { result: [{}, { answer: "Strict" }, {}] });
    },
  );

  test("in the middle of a plan's posting, twice: every block stands once, in order", async () => {
    const stage = now();
    const { platform, room } = stage;
    const command = stage.asks("plan", planOf(9));
    for (const posts of [3, 6]) {
      await stage.until(() => platform.standing(room).length >= posts);
      await stage.kills();
    }
    await command.round();
    await stage.listening();
    const all = platform.standing(room).map((post) => platform.says(post));
    const steps = all.join("\n").matchAll(/Step (\d) of the plan/g);
    expect([...steps].map(([, step]) => Number(step))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    await stage.presses(stage.ana, "Approve");
    await stage.settles(command, { decision: "approve" });
  });

  test("while a form is open: what is filled in counts, once", async () => {
    const stage = now();
    const command = stage.asks("plan", PLAN);
    await stage.opensForm(stage.ana, "Feedback");
    await stage.kills();
    await stage.listening();
    expect(await stage.ana.sendsForm("Mind the spam.")).toEqual({ kind: "closed" });
    await stage.presses(stage.ana, "Approve");
    await stage.settles(command, { decision: "approve", feedback: [{ text: "Mind the spam.", by: "Ana" }] });
  });

  test("before words are written, rewritten and taken back: all of that is read back", async () => {
    const stage = now();
    const { ana, ben } = stage;
    const command = stage.asks("plan", PLAN);
    const block = await stage.saying("Step 1 of the plan.");
    const header = await stage.saying("Feedback");
    const [rewritten, taken] = [await ana.comments(block, "Use links."), await ben.comments(block, "No.")];
    for (const said of [rewritten, taken]) await stage.kept(said);
    await stage.kills();
    await ana.edits(rewritten, "Use magic links.");
    await ben.deletes(taken);
    const [late, remark] = [await ben.comments(block, "And spam?"), await ana.remarks(header, "Short.")];
    for (const said of [late, remark]) await stage.kept(said);
    await stage.presses(ana, "Request changes");
    const annotations = [
      { comment: "Use magic links.", by: "Ana" },
      { comment: "And spam?", by: "Ben" },
    ];
    await stage.settles(command, {
      decision: "revise",
      annotations,
      feedback: [{ text: "Short.", by: "Ana" }],
    });
  });
}
