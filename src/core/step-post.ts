/** What became of a post, update or removal that the engine sent to a surface. */
import type { Event } from "./event.ts";
import type { Post, Session } from "./session.ts";

export type Posting = Extract<Event, { type: "sending" | "posted" | "refused" | "gone" | "later" }>;

export function notePost(session: Session, event: Posting, now: number): Session {
  const before = Object.hasOwn(session.posts, event.place) ? (session.posts[event.place] ?? []) : [];
  return { ...session, posts: { ...session.posts, [event.place]: next(before, event, now) } };
}

function next(posts: Post[], event: Posting, now: number): Post[] {
  const post = posts.find(({ key }) => key === event.key);
  const put = (changed: Post): Post[] =>
    post === undefined ? [...posts, changed] : posts.map((other) => (other === post ? changed : other));
  switch (event.type) {
    case "sending": {
      const { key, digest, nonce } = event;
      const triedAt = post?.nonce === nonce ? (post.triedAt ?? now) : now;
      const handle = post?.handle ?? null;
      return put({ key, handle, digest, nonce, triedAt, state: "sending", reason: "" });
    }
    case "posted":
      return post === undefined
        ? posts
        : put({ ...post, handle: event.handle, digest: event.digest, triedAt: null, state: "standing" });
    case "refused":
      return post === undefined ? posts : put({ ...post, state: "refused", reason: event.reason });
    case "gone":
      return posts.filter((other) => other !== post);
    case "later":
      // Tried again: an empty digest fits no card.
      return post === undefined
        ? posts
        : put({ ...post, digest: "", triedAt: event.unsure ? post.triedAt : null });
  }
}
