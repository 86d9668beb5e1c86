/** What Discord refuses for good, before a round is put and after: the command hears it, people do, and the bot goes on. */
import { expect, it } from "vitest";
import { movableClock } from "../../support/movable-clock.ts";
import { until } from "../../support/until.ts";
import {
  asked,
  askedPlan,
  calls,
  DAY,
  delivery,
  EDIT,
  home,
  known,
  now,
  PASSWORD,
  POST,
  REACT,
  room,
  says,
  shows,
  THREAD,
  thread,
} from "./delivery.ts";

const unreachable = (reason: RegExp) => ({ status: "unreachable", reason: expect.stringMatching(reason) });

it.each([
  ["VIEW_CHANNEL", /the bot may not View Channel|sees no such channel/],
  ["SEND_MESSAGES", /#plans: the bot may not Send Messages: give its role/],
  ["SEND_MESSAGES_IN_THREADS", /Send Messages in Threads/],
  ["CREATE_PUBLIC_THREADS", /Create Public Threads/],
  ["ATTACH_FILES", /Attach Files/],
  ["READ_MESSAGE_HISTORY", /Read Message History/],
  ["ADD_REACTIONS", /Add Reactions/],
] as const)("cannot ask where the bot lacks %s, and names it", async (permission, reason) => {
  const stage = await delivery();
  const { plans } = stage.team;
  plans.denies([permission]);
  await until(async () => typeof (await stage.chat().resolve("#plans", null)) === "string");
  const { result } = await stage.open();
  expect(result).toMatchObject(unreachable(reason));
  expect(plans.messages()).toHaveLength(0);
});

it.each([
  [{ status: 403, code: 50013 }, /lacks a permission there: see askgate doctor/],
  [{ status: 403, code: 50001 }, /cannot see it: give its role View Channel/],
  [{ status: 404, code: 10003 }, /no such channel/],
  [{ status: 403, code: 99999 }, /Discord says: .* \(99999\)/],
] as const)("tells the command at once why nothing could be put up: %j", async (fault, reason) => {
  const stage = await delivery();
  stage.discord.fail(POST, fault);
  const opened = await stage.open();
  expect(opened.result).toMatchObject(unreachable(reason));
  expect(opened.notes.join()).toMatch(reason);
});

it("leaves no announcement behind that could not become a card, and says why", async () => {
  const stage = await delivery();
  stage.discord.fail(EDIT, { status: 403, code: 50013 });
  const opened = await stage.open();
  expect(opened.result).toMatchObject(unreachable(/lacks a permission/));
  await stage.discord.until(() => stage.team.plans.messages().length === 0);
});

it("is asked elsewhere when one of two places refuses, with a note", async () => {
  const stage = await delivery();
  stage.team.acme.channel({ id: "209", name: "hidden", members: [stage.team.ana] });
  const opened = await asked(stage, { to: ["#plans", "#hidden"] });
  expect(opened.notes.join()).toContain("#hidden");
});

it("says why somebody cannot be asked who takes no direct messages", async () => {
  const stage = await delivery();
  stage.team.ana.closesDms();
  stage.discord.expectError(POST, 50007);
  const { result } = await stage.open({ to: ["@Ana"] });
  expect(result).toMatchObject(unreachable(/take no direct messages from the bot/));
});

it("says why somebody cannot be asked who shares no server with the bot any more", async () => {
  const stage = await delivery();
  const { acme, ana } = stage.team;
  await asked(stage, { to: ["@Ana"] });
  acme.kicks(ana);
  stage.discord.expectError(POST, 50278);
  const { result } = await stage.open({ session: "another", to: [ana.id] });
  expect(result).toMatchObject(unreachable(/share no server with the bot: invite it/));
});

it("cannot ask in a server that it was taken out of, nor in a channel that is gone", async () => {
  const stage = await delivery();
  const { acme, plans } = stage.team;
  plans.delete();
  await until(async () => typeof (await stage.chat().resolve("#plans", null)) === "string");
  expect((await stage.open()).result).toMatchObject(unreachable(/#plans: the bot sees no such channel/));
  acme.kicksBot();
  await until(async () => String(await stage.chat().resolve("#plans", null)).includes("no server"));
  expect((await stage.open()).result).toMatchObject(unreachable(/in no server yet: invite it/));
});

it("says why a follow-up cannot be asked of somebody who took no direct messages meanwhile", async () => {
  const stage = await delivery();
  const { ana } = stage.team;
  const opened = await asked(stage, { to: ["@Ana"] });
  const [card] = ana.dm().messages();
  if (card === undefined) throw new Error("nothing stands there");
  ana.closesDms();
  stage.discord.expectError(POST, 50007);
  await ana.chooses(card, PASSWORD);
  const troubles = async () => JSON.stringify((await stage.engine().show(opened.session)).troubles);
  await until(async () => (await troubles()).includes("take no direct messages from the bot"));
  ana.closesDms(false);
  await ana.chooses(card, DAY);
  await stage.discord.until(() => shows(card, "One day — Ana"));
});

const TAKEN = ["view", "threads", "writing in threads", "server"] as const;

it.each(TAKEN)(
  "goes on, visibly, where it may not write any more, and shows all with the next change: %s",
  async (how) => {
    const stage = await delivery();
    const opened = await asked(stage);
    const { ana, acme, plans } = stage.team;
    const code = how.includes("threads") ? 50013 : 50001;
    for (const route of [THREAD, POST, EDIT, "GET /channels/:channel"])
      stage.discord.expectError(route, code, { maybe: true });
    if (how === "view") plans.kicks(acme.bot);
    if (how === "threads") plans.denies(["CREATE_PUBLIC_THREADS"]);
    if (how === "writing in threads") plans.denies(["SEND_MESSAGES_IN_THREADS"]);
    if (how === "server") acme.kicksBot();
    await ana.chooses(home(stage), PASSWORD);
    const troubles = async () => JSON.stringify((await stage.engine().show(opened.session)).troubles);
    await until(async () => (await troubles()).includes("discord #plans: "));
    expect(says(stage, "a surface refused a card")).toBe(true);
    expect(await now(stage, opened)).toMatchObject({ status: "pending" });
    if (how === "view") plans.invites(acme.bot);
    if (how === "threads") plans.allows(["CREATE_PUBLIC_THREADS"]);
    if (how === "writing in threads") plans.allows(["SEND_MESSAGES_IN_THREADS"]);
    if (how === "server") acme.invitesBot();
    await ana.chooses(home(stage), DAY);
    await stage.discord.until(() => shows(home(stage), "✓ One day"));
    await until(async () => (await troubles()) === "[]");
    expect(thread(stage)).toHaveLength(1);
  },
);

it("asks without the plan's file where files are refused, with a note", async () => {
  const stage = await delivery();
  const opening = askedPlan(stage);
  await stage.discord.until(() => thread(stage).length === 2);
  stage.team.plans.denies(["ATTACH_FILES"]);
  stage.discord.expectError(POST, 50013);
  const opened = await opening;
  await until(async () => (await known(stage, opened)).includes("lacks a permission"));
  await stage.discord.until(() => thread(stage).some((message) => shows(message, "Approve")));
  await stage.team.ana.presses(home(stage), "Approve");
  expect(await now(stage, opened)).toMatchObject({ decision: "approve" });
});

it("keeps what was typed where signs are refused", async () => {
  const stage = await delivery();
  const opened = await askedPlan(stage);
  stage.team.plans.denies(["ADD_REACTIONS"]);
  stage.discord.expectError(REACT, 50013);
  await stage.team.ana.types(room(stage), "rate-limit it");
  await until(() => says(stage, "could not be told"));
  expect(await known(stage, opened)).toContain("rate-limit it");
});

it("draws a card plainly that Discord does not accept, with buttons that work", async () => {
  const stage = await delivery();
  stage.discord.fail(EDIT, { status: 400, code: 50035 });
  const opened = await asked(stage);
  expect(says(stage, "drawn plainly")).toBe(true);
  expect(shows(home(stage), "Which auth methods?")).toBe(true);
  await stage.team.ana.presses(home(stage), "★ Accept recommended");
  await stage.discord.until(() => shows(home(stage), "Ana"));
  await stage.team.ana.presses(home(stage), "Send to agent");
  expect(await now(stage, opened)).toMatchObject({ status: "submitted" });
});

it("shows plainly, too, what Discord does not accept as a change", async () => {
  const stage = await delivery();
  await asked(stage);
  stage.discord.fail(EDIT, { status: 400, code: 50035 });
  await stage.team.ana.chooses(home(stage), DAY);
  await stage.discord.until(() => shows(home(stage), "One day — Ana"));
});

it("draws a reply plainly, too, that Discord does not accept", async () => {
  const stage = await delivery();
  await asked(stage);
  stage.discord.fail(POST, { status: 400, code: 50035 });
  await stage.team.ana.chooses(home(stage), PASSWORD);
  await stage.discord.until(() => thread(stage).some((message) => shows(message, "Password policy?")));
});

it("waits with an old message that was changed too often, and goes on below it", async () => {
  const clock = movableClock();
  const stage = await delivery({ clock, now: clock.now, oldEdits: 1 });
  await asked(stage, { timeoutMs: null });
  const { ana } = stage.team;
  clock.forward(2 * 3_600_000);
  await ana.chooses(home(stage), DAY);
  await stage.discord.until(() => shows(home(stage), "One day — Ana"));
  stage.discord.expectError(EDIT, 30046);
  await ana.chooses(home(stage), "2 One month");
  await stage.discord.until(() => calls(stage, EDIT).at(-1)?.error === "30046");
  await ana.chooses(home(stage), PASSWORD);
  clock.forward(31_000);
  await stage.discord.until(() => thread(stage).length === 1);
  clock.forward(3_600_000);
  await until(() => {
    clock.forward(31_000);
    return shows(home(stage), "One month — Ana");
  });
});
