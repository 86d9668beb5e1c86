/** Posts, threads and channels that people put away or delete: what is still asked stands again, and says where. */
import { expect, it } from "vitest";
import { until } from "../../support/until.ts";
import {
  asked,
  askedPlan,
  delivery,
  EDIT,
  home,
  known,
  MAGIC,
  now,
  PASSWORD,
  POST,
  REACT,
  READ,
  room,
  shows,
  THREAD,
  thread,
} from "./delivery.ts";

it("puts the home message up again that somebody deleted, and goes on below the new one", async () => {
  const stage = await delivery();
  const opened = await asked(stage);
  const { plans, ana } = stage.team;
  plans.allows(["MANAGE_MESSAGES"], ana);
  await ana.chooses(home(stage), PASSWORD);
  await stage.discord.until(() => shows(home(stage), "Ana"));
  const old = home(stage).id;
  await ana.sweeps(plans, [old]);
  await stage.discord.until(() => plans.messages().length === 1 && home(stage).id !== old);
  const below = () => plans.thread(old)?.messages() ?? [];
  expect(below()).toHaveLength(1);
  await ana.chooses(below()[0] ?? home(stage), "2 Strict");
  await until(async () => JSON.stringify(await known(stage, opened)).includes("strict"));
  await ana.chooses(home(stage), MAGIC);
  await stage.discord.until(() => below().length === 0);
  await ana.chooses(home(stage), PASSWORD);
  await stage.discord.until(() => thread(stage).length === 1);
  expect(plans.messages()).toHaveLength(1);
});

it("puts a follow-up up again that somebody deleted", async () => {
  const stage = await delivery();
  await asked(stage);
  const { plans, ana } = stage.team;
  plans.allows(["MANAGE_MESSAGES"], ana);
  await ana.chooses(home(stage), PASSWORD);
  await stage.discord.until(() => shows(home(stage), "Ana"));
  const [first] = thread(stage);
  await ana.sweeps(room(stage), [first?.id ?? ""]);
  await stage.discord.until(() => thread(stage).some(({ id }) => id !== first?.id));
  expect(thread(stage)).toHaveLength(1);
});

it("puts a message up anew that is gone without anybody having said so", async () => {
  const stage = await delivery();
  await asked(stage);
  stage.discord.fail(EDIT, { status: 404, code: 10008 });
  await stage.team.ana.chooses(home(stage), "1 One day");
  await stage.discord.until(() => stage.team.plans.messages().length === 2);
});

it("puts a home up again whose loss shows when its thread is to be opened", async () => {
  const stage = await delivery();
  await asked(stage);
  stage.discord.fail(THREAD, { status: 404, code: 10008 });
  await stage.team.ana.chooses(home(stage), PASSWORD);
  const { plans } = stage.team;
  await stage.discord.until(() => plans.messages().length === 2);
  await stage.discord.until(() => plans.threads().length === 1);
  expect(plans.threads()[0]?.id).toBe(plans.messages()[1]?.id);
});

it("opens a thread again that was put away, to change and to take away", async () => {
  const stage = await delivery();
  await asked(stage);
  const { ana } = stage.team;
  await ana.chooses(home(stage), PASSWORD);
  await stage.discord.until(() => shows(home(stage), "Ana"));
  stage.discord.expectError(EDIT, 50083);
  room(stage).archive();
  const [followUp] = thread(stage);
  await ana.chooses(followUp ?? home(stage), "2 Strict");
  await stage.discord.until(() => shows(followUp, "Strict — Ana"));
  expect(room(stage).archived).toBe(false);
  room(stage).archive();
  await ana.chooses(home(stage), MAGIC);
  await stage.discord.until(() => thread(stage).length === 0);
});

it("writes in a thread that was put away", async () => {
  const stage = await delivery();
  await asked(stage);
  const { ana } = stage.team;
  await ana.chooses(home(stage), PASSWORD);
  await stage.discord.until(() => thread(stage).length === 1);
  await ana.chooses(home(stage), MAGIC);
  await stage.discord.until(() => thread(stage).length === 0);
  room(stage).archive();
  await ana.chooses(home(stage), PASSWORD);
  await stage.discord.until(() => thread(stage).length === 1);
});

it("says that a thread is locked, and goes on once it is not", async () => {
  const stage = await delivery();
  const opened = await asked(stage);
  const { ana } = stage.team;
  await ana.chooses(home(stage), PASSWORD);
  await stage.discord.until(() => shows(home(stage), "Ana"));
  room(stage).lock();
  room(stage).archive();
  for (const route of [EDIT, "PATCH /channels/:channel"])
    for (const code of [50083, 50013]) stage.discord.expectError(route, code, { maybe: true });
  const [followUp] = thread(stage);
  await ana.chooses(followUp ?? home(stage), "2 Strict");
  const troubles = async () => JSON.stringify((await stage.engine().show(opened.session)).troubles);
  await until(async () => (await troubles()).includes("discord #plans: "));
  room(stage).unlock();
  await ana.chooses(followUp ?? home(stage), "1 Lenient");
  await stage.discord.until(() => shows(followUp, "Lenient — Ana"));
});

it("opens a thread again that somebody deleted, with what stood in it", async () => {
  const stage = await delivery();
  const opened = await askedPlan(stage);
  const { ana } = stage.team;
  await ana.types(room(stage), "rate-limit it");
  await until(async () => (await known(stage, opened)).includes("rate-limit it"));
  for (const route of [REACT, READ, POST, EDIT]) stage.discord.expectError(route, 10003, { maybe: true });
  room(stage).delete();
  await until(async () => !(await known(stage, opened)).includes("rate-limit it"));
  await stage.discord.until(() => {
    const again = stage.team.plans.threads().flatMap((one) => one.messages());
    return again.some((message) => shows(message, "We send"));
  });
  await ana.presses(home(stage), "Approve");
  expect(await now(stage, opened)).toMatchObject({ decision: "approve" });
});

it("goes on in a channel that is left when another is deleted", async () => {
  const stage = await delivery();
  const { acme, ana, plans } = stage.team;
  const ideas = acme.channel({ id: "202", name: "ideas", members: [ana, acme.bot] });
  await until(async () => typeof (await stage.chat().resolve("#ideas", null)) === "object");
  const opened = await asked(stage, { to: ["#plans", "#ideas"] });
  ideas.delete();
  for (const route of [THREAD, POST, EDIT, READ]) stage.discord.expectError(route, 10003, { maybe: true });
  await ana.chooses(home(stage), PASSWORD);
  await stage.discord.until(() => thread(stage).length === 1);
  const troubles = async () => JSON.stringify((await stage.engine().show(opened.session)).troubles);
  await until(async () => (await troubles()).includes("discord #ideas: "));
  expect(plans.messages()).toHaveLength(1);
});
