/** Reads JSON and says where it breaks: Node's own message names no place for most mistakes. */
import { UsageError } from "./exit.ts";

/** The value of `text`; `name` is the file, for the error. Throws `UsageError` with line and column. */
export function parseJson(text: string, name: string): unknown {
  const source = text.startsWith("\uFEFF") ? text.slice(1) : text;
  if (source.trim() === "") throw new UsageError(`${name} is empty: expected JSON`);
  try {
    return JSON.parse(source);
  } catch {
    const { line, column, wanted, found } = findMistake(source);
    throw new UsageError(`${name}:${line}:${column}: malformed JSON: expected ${wanted}, found ${found}`);
  }
}

const SPACE = /[ \t\n\r]*/y;
const SCALAR =
  /"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})|[\x7f-\x9f])*"|true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/uy;
const KEY = /"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})|[\x7f-\x9f])*"/uy;

type State = "value" | "first value" | "key" | "first key" | "colon" | "end";

const WANTED: Readonly<Record<State, string>> = {
  value: "a value",
  "first value": "a value or ]",
  key: 'a key in "quotes"',
  "first key": 'a key in "quotes" or }',
  colon: ":",
  end: "a comma or the end of the list or object",
};

interface Mistake {
  /** From 1. */
  line: number;
  column: number;
  wanted: string;
  found: string;
}

/** The first character of malformed JSON that cannot stand where it does, and what could. */
export function findMistake(source: string): Mistake {
  const open: string[] = [];
  let state: State = "value";
  let at = 0;
  for (;;) {
    at += matchLength(SPACE, source, at);
    const step = next(state, source, at, open.at(-1));
    if (step === null) break;
    if (step.opens) open.push(step.opens);
    if (step.closes) open.pop();
    at += step.length;
    state = step.state;
  }
  const lines = source.slice(0, at).split("\n");
  return {
    line: lines.length,
    column: (lines.at(-1) ?? "").length + 1,
    wanted: state === "end" && open.length === 0 ? "nothing more" : WANTED[state],
    found: found(source, at),
  };
}

function found(source: string, at: number): string {
  if (at >= source.length) return "the end of the text";
  const character = String.fromCodePoint(source.codePointAt(at) ?? 0);
  return character === '"' ? "a string that is unfinished or malformed" : JSON.stringify(character);
}

interface Step {
  length: number;
  state: State;
  opens?: string;
  closes?: true;
}

/** What stands at `at`, if it may stand there. */
function next(state: State, source: string, at: number, inside: string | undefined): Step | null {
  const character = source[at];
  switch (state) {
    case "first value":
      return character === "]"
        ? { length: 1, state: "end", closes: true }
        : next("value", source, at, inside);
    case "value":
      if (character === "{") return { length: 1, state: "first key", opens: "{" };
      if (character === "[") return { length: 1, state: "first value", opens: "[" };
      return token(SCALAR, source, at, "end");
    case "first key":
      return character === "}" ? { length: 1, state: "end", closes: true } : token(KEY, source, at, "colon");
    case "key":
      return token(KEY, source, at, "colon");
    case "colon":
      return character === ":" ? { length: 1, state: "value" } : null;
    case "end":
      if (inside === undefined) return null;
      if (character === ",") return { length: 1, state: inside === "{" ? "key" : "value" };
      return character === (inside === "{" ? "}" : "]") ? { length: 1, state: "end", closes: true } : null;
  }
}

function token(pattern: RegExp, source: string, at: number, state: State): Step | null {
  const length = matchLength(pattern, source, at);
  return length === 0 ? null : { length, state };
}

function matchLength(pattern: RegExp, source: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.exec(source)?.[0].length ?? 0;
}
