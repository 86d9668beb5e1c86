/** `show`: one session in full, for people on a terminal and as JSON otherwise. */
import { connect } from "../../adapters/link/client.ts";
import { harmless, print, toText } from "../shell.ts";

export async function show(id: string, flags: { json?: true }): Promise<number> {
  const gate = await connect();
  try {
    const session = await gate.show(id);
    await print(
      flags.json || !process.stdout.isTTY ? toText(session) : `${outline(session, "").join("\n")}\n`,
    );
    return 0;
  } finally {
    gate.close();
  }
}

/** Data as an indented outline; what is empty is left out. */
export function outline(value: unknown, indent: string): string[] {
  if (Array.isArray(value)) {
    return value.flatMap((item) => {
      const [first = "", ...rest] = outline(item, `${indent}  `);
      return [`${indent}- ${first.trimStart()}`, ...rest];
    });
  }
  if (typeof value !== "object" || value === null) return [`${indent}${scalar(value, indent)}`];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (isEmpty(inner)) return [];
    if (typeof inner === "object") return [`${indent}${harmless(key)}:`, ...outline(inner, `${indent}  `)];
    return [`${indent}${harmless(key)}: ${scalar(inner, `${indent}  `)}`];
  });
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === "" || (typeof value === "object" && Object.keys(value).length === 0);

const scalar = (value: unknown, indent: string): string =>
  String(value).split("\n").map(harmless).join(`\n${indent}`);
