import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Card } from "../../src/core/card.ts";
import { digest, reconcile } from "../../src/core/reconcile.ts";
import type { Post } from "../../src/core/session.ts";

const card = (key: string, text: string): Card => ({
  key,
  round: "r",
  under: null,
  settled: false,
  topic: "",
  mention: [],
  alert: "",
  parts: [{ kind: "text", text, tone: "body", at: null }],
});

const keys = fc.constantFrom("a", "b", "c", "d", "e");
const texts = fc.constantFrom("1", "2", "3");
const anyCards = fc.uniqueArray(fc.tuple(keys, texts), { selector: ([key]) => key });
const anyPosts = fc.array(
  fc.record({ key: keys, text: texts, state: fc.constantFrom("standing", "sending", "refused") }),
);

const postsFrom = (made: { key: string; text: string; state: string }[]): Post[] =>
  made.map(({ key, text, state }, at) => ({
    key,
    handle: `h${at}`,
    digest: digest(card(key, text)),
    state: state === "sending" ? "sending" : "standing",
    nonce: `n${at}`,
    triedAt: null,
    reason: "",
  }));

/** What a place holds after the operations: handle → digest. */
function applied(posts: Post[], operations: ReturnType<typeof reconcile>): string[] {
  const place = new Map(posts.map(({ handle, key, digest: drawn }) => [handle, `${key} ${drawn}`]));
  for (const [at, operation] of operations.entries()) {
    if (operation.op === "remove") place.delete(operation.handle);
    else {
      const handle = operation.op === "update" ? operation.handle : `new${at}`;
      place.set(handle, `${operation.card.key} ${digest(operation.card)}`);
    }
  }
  return [...place.values()].sort();
}

describe("reconcile", () => {
  it("gives exactly the cards, from whatever stands there, with the fewest operations", () => {
    fc.assert(
      fc.property(anyCards, anyPosts, (wanted, made) => {
        const cards = wanted.map(([key, text]) => card(key, text));
        const posts = postsFrom(made);
        const operations = reconcile(cards, posts);
        expect(applied(posts, operations)).toEqual(cards.map((one) => `${one.key} ${digest(one)}`).sort());
        const first = new Map(posts.toReversed().map((post) => [post.key, post]));
        const extra = posts.filter(
          (post) => first.get(post.key) !== post || !wanted.some(([key]) => key === post.key),
        );
        const stale = cards.filter((one) => {
          const post = first.get(one.key);
          return post === undefined || post.digest !== digest(one) || post.state === "sending";
        });
        expect(operations).toHaveLength(extra.length + stale.length);
      }),
    );
  });

  it("posts new cards first, in their order, then updates, then removes", () => {
    const operations = reconcile(
      [card("a", "2"), card("b", "1"), card("c", "1")],
      postsFrom([
        { key: "x", text: "1", state: "standing" },
        { key: "a", text: "1", state: "standing" },
      ]),
    );
    expect(operations.map((one) => `${one.op} ${one.op === "remove" ? one.key : one.card.key}`)).toEqual([
      "post b",
      "post c",
      "update a",
      "remove x",
    ]);
  });

  it("repeats an attempt whose end is unknown under the same nonce", () => {
    const [operation] = reconcile(
      [card("a", "1")],
      [{ key: "a", handle: null, digest: "", state: "sending", nonce: "n1", triedAt: 5, reason: "" }],
    );
    expect(operation).toMatchObject({ op: "post", tried: { nonce: "n1", since: 5 } });
  });

  it("leaves a refused card alone until it changes", () => {
    const refused: Post = {
      key: "a",
      handle: null,
      digest: digest(card("a", "1")),
      state: "refused",
      nonce: "n1",
      triedAt: null,
      reason: "x",
    };
    expect(reconcile([card("a", "1")], [refused])).toEqual([]);
    expect(reconcile([card("a", "2")], [refused])).toMatchObject([{ op: "post", tried: null }]);
  });
});
