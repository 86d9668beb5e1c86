/** Clicks and messages are saved before Slack hears that they arrived. */
import { expect, it } from "vitest";
import type { Store } from "../../../src/core/ports.ts";
import { asked, askedPlan, delivery, home, now, PASSWORD, promise, shows, start, stop } from "./delivery.ts";

/** A store whose saves of sessions wait for a gate, or fail. */
function gated() {
  const gate = { open: Promise.resolve(), fails: false, saves: 0 };
  const around = (store: Store): Store => ({
    ...store,
    load: (key) => store.load(key),
    remove: (key) => store.remove(key),
    list: (prefix) => store.list(prefix),
    close: () => store.close(),
    async save(key, value, expected) {
      if (key.startsWith("session/")) {
        gate.saves += 1;
        await gate.open;
        if (gate.fails) throw new Error("the disk is full");
      }
      return store.save(key, value, expected);
    },
  });
  return { gate, around };
}

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
  await stage.slack.until(() => shows(home(stage), "Ana"));
});

it("tells whoever clicks that it was not saved, and changes nothing", async () => {
  const { gate, around } = gated();
  const stage = await delivery({ around });
  const opened = await asked(stage);
  const { ana, plans } = stage.team;
  gate.fails = true;
  await ana.chooses(home(stage), PASSWORD);
  await stage.slack.until(() => ana.ephemerals(plans).length === 1);
  gate.fails = false;
  expect(await now(stage, opened)).toMatchObject({ status: "pending" });
  expect(plans.thread(home(stage).ts)).toHaveLength(0);
  await ana.chooses(home(stage), PASSWORD);
  await stage.slack.until(() => plans.thread(home(stage).ts).length === 1);
});

it("leaves a message that was not saved to Slack, which brings it again", async () => {
  const { gate, around } = gated();
  const stage = await delivery({ around, ackMs: 300, retryMs: [0, 0, 0, 0, 0, 0, 0, 0] });
  const opened = await askedPlan(stage);
  const { ana, plans } = stage.team;
  stage.slack.expectViolation(/^not acknowledged in time: event message/);
  gate.fails = true;
  await ana.types(plans, "rate-limit it", { thread: home(stage).ts });
  await stage.slack.until(() => stage.logged.some((line) => line.includes("was not acknowledged")));
  gate.fails = false;
  await expect
    .poll(async () => JSON.stringify(await stage.engine().show(opened.session)))
    .toContain("rate-limit it");
});

it("sends nothing that it cannot note, and does not send it twice when it can again", async () => {
  const { gate, around } = gated();
  const stage = await delivery({ around });
  await asked(stage);
  const { ana, plans } = stage.team;
  const { done, release } = promise();
  stage.slack.fail("chat.postMessage", { hold: done, at: "response" });
  await ana.chooses(home(stage), PASSWORD);
  await stage.slack.until(() => plans.thread(home(stage).ts).length === 1);
  gate.fails = true;
  release();
  await stage.slack.until(() => stage.logged.some((line) => line.includes("could not be saved")));
  gate.fails = false;
  await stop(stage);
  await start(stage);
  await stage.slack.until(() => shows(home(stage), "Ana"));
  expect(plans.thread(home(stage).ts)).toHaveLength(1);
});
