import { expect, it } from "vitest";
import { Outbox } from "../../../src/adapters/shared/outbox.ts";
import { manualClock } from "../../doubles/manual-clock.ts";

const PACE = { burst: 2, everyMs: 1_000 };

/** An outbox whose jobs end when told to; `begun` names those that went out. */
function opened() {
  const clock = manualClock();
  const outbox = new Outbox<string>(clock, PACE, "called off");
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const send = (place: string, name: string, kind: "bulk" | "urgent" | "edit") =>
    outbox.send(place, {
      urgent: kind !== "bulk",
      post: kind !== "edit",
      run: () => {
        begun.push(name);
        return new Promise((resolve) => ends.set(name, () => resolve(name)));
      },
    });
  /** Ends the job that is out, and lets the next one begin. */
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.();
    await new Promise(setImmediate);
  };
  return { clock, outbox, begun, send, end };
}

it("sends one at a time in a place", async () => {
  const { begun, send, end } = opened();
  void send("a", "first", "edit");
  void send("a", "second", "edit");
  expect(begun).toEqual(["first"]);
  await end("first");
  expect(begun).toEqual(["first", "second"]);
});

it("holds up no other place", () => {
  const { begun, send } = opened();
  void send("a", "here", "edit");
  void send("b", "there", "edit");
  expect(begun).toEqual(["here", "there"]);
});

it("takes what somebody waits for before bulk, each in its order", async () => {
  const { begun, send, end } = opened();
  void send("a", "1", "edit");
  void send("a", "bulk 1", "bulk");
  void send("a", "bulk 2", "bulk");
  void send("a", "urgent 1", "edit");
  void send("a", "urgent 2", "edit");
  for (const name of ["1", "urgent 1", "urgent 2", "bulk 1"]) await end(name);
  expect(begun).toEqual(["1", "urgent 1", "urgent 2", "bulk 1", "bulk 2"]);
});

it("sends a burst of new posts, then one for each while", async () => {
  const { clock, begun, send, end } = opened();
  for (const name of ["1", "2", "3", "4"]) void send("a", name, "bulk");
  await end("1");
  await end("2");
  expect(begun).toEqual(["1", "2"]);
  clock.advance(999);
  expect(begun).toEqual(["1", "2"]);
  clock.advance(1);
  expect(begun).toEqual(["1", "2", "3"]);
  await end("3");
  clock.advance(1_000);
  expect(begun).toEqual(["1", "2", "3", "4"]);
});

it("counts no changes among the posts: they go out while posts wait", async () => {
  const { begun, send, end } = opened();
  for (const name of ["1", "2", "3"]) void send("a", name, "bulk");
  await end("1");
  await end("2");
  void send("a", "edit", "edit");
  expect(begun).toEqual(["1", "2", "edit"]);
});

it("lets a new post wait for the next turn only, however long it was quiet before", async () => {
  const { clock, begun, send, end } = opened();
  void send("a", "1", "bulk");
  void send("a", "2", "bulk");
  await end("1");
  await end("2");
  clock.advance(400);
  void send("a", "3", "bulk");
  expect(begun).toEqual(["1", "2"]);
  clock.advance(600);
  expect(begun).toEqual(["1", "2", "3"]);
});

it("goes on after a job that failed, and tells who sent it", async () => {
  const { outbox, begun, send } = opened();
  const failed = outbox.send("a", { urgent: true, post: false, run: () => Promise.reject(new Error("no")) });
  void send("a", "next", "edit");
  await expect(failed).rejects.toThrow("no");
  await new Promise(setImmediate);
  expect(begun).toEqual(["next"]);
});

it("forgets a place once its pace is made up for", async () => {
  const { clock, outbox, send, end } = opened();
  void send("a", "1", "bulk");
  await end("1");
  expect(outbox.places).toBe(1);
  clock.advance(1_000);
  expect(outbox.places).toBe(0);
});

it("calls off what has not begun when it stops, and ends what has", async () => {
  const { outbox, send, end } = opened();
  const begun = send("a", "1", "edit");
  const waiting = send("a", "2", "edit");
  outbox.stop();
  expect(await waiting).toBe("called off");
  await end("1");
  expect(await begun).toBe("1");
  expect(await send("a", "3", "edit")).toBe("called off");
});
