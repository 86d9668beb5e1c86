/** Clicks and messages over sockets that are renewed, break, fall silent, and are read back after a gap. */
import { expect, it } from "vitest";
import { movableClock } from "../../support/movable-clock.ts";
import { until } from "../../support/until.ts";
import {
  asked,
  askedPlan,
  bothListen,
  calls,
  delivery,
  home,
  MAGIC,
  PASSWORD,
  shows,
  start,
  stop,
} from "./delivery.ts";

it.each(["refresh_requested", "warning"] as const)(
  "loses no click while a socket is renewed: %s",
  async (reason) => {
    const stage = await delivery();
    await asked(stage);
    await bothListen(stage);
    const { ana } = stage.team;
    stage.slack.sockets.disconnect(reason, 0);
    for (let click = 0; click < 40; click += 1) await ana.chooses(home(stage), click % 2 ? MAGIC : PASSWORD);
    if (reason === "refresh_requested") await bothListen(stage);
    for (let click = 0; click < 10; click += 1) await ana.chooses(home(stage), click % 2 ? MAGIC : PASSWORD);
    expect(ana.failedPresses).toEqual([]);
    await stage.slack.until(() => stage.team.plans.thread(home(stage).ts).length === 0);
  },
);

it("loses no click while all sockets are renewed at once", async () => {
  const stage = await delivery();
  await asked(stage);
  await bothListen(stage);
  const { ana } = stage.team;
  stage.slack.sockets.refresh();
  await stage.slack.until(() => stage.slack.sockets.count > 2);
  for (let click = 0; click < 40; click += 1) await ana.chooses(home(stage), click % 2 ? MAGIC : PASSWORD);
  expect(ana.failedPresses).toEqual([]);
});

it("takes clicks on the other socket when one breaks", async () => {
  const stage = await delivery();
  await asked(stage);
  await bothListen(stage);
  const { ana, plans } = stage.team;
  stage.slack.sockets.drop(0);
  await ana.chooses(home(stage), PASSWORD);
  await stage.slack.until(() => plans.thread(home(stage).ts).length === 1);
  await bothListen(stage);
  expect(ana.failedPresses).toEqual([]);
});

it("keeps a click whose acknowledgement did not arrive", async () => {
  const stage = await delivery();
  await asked(stage);
  await bothListen(stage);
  const { ana, plans } = stage.team;
  stage.slack.expectFailedPress();
  const click = ana.chooses(home(stage), PASSWORD);
  stage.slack.sockets.dropAll();
  await click;
  await bothListen(stage);
  await ana.chooses(home(stage), PASSWORD);
  await stage.slack.until(() => plans.thread(home(stage).ts).length === 1);
  expect(ana.failedPresses).toHaveLength(1);
});

it("reads back what was typed while nobody listened, with one reading and one thread that changed", async () => {
  const stage = await delivery();
  const opened = await askedPlan(stage, { granularity: "block" });
  const { ana, acme, plans } = stage.team;
  const [, first, second] = plans.messages();
  await ana.types(plans, "kept before", { thread: first?.ts ?? "" });
  await stage.slack.until(
    () => shows(plans.messages()[1], "kept before") || calls(stage, "reactions.add").length > 0,
  );
  await stop(stage);
  const foreign = await acme.foreignSocket();
  await ana.types(plans, "rate-limit it", { thread: second?.ts ?? "" });
  await ana.types(plans, "unrelated");
  await stage.slack.until(() => foreign.stolen.length === 2);
  await foreign.close();
  const before = {
    history: calls(stage, "conversations.history").length,
    replies: calls(stage, "conversations.replies").length,
  };
  await start(stage);
  const shown = async () => JSON.stringify((await stage.engine().show(opened.session)).rounds);
  await until(async () => (await shown()).includes("rate-limit it"));
  expect(await shown()).not.toContain("unrelated");
  expect(await shown()).toContain("kept before");
  expect(calls(stage, "conversations.history").length - before.history).toBe(1);
  // The thread with the new message, the one whose kept message may have been edited, and home's, where the bot wrote itself.
  const read = calls(stage, "conversations.replies").slice(before.replies);
  expect(read.map(({ args }) => args.ts)).toEqual(
    expect.arrayContaining([home(stage).ts, first?.ts, second?.ts]),
  );
  expect(read).toHaveLength(3);
  expect(plans.messages().length).toBeGreaterThan(5);
});

it("follows what was edited and deleted while nobody listened", async () => {
  const stage = await delivery();
  const opened = await askedPlan(stage);
  const { ana, ben, acme, plans } = stage.team;
  const thread = home(stage).ts;
  const edited = await ana.types(plans, "first thought", { thread });
  const deleted = await ben.types(plans, "never mind", { thread });
  await stage.slack.until(() => calls(stage, "reactions.add").length === 2);
  await stop(stage);
  const foreign = await acme.foreignSocket();
  await ana.edits(plans, edited, "second thought");
  await ben.deletes(plans, deleted);
  await stage.slack.until(() => foreign.stolen.length === 2);
  await foreign.close();
  await start(stage);
  const shown = async () => JSON.stringify((await stage.engine().show(opened.session)).rounds);
  await until(async () => (await shown()).includes("second thought"));
  expect(await shown()).not.toContain("first thought");
  expect(await shown()).not.toContain("never mind");
});

it("says on open cards that it was away, when that was longer than a minute", async () => {
  const clock = movableClock();
  const stage = await delivery({ clock });
  await asked(stage);
  await bothListen(stage);
  stage.slack.sockets.dropAll();
  await until(() => stage.logged.some((line) => line.includes("nobody listens")));
  await bothListen(stage);
  expect(shows(home(stage), "away")).toBe(false);
  stage.slack.fail("apps.connections.open", { http: 503 }, { times: 2 });
  stage.slack.sockets.dropAll();
  await until(() => stage.logged.some((line) => line.includes("could not be opened")));
  clock.forward(61_000);
  await stage.slack.until(() => shows(home(stage), "away"));
  await stage.team.ana.chooses(home(stage), PASSWORD);
  await stage.slack.until(() => !shows(home(stage), "away"));
});

it("says so after a restart, too", async () => {
  const clock = movableClock();
  const stage = await delivery({ clock });
  await asked(stage);
  await stop(stage);
  clock.forward(61_000);
  await start(stage);
  await stage.slack.until(() => shows(home(stage), "away"));
});

it("notices a socket that fell silent, and takes messages once all the same", async () => {
  const stage = await delivery({ ackMs: 500, retryMs: Array.from({ length: 40 }, () => 200) });
  const opened = await askedPlan(stage);
  await bothListen(stage);
  const { ana, plans } = stage.team;
  stage.slack.sockets.silence(0);
  const thread = home(stage).ts;
  for (const text of ["one", "two", "three", "four"]) await ana.types(plans, `word ${text}`, { thread });
  const shown = async () => JSON.stringify((await stage.engine().show(opened.session)).rounds);
  await until(async () => ((await shown()).match(/"text":"word /g) ?? []).length >= 4);
  await stage.slack.until(() => stage.slack.sockets.count === 3, 20_000);
  expect((await shown()).match(/"text":"word /g)).toHaveLength(4);
});
