/** Clicks and messages are saved before anybody sees that they arrived. */
import { expect, it } from "vitest";
import { movableClock } from "../../support/movable-clock.ts";
import { until } from "../../support/until.ts";
import {
  asked,
  askedPlan,
  calls,
  delivery,
  EDIT,
  gated,
  home,
  known,
  now,
  PASSWORD,
  POST,
  promise,
  room,
  says,
  shows,
  start,
  thread,
} from "./delivery.ts";

it("acknowledges a click once it is saved", async () => {
  const { gate, around } = gated();
  const stage = await delivery({ around });
  await asked(stage);
  const { done, release } = promise();
  gate.open = done;
  const before = gate.saves;
  let acknowledged = false;
  const click = stage.team.ana.chooses(home(stage), PASSWORD).then(() => {
    acknowledged = true;
  });
  await expect.poll(() => gate.saves).toBeGreaterThan(before);
  expect(acknowledged).toBe(false);
  release();
  await click;
  await stage.discord.until(() => shows(home(stage), "Ana"));
});

it("keeps a click that was saved too late to be acknowledged, and shows it", async () => {
  const { gate, around } = gated();
  const stage = await delivery({ around, ackMs: 300 });
  await asked(stage);
  const { done, release } = promise();
  gate.open = done;
  stage.discord.expectFailedPress();
  stage.discord.expectError("POST /interactions/:interaction/:token/callback", 10062);
  expect(await stage.team.ana.chooses(home(stage), PASSWORD)).toMatchObject({ kind: "failed" });
  release();
  await stage.discord.until(() => shows(home(stage), "Ana"));
  await stage.discord.until(() => thread(stage).length === 1);
});

it("tells whoever clicks that it was not saved, and draws the menu again, for choosing the same sends nothing", async () => {
  const { gate, around } = gated();
  const stage = await delivery({ around });
  const opened = await asked(stage);
  const { ana, plans } = stage.team;
  gate.fails = true;
  await ana.chooses(home(stage), PASSWORD);
  await stage.discord.until(() => ana.ephemerals(plans).length === 1);
  gate.fails = false;
  expect(await now(stage, opened)).toMatchObject({ status: "pending" });
  expect(thread(stage)).toHaveLength(0);
  const chosen = () => ana.sees(home(stage)).flatMap((control) => control.chosen);
  await stage.discord.until(() => chosen().length === 0);
  expect(await ana.chooses(home(stage), PASSWORD)).toEqual({ kind: "acked" });
  await stage.discord.until(() => thread(stage).length === 1);
});

it("draws a menu again that was changed in a thread and does not count", async () => {
  const stage = await delivery();
  await asked(stage);
  const { ana, gus } = stage.team;
  await ana.chooses(home(stage), PASSWORD);
  await stage.discord.until(() => thread(stage).length === 1);
  const [followUp] = thread(stage);
  if (followUp === undefined) throw new Error("no follow-up");
  await gus.chooses(followUp, "2 Strict");
  await stage.discord.until(() => gus.ephemerals(room(stage)).length === 1);
  await stage.discord.until(() => gus.sees(followUp).every(({ chosen }) => chosen.length === 0));
});

it("tries a message again that could not be saved, until it is", async () => {
  const { gate, around } = gated();
  const clock = movableClock();
  const stage = await delivery({ around, clock });
  const opened = await askedPlan(stage);
  const { ana } = stage.team;
  gate.fails = true;
  await ana.types(room(stage), "rate-limit it");
  for (let waits = 1; waits <= 4; waits += 1) {
    const tries = () => stage.logged.filter((line) => line.includes("could not be taken yet")).length;
    await until(() => tries() >= waits);
    clock.forward(30_000);
  }
  expect(await known(stage, opened)).not.toContain("rate-limit it");
  gate.fails = false;
  clock.forward(30_000);
  await until(async () => (await known(stage, opened)).includes("rate-limit it"));
});

it("reads a message back that could not be saved before the bot ended", async () => {
  const { gate, around } = gated();
  const stage = await delivery({ around });
  const opened = await askedPlan(stage);
  gate.fails = true;
  await stage.team.ana.types(room(stage), "rate-limit it");
  await until(() => says(stage, "could not be taken yet"));
  await stage.stop();
  gate.fails = false;
  await start(stage);
  await until(async () => (await known(stage, opened)).includes("rate-limit it"));
});

it("sends nothing that it cannot note, and does not send it twice when it can again", async () => {
  const { gate, around } = gated();
  const stage = await delivery({ around });
  await asked(stage);
  const { ana } = stage.team;
  const { done, release } = promise();
  stage.discord.fail(POST, { hold: done, at: "response" });
  await ana.chooses(home(stage), PASSWORD);
  await stage.discord.until(() => thread(stage).length === 1);
  gate.fails = true;
  release();
  await until(() => says(stage, "could not be saved"));
  const edits = calls(stage, EDIT).length;
  gate.fails = false;
  await stage.stop();
  await start(stage);
  await stage.discord.until(() => shows(home(stage), "Ana"));
  expect(thread(stage)).toHaveLength(1);
  expect(calls(stage, EDIT).length).toBeGreaterThan(edits);
});
