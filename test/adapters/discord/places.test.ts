/** Places and people by name and id, as somebody would type them; what cannot be used is said in words. */
import { beforeEach, expect, it } from "vitest";
import type { Guild } from "../../doubles/discord/index.ts";
import { type DiscordStage, discordStage } from "../../support/discord-stage.ts";
import { until } from "../../support/until.ts";

let stage: DiscordStage;
beforeEach(async () => {
  stage = await discordStage({ factor: 100 });
});

const find = (place: string) => stage.chat().resolve(place, null);
const channel = (id: string, guild = "100") => ({
  surface: "discord",
  id: `900000000000000001/${guild}/${id}`,
  direct: false,
});
const found = (place: string) => until(async () => typeof (await find(place)) === "object");

/** What discord.js hears over the gateway a moment later. */
async function newChannel(guild: Guild, id: string, name: string): Promise<void> {
  stage.discord.expectError("GET /users/:user", 10013, { maybe: true });
  guild.channel({ id, name });
  await found(id);
}

it.each([
  "#plans",
  "plans",
  "PLANS",
  " #plans ",
  "201",
  "<#201>",
  "acme/#plans",
  "acme/plans",
  "ACME/#plans",
])("finds a channel by %j", async (place) => {
  expect(await find(place)).toEqual({ ...channel("201"), label: "#plans" });
});

it.each(["@Ana", "@ana", "501", "<@501>", "<@!501>"])("finds a person by %j", async (place) => {
  const ana = stage.team.ana.dm();
  const id = `900000000000000001/@me/${ana.id}`;
  expect(await find(place)).toEqual({ surface: "discord", id, direct: true, label: "Ana" });
});

it("asks for the server where several have a channel of that name", async () => {
  const other = stage.discord.guild({ id: "110", name: "Other / Work" });
  await newChannel(other, "211", "plans");
  expect(await find("#plans")).toMatch(
    /^#plans: there are several: acme\/#plans \(201\), Other \/ Work\/#plans \(211\); name the server too, or use the id$/,
  );
  expect(await find("acme/#plans")).toMatchObject(channel("201"));
  expect(await find("Other / Work/#plans")).toMatchObject(channel("211", "110"));
  expect(await find("211")).toMatchObject(channel("211", "110"));
});

it("gives ids where one server has two channels of a name", async () => {
  await newChannel(stage.team.acme, "212", "plans");
  expect(await find("acme/#plans")).toMatch(/there are several: .*\(201\), .*\(212\)/);
  expect(await find("212")).toMatchObject(channel("212"));
});

it("says what is the matter with a name that is nowhere", async () => {
  expect(await find("#nowhere")).toMatch(/^#nowhere: the bot sees no such channel; is it private\?/);
  expect(await find("elsewhere/#plans")).toMatch(/no such/);
  stage.discord.expectError("GET /users/:user", 10013);
  expect(await find("999")).toMatch(/^999: the bot sees no such channel, and Discord knows no such person/);
});

it.each(["", "#", "@", "/", "acme/", "#plans/", "a/b/c", "../201", "#plans#plans"])(
  "takes %j for no place, and says so",
  async (place) => {
    expect(typeof (await find(place))).toBe("string");
  },
);

it("says that a thread is no place, and whose channel to name", async () => {
  const { ana, plans } = stage.team;
  const id = await ana.types(plans, "talk");
  stage.discord.expectError("GET /users/:user", 10013, { maybe: true });
  await ana.opensThread(plans, id, "talk");
  await until(async () => String(await find(id)).includes("thread"));
  expect(await find(id)).toBe("#talk is a thread: name the channel that it belongs to");
  expect(await find("#talk")).toMatch(/no such channel/);
});

it("says that a direct message is found by its person", async () => {
  const dm = stage.team.ana.dm();
  await stage.open({ to: ["@Ana"] });
  stage.discord.expectError("GET /users/:user", 10013, { maybe: true });
  expect(typeof (await find(dm.id))).toBe("string");
});

it("names every permission that is missing, by the words of Discord's settings", async () => {
  stage.team.plans.denies(["SEND_MESSAGES", "CREATE_PUBLIC_THREADS", "ADD_REACTIONS"]);
  await until(async () => typeof (await find("#plans")) === "string");
  expect(await find("#plans")).toMatch(
    /^#plans: the bot may not (?=.*Send Messages)(?=.*Create Public Threads)(?=.*Add Reactions).*: give its role these permissions there$/,
  );
  stage.team.plans.allows(["SEND_MESSAGES", "CREATE_PUBLIC_THREADS", "ADD_REACTIONS"]);
  await found("#plans");
});

it("names what the whole server took away", async () => {
  stage.team.acme.everyone(["VIEW_CHANNEL", "SEND_MESSAGES"]);
  await until(async () => typeof (await find("#plans")) === "string");
  expect(await find("#plans")).toMatch(/Read Message History/);
  stage.team.acme.botRole(["ADMINISTRATOR"]);
  await found("#plans");
});

it("knows a channel by its new name, and not where it was deleted", async () => {
  await newChannel(stage.team.acme, "213", "ideas");
  stage.discord.room("213").delete();
  await until(async () => typeof (await find("#ideas")) === "string");
  expect(await find("#ideas")).toMatch(/no such channel/);
});

it("asks for an id where several people have a name", async () => {
  stage.team.acme.person({ id: "591", name: "Ana" });
  expect(await find("@Ana")).toMatch(/^@Ana: there are several: Ana \(501\), Ana \(591\)$/);
  expect(await find("@Anab")).toBe("@Anab: nobody in the bot's servers has that name; an id works too");
  expect(await find("@An")).toMatch(/nobody/);
});

it("takes one person in two servers for one", async () => {
  const other = stage.discord.guild({ id: "110", name: "other" });
  other.person({ id: "501", name: "Ana" });
  await until(() => other.name === "other");
  expect(await find("@Ana")).toMatchObject({ direct: true, label: "Ana" });
});

it("asks again while Discord does not answer, and says so in the end, not that nobody has that name", async () => {
  const search = "GET /guilds/:guild/members/search";
  stage.discord.fail(search, { http: 503 });
  expect(await find("@Ana")).toMatchObject({ direct: true, label: "Ana" });
  stage.discord.fail(search, { http: 503 }, { times: 3 });
  expect(await find("@Ana")).toBe("@Ana: Discord does not answer");
});

it.each([
  ["GET /users/:user", /^501: .*Discord asks for patience; try again soon$/],
  ["POST /users/@me/channels", /^Ana: Discord asks for patience; try again soon$/],
] as const)("does not wait long for %s, and says that it has to be asked later", async (route, words) => {
  stage.discord.fail(route, { retryAfter: 10 });
  expect(await find("501")).toMatch(words);
});

it("does not write to a bot, nor to itself", async () => {
  stage.team.acme.person({ id: "592", name: "Robot", bot: true });
  stage.discord.expectError("POST /users/@me/channels", 50007);
  expect(await find("@Robot")).toMatch(/^robot: /);
  expect(await find(stage.discord.bot.id)).toMatch(/^askgate: /);
});

it("says to invite the bot where it is in no server", async () => {
  stage.team.acme.kicksBot();
  await until(async () => String(await find("#plans")).includes("in no server"));
  expect(await find("#plans")).toBe("the bot is in no server yet: invite it (askgate setup discord)");
  expect(await find("@Ana")).toBe("@Ana: the bot is in no server yet: invite it (askgate setup discord)");
});

it("says who has to pair before it can ask `me`", async () => {
  expect(await find("me")).toMatch(/^me: nobody is paired in askgate; run askgate setup discord/);
});
