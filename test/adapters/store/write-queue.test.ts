/** The queue over a disk that one can draw: rooms, transactions, and the ways in which both fail. */
import { describe, expect, it } from "vitest";
import { type Write, WriteQueue } from "../../../src/adapters/store/write-queue.ts";

const failure = (code: string | number): Error => Object.assign(new Error(`failed with ${code}`), { code });

/** Keeps what is committed; `fails` says with what a transaction over these names ends, if with anything. */
function disk(room: number, fails: (names: string[]) => Error | undefined = () => undefined) {
  const transactions: string[][] = [];
  let pending: string[] = [];
  const write = (name: string, size = 1): Write => ({
    size,
    act: async () => pending.push(name) > 0,
  });
  const queue = new WriteQueue({
    makeRoom: async (sizes) => {
      if (sizes.reduce((sum, size) => sum + size, 0) > room) throw failure("ENOSPC");
    },
    transact: async (act) => {
      pending = [];
      act();
      const names = pending;
      await Promise.resolve();
      const error = fails(names);
      if (error) throw error;
      transactions.push(names);
    },
  });
  return { queue, transactions, write };
}

describe("the write queue", () => {
  it("writes together what arrives together, and next what arrives meanwhile", async () => {
    const { queue, transactions, write } = disk(100);
    const first = [queue.add(write("a")), queue.add(write("b"))];
    const later = Promise.all(first).then(() => queue.add(write("d")));
    await Promise.all([...first, later, queue.add(write("c"))]);
    expect(transactions).toEqual([["a", "b", "c"], ["d"]]);
  });

  it("takes at most a hundred in one transaction", async () => {
    const { queue, transactions, write } = disk(1_000);
    await Promise.all(Array.from({ length: 250 }, (_, index) => queue.add(write(`${index}`))));
    expect(transactions.map((names) => names.length)).toEqual([100, 100, 50]);
  });

  it("refuses what finds no room, and nothing else", async () => {
    const { queue, transactions, write } = disk(10);
    const ended = await Promise.allSettled([
      queue.add(write("a")),
      queue.add(write("large", 11)),
      queue.add(write("c")),
    ]);
    expect(ended).toMatchObject([{ value: true }, { reason: { code: "ENOSPC" } }, { value: true }]);
    expect(transactions).toEqual([["a"], ["c"]]);
    expect(await queue.add(write("d"))).toBe(true);
  });

  it("refuses what meets a damaged page, and nothing else", async () => {
    const corrupted = failure(-30796);
    const { queue, write } = disk(10, (names) => (names.includes("bad") ? corrupted : undefined));
    const ended = await Promise.allSettled([
      queue.add(write("a")),
      queue.add(write("bad")),
      queue.add(write("c")),
    ]);
    expect(ended).toMatchObject([{ value: true }, { reason: corrupted }, { value: true }]);
  });

  it.each([5, -30795])("writes nothing more once the disk failed with %i", async (code) => {
    let healthy = false;
    const { queue, transactions, write } = disk(10, () => (healthy ? undefined : failure(code)));
    const refused = {
      code: "store_failed",
      message: expect.stringContaining("nothing is saved any more"),
      help: expect.stringContaining("restart the bot"),
      cause: { code },
    };
    await expect(queue.add(write("a"))).rejects.toMatchObject(refused);
    healthy = true;
    await expect(queue.add(write("b"))).rejects.toMatchObject(refused);
    expect(transactions).toEqual([]);
  });

  it('gives the reason behind lmdb-js\'s "Commit failed"', async () => {
    const commitError = Promise.reject(failure(-30796));
    const { queue, write } = disk(10, () => Object.assign(new Error("Commit failed"), { commitError }));
    await expect(queue.add(write("a"))).rejects.toMatchObject({ code: -30796 });
  });

  it("is idle when everything has ended, well or badly", async () => {
    const { queue, transactions, write } = disk(10);
    const ended = Promise.allSettled([queue.add(write("a")), queue.add(write("large", 11))]);
    await queue.idle();
    expect(transactions).toEqual([["a"]]);
    expect(await ended).toMatchObject([{ value: true }, { reason: { code: "ENOSPC" } }]);
  });
});
