import { afterEach, beforeEach, expect, test } from "vitest";
import type { Channel } from "./slack/index.ts";
import { refusal, type Scene, scene } from "./slack/testing.ts";

let it: Scene;
let plans: Channel;
beforeEach(async () => {
  it = await scene();
  const ana = it.acme.person({ id: "U1", name: "Ana" });
  plans = it.acme.channel({ id: "C1", name: "plans", members: [ana, it.acme.bot] });
});
afterEach(() => it.slack.stop());

const upload = async (content: string, filename = "plan.md") => {
  const { upload_url = "", file_id = "" } = await it.web.files.getUploadURLExternal({
    filename,
    length: Buffer.byteLength(content),
  });
  const answer = await fetch(upload_url, { method: "POST", body: content });
  return { file_id, status: answer.status };
};

test("the client's own upload puts a file into a thread", async () => {
  const { ts = "" } = await it.web.chat.postMessage({ channel: "C1", text: "a" });
  await it.web.filesUploadV2({
    channel_id: "C1",
    thread_ts: ts,
    filename: "plan.md",
    title: "The plan",
    file: Buffer.from("# Ünï"),
  });
  const [message] = plans.thread(ts);
  expect(message?.files).toMatchObject([{ name: "plan.md", title: "The plan", size: 7 }]);
  expect(message?.files[0]?.content.toString()).toBe("# Ünï");
  expect(plans.transcript()).toBe("# plans\naskgate: a\n    askgate: 📎 The plan");
  await it.slack.assertClean();
});

test("without a channel nothing is shown; info tells where a file is shared", async () => {
  const { file_id } = await upload("a");
  await it.web.files.completeUploadExternal({ files: [{ id: file_id, title: "A" }] });
  expect(plans.messages()).toEqual([]);
  expect((await it.web.files.info({ file: file_id })).file).toMatchObject({
    title: "A",
    shares: { public: {} },
  });
});

test("a deleted file is gone, and the message that held nothing else", async () => {
  const { file_id } = await upload("a");
  await it.web.files.completeUploadExternal({ files: [{ id: file_id }], channel_id: "C1" });
  expect(plans.messages()).toHaveLength(1);
  await it.web.files.delete({ file: file_id });
  expect(plans.messages()).toEqual([]);
  expect(await refusal(it.web.files.info({ file: file_id }))).toBe("file_deleted");
  expect(await refusal(it.web.files.delete({ file: "F0" }))).toBe("file_not_found");
});

test("refuses what was not uploaded, and places where nothing can be shown", async () => {
  const { file_id = "" } = await it.web.files.getUploadURLExternal({ filename: "a", length: 1 });
  const show = (more: object, id = file_id) =>
    refusal(it.web.apiCall("files.completeUploadExternal", { files: [{ id }], ...more }));
  expect(await show({})).toBe("file_not_found");
  const { file_id: there } = await upload("a");
  expect(await show({ channel_id: "C0" }, there)).toBe("channel_not_found");
  expect(await show({ channel_id: "C1", thread_ts: "1.000000" }, there)).toBe("thread_not_found");
  expect(await show({ thread_ts: "1.000000" }, there)).toBe("invalid_arguments");
});

test("an upload of another size, or to an address never given out, is refused", async () => {
  const { upload_url = "" } = await it.web.files.getUploadURLExternal({ filename: "a", length: 2 });
  expect((await fetch(upload_url, { method: "POST", body: "abc" })).status).toBe(400);
  expect((await fetch(upload_url.replace(/up\w+$/, "up0"), { method: "POST", body: "ab" })).status).toBe(400);
  expect(it.slack.violations).toHaveLength(2);
});

test("an upload can fail", async () => {
  it.slack.fail("upload", { http: 500 });
  expect((await upload("a")).status).toBe(500);
  expect((await upload("a")).status).toBe(200);
  await it.slack.assertClean();
});
