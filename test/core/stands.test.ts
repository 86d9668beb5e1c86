import { expect, it } from "vitest";
import type { Post, Session } from "../../src/core/session.ts";
import { Stands } from "../../src/core/stands.ts";

const HERE = { surface: "slack" as const, id: "T1/C1", direct: false, label: "#plans" };
const THERE = { ...HERE, id: "T1/C2" };

const post = (handle: string | null, more: Partial<Post> = {}): Post => ({
  key: "r_x-1",
  handle,
  digest: "d",
  state: handle === null ? "sending" : "standing",
  nonce: `n${handle}`,
  triedAt: handle === null ? 1 : null,
  reason: "",
  ...more,
});

const session = (id: string, posts: Session["posts"], ended: Session["ended"] = null) => ({
  id,
  posts,
  ended,
});
const HERE_KEY = "slack:T1/C1";

it("knows whose a post is, in its place only", () => {
  const stands = new Stands();
  stands.note(session("s_1", { [HERE_KEY]: [post("1.1")] }));
  expect(stands.under(HERE, "1.1")).toBe("s_1");
  expect(stands.under(HERE, "1.2")).toBeUndefined();
  expect(stands.under(THERE, "1.1")).toBeUndefined();
});

it("remembers a post that was put up anew: people go on in its old thread", () => {
  const stands = new Stands();
  stands.note(session("s_1", { [HERE_KEY]: [post("1.1")] }));
  stands.note(session("s_1", { [HERE_KEY]: [post("2.1")] }));
  expect(stands.under(HERE, "1.1")).toBe("s_1");
});

it("gives the running sessions of a place, the one posted to last first", () => {
  const stands = new Stands();
  stands.note(session("s_1", { [HERE_KEY]: [post("1.1")] }));
  stands.note(session("s_2", { [HERE_KEY]: [post("2.1")] }));
  expect(stands.at(HERE)).toEqual(["s_2", "s_1"]);
  stands.note(session("s_1", { [HERE_KEY]: [post("1.1"), post("1.2")] }));
  expect(stands.at(HERE)).toEqual(["s_1", "s_2"]);
  stands.note(session("s_1", { [HERE_KEY]: [post("1.1")] }, { how: "down", at: 0, by: null }));
  expect(stands.at(HERE)).toEqual(["s_2"]);
  expect(stands.at(THERE)).toEqual([]);
});

it("waits for a post on its way, however it ends", async () => {
  const stands = new Stands();
  stands.note(session("s_1", { [HERE_KEY]: [post(null)] }));
  let known = false;
  const waiting = stands.known(HERE).then(() => {
    known = true;
  });
  await stands.known(THERE);
  expect(known).toBe(false);
  stands.note(session("s_1", { [HERE_KEY]: [post("1.1")] }));
  await waiting;
  expect(stands.under(HERE, "1.1")).toBe("s_1");
});
