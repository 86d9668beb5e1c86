/** A card with every kind of part, each of its texts made by `text`, which is given a name for it. */
import type { Card, Control, Part } from "../../src/core/card.ts";

export const control = (label: string): Control => ({
  id: "v1:st:send:r_x-1:0:-",
  verb: "send",
  label,
  style: "plain",
  confirm: null,
  form: null,
});

export function everyPart(text: (name: string) => string): Part[] {
  const pointer = (name: string) => ({ key: "r_x-1", label: text(name), url: "https://x.test/" });
  const comment = (name: string) => ({
    id: "a1",
    text: text(name),
    by: text(`${name} by`),
    byId: "slack:T1/U1",
    edit: null,
  });
  return [
    { kind: "title", text: text("title"), subtitle: text("subtitle"), origin: text("origin") },
    { kind: "text", text: text("text"), tone: "body", at: null },
    {
      kind: "choice",
      target: "d0",
      number: 1,
      question: text("question"),
      why: text("why"),
      entries: [
        {
          value: "o0",
          number: 1,
          label: text("label"),
          description: text("description"),
          reason: text("reason"),
          recommended: true,
          chosen: false,
        },
      ],
      multi: false,
      parent: null,
      answer: text("answer"),
      own: text("own"),
      notes: [text("note")],
      reveals: [pointer("reveals")],
      pick: null,
      other: null,
    },
    {
      kind: "block",
      target: "b0",
      number: 1,
      raw: text("raw"),
      comments: [comment("on block")],
      comment: null,
    },
    { kind: "comments", label: text("comments"), comments: [comment("apart")] },
    { kind: "progress", done: 0, of: 1, text: text("progress") },
    { kind: "people", people: [{ name: text("name"), state: text("state") }] },
    { kind: "file", name: "plan.md", text: text("file") },
    { kind: "pointers", pointers: [pointer("pointer")] },
    { kind: "controls", controls: [control(text("control"))] },
  ];
}

export const fullCard = (text: (name: string) => string): Card => ({
  key: "r_x-1",
  round: "r_x-1",
  under: null,
  settled: false,
  topic: "",
  mention: [],
  alert: text("alert"),
  parts: everyPart(text),
});
