/** The texts of a card's parts: read, or replaced, all in the same way. */
import type { Comment, Part, Pointer } from "./card.ts";

/** All texts that a part shows. */
export function texts(part: Part): string[] {
  switch (part.kind) {
    case "title":
      return [part.text, part.subtitle, part.origin];
    case "text":
    case "progress":
      return [part.text];
    case "choice": {
      const entries = part.entries.flatMap(({ label, description, reason }) => [label, description, reason]);
      const { question, why, answer, own, notes, reveals } = part;
      return [question, why, ...entries, answer, own, ...notes, ...labels(reveals)];
    }
    case "block":
      return [part.raw, ...part.comments.map(({ text, by }) => `${by}: ${text}`)];
    case "comments":
      return [part.label, ...part.comments.map(({ text, by }) => `${by}: ${text}`)];
    case "people":
      return part.people.map(({ name, state }) => `${name}: ${state}`);
    case "pointers":
      return labels(part.pointers);
    case "controls":
      return part.controls.map(({ label }) => label);
    case "file":
      return [];
  }
}

const labels = (pointers: Pointer[]): string[] => pointers.map(({ label }) => label);

/** The part with each of its texts put through `change`; a file's too. */
export function withTexts(part: Part, change: (text: string) => string): Part {
  const comments = (list: Comment[]): Comment[] =>
    list.map((comment) => ({ ...comment, text: change(comment.text), by: change(comment.by) }));
  const pointers = (list: Pointer[]): Pointer[] =>
    list.map((pointer) => ({ ...pointer, label: change(pointer.label) }));
  switch (part.kind) {
    case "title": {
      const { text, subtitle, origin } = part;
      return { ...part, text: change(text), subtitle: change(subtitle), origin: change(origin) };
    }
    case "text":
    case "progress":
    case "file":
      return { ...part, text: change(part.text) };
    case "choice": {
      const entries = part.entries.map(({ label, description, reason, ...entry }) => ({
        ...entry,
        label: change(label),
        description: change(description),
        reason: change(reason),
      }));
      const { question, why, answer, own } = part;
      const head = { question: change(question), why: change(why), answer: change(answer), own: change(own) };
      return { ...part, ...head, entries, notes: part.notes.map(change), reveals: pointers(part.reveals) };
    }
    case "block":
      return { ...part, raw: change(part.raw), comments: comments(part.comments) };
    case "comments":
      return { ...part, label: change(part.label), comments: comments(part.comments) };
    case "people": {
      const people = part.people.map(({ name, state }) => ({ name: change(name), state: change(state) }));
      return { ...part, people };
    }
    case "pointers":
      return { ...part, pointers: pointers(part.pointers) };
    case "controls": {
      const controls = part.controls.map((control) => ({ ...control, label: change(control.label) }));
      return { ...part, controls };
    }
  }
}
