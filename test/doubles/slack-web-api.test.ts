import { WebClient } from "@slack/web-api";
import { afterEach, beforeEach, expect, test } from "vitest";
import { client, quiet, refusal, refused, type Scene, scene } from "./slack/testing.ts";

let it: Scene;
beforeEach(async () => {
  it = await scene({ factor: Number.POSITIVE_INFINITY }, { moreScopes: ["reactions:read", "team:read"] });
});
afterEach(() => it.slack.stop());

const CHANNEL = "C1";

function plans() {
  const ana = it.acme.person({ id: "U1", name: "Ana", email: "Ana@acme.test" });
  const ben = it.acme.person({ id: "U2", name: "Ben", guest: true });
  const eve = it.acme.person({ id: "U3", name: "Eve", external: true });
  const plans = it.acme.channel({ id: CHANNEL, name: "plans", members: [ana, ben, it.acme.bot] });
  return { ana, ben, eve, plans };
}

const post = async (more = {}): Promise<string> =>
  (await it.web.chat.postMessage({ channel: CHANNEL, text: "a", ...more })).ts ?? "";

test("says who the bot is, and which scopes its token has", async () => {
  const who = await it.web.auth.test();
  expect(who).toMatchObject({
    team_id: "T1",
    user_id: it.acme.botUserId,
    bot_id: it.acme.botId,
    url: it.acme.url,
  });
  expect(who.response_metadata?.scopes).toContain("chat:write");
  await it.slack.assertClean();
});

test("refuses tokens that are none, of nobody, of the other kind, or taken away", async () => {
  plans();
  const none = new WebClient(undefined, {
    slackApiUrl: it.slack.apiUrl,
    retryConfig: { retries: 0 },
    logger: quiet,
  });
  expect(await refusal(none.auth.test())).toBe("not_authed");
  expect(await refusal(client(it.slack, "xoxb-nobody").auth.test())).toBe("invalid_auth");
  expect(await refusal(client(it.slack, it.acme.appToken).auth.test())).toBe("not_allowed_token_type");
  expect(await refusal(it.web.apps.connections.open())).toBe("not_allowed_token_type");
  it.acme.revoke();
  expect(await refusal(post())).toBe("token_revoked");
  it.acme.revoke("account_inactive");
  expect(await refusal(it.web.auth.test())).toBe("account_inactive");
  await expect(it.slack.assertClean()).rejects.toThrow("chat.postMessage was refused: token_revoked");
});

test("refuses what the scopes do not hold", async () => {
  const bare = it.slack.workspace({ id: "T2", name: "bare", domain: "bare", scopes: ["chat:write"] });
  const web = client(it.slack, bare.botToken);
  bare.channel({ id: "C9", name: "x", members: [bare.bot], private: true });
  expect(await refused(web.users.info({ user: "U1" }))).toMatchObject({
    error: "missing_scope",
    needed: "users:read",
    provided: "chat:write",
  });
  expect(await refused(web.conversations.info({ channel: "C9" }))).toMatchObject({ needed: "groups:read" });
  expect(await refused(web.conversations.history({ channel: "C9" }))).toMatchObject({
    needed: "groups:history",
  });
});

test("an unknown method is an error, and a violation that nothing excuses but its expectation", async () => {
  expect(await refusal(it.web.apiCall("chat.postmessage", {}))).toBe("unknown_method");
  await expect(it.slack.assertClean()).rejects.toThrow("chat.postmessage was refused: unknown_method");
});

test("an argument that no method knows is a violation", async () => {
  await it.web.apiCall("auth.test", { colour: "red" });
  await expect(it.slack.assertClean()).rejects.toThrow("auth.test: unknown argument colour");
});

test("an expected refusal is clean, and one that never came is not", async () => {
  plans();
  it.slack.expectError("chat.postMessage", "no_text");
  await expect(it.slack.assertClean()).rejects.toThrow("never was");
  expect(await refusal(it.web.chat.postMessage({ channel: CHANNEL, text: "" }))).toBe("no_text");
  await it.slack.assertClean();
});

test("people are found by id and address, guests and strangers marked", async () => {
  plans();
  expect((await it.web.users.lookupByEmail({ email: "ana@ACME.test" })).user?.id).toBe("U1");
  expect(await refusal(it.web.users.lookupByEmail({ email: "no@acme.test" }))).toBe("users_not_found");
  expect((await it.web.users.info({ user: "U2" })).user).toMatchObject({
    is_restricted: true,
    team_id: "T1",
  });
  expect((await it.web.users.info({ user: "U3" })).user).toMatchObject({
    is_stranger: true,
    team_id: "T0FOREIGN",
  });
  expect(await refusal(it.web.users.info({ user: "U0" }))).toBe("user_not_found");
  expect((await it.web.users.list({})).members).toHaveLength(4);
  expect((await it.web.bots.info({ bot: it.acme.botId })).bot?.user_id).toBe(it.acme.botUserId);
  expect((await it.web.team.info()).team).toMatchObject({ id: "T1", domain: "acme" });
});

test("channels are listed by kind, private ones only from inside, in pages", async () => {
  const { ana } = plans();
  it.acme.channel({ id: "C2", name: "public", members: [ana] });
  it.acme.channel({ id: "C3", name: "secret", members: [ana], private: true });
  it.acme.channel({ id: "C4", name: "ours", members: [it.acme.bot], private: true });
  it.acme.channel({ id: "C5", name: "old", members: [it.acme.bot], archived: true });
  const ids = async (call: Promise<{ channels?: { id?: string }[] }>) =>
    (await call).channels?.map((one) => one.id);
  const types = "public_channel,private_channel";
  expect(await ids(it.web.conversations.list({ types, exclude_archived: true }))).toEqual(["C1", "C2", "C4"]);
  expect(await ids(it.web.users.conversations({ types }))).toEqual(["C1", "C4", "C5"]);
  const first = await it.web.conversations.list({ types, limit: 3 });
  const cursor = first.response_metadata?.next_cursor ?? "";
  expect(await ids(it.web.conversations.list({ types, limit: 3, cursor }))).toEqual(["C5"]);
  expect((await it.web.conversations.members({ channel: CHANNEL, limit: 2 })).members).toEqual(["U1", "U2"]);
  const { channel } = await it.web.conversations.info({ channel: CHANNEL, include_num_members: true });
  expect(channel).toMatchObject({ name: "plans", is_member: true, num_members: 3 });
});

test("a direct channel is opened with people, not with bots or nobody", async () => {
  const { ana } = plans();
  const { channel } = await it.web.conversations.open({ users: "U1" });
  expect(channel?.id).toBe(ana.dm().id);
  expect(await it.web.conversations.open({ users: "U1" })).toMatchObject({ already_open: true });
  expect(await refusal(it.web.conversations.open({ users: "U0" }))).toBe("user_not_found");
  expect(await refusal(it.web.conversations.open({ users: it.acme.botUserId }))).toBe("cannot_dm_bot");
});
