/** The file that a card consists of, as Discord takes it. Pure. */
import type { Card, Part } from "../../core/card.ts";
import { fileName } from "./render.ts";

export function fileIn({ parts: [part, ...others] }: Card): Extract<Part, { kind: "file" }> | null {
  return part?.kind === "file" && others.length === 0 ? part : null;
}

export function attached(card: Card): object {
  const file = fileIn(card);
  return file === null ? {} : { attachments: [{ id: "0", filename: fileName(file.name) }] };
}

export function uploaded(card: Card) {
  const file = fileIn(card);
  if (file === null) return {};
  const data = Buffer.from(file.text, "utf8");
  return { files: [{ name: fileName(file.name), data, contentType: "text/plain; charset=utf-8" }] };
}
