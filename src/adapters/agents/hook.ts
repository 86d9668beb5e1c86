/**
 * What the hooks of all agents have in common: an agent's file hears an event and says what is wanted, and turns what came
 * of it into exactly the JSON that the agent reads. Pure translation: asking, files and time are the caller's.
 */
import type { Result } from "../../core/gate.ts";
import type { Kind } from "../../core/round.ts";
import type { Install } from "./hook-install.ts";

/** What standard output gets; null is nothing at all, which agents take as "no opinion". */
export type Answer = Record<string, unknown> | null;

/** Who in the agent's conversation asks: its main thread, or the id of a subagent. */
export type Asker = string;

export const MAIN: Asker = "main";

/** How a hook was set up, and what it may look at. */
export interface Hearing {
  /** Questions are asked in chat alone, also where the agent would show its own dialog beside. */
  chatOnly: boolean;
  /** An approved plan lets the agent edit files without asking for each. */
  acceptEdits: boolean;
  /** The text of a file that the event names; null where there is none. */
  readText(path: string): string | null;
}

/** A question for people. */
export interface HookQuestion {
  kind: Kind;
  payload: unknown;
  asker: Asker;
  answer(result: Result): Answer;
}

/** What an event comes to. */
export type Heard =
  | { kind: "nothing" }
  /** Decided already, without people. */
  | { kind: "decided"; answer: Answer }
  | ({ kind: "ask" } & Pick<HookQuestion, "asker" | "answer"> & { question: Matter })
  /** A tool that may be denied while there is no complete brief; `command` is what a shell would run. */
  | { kind: "guard"; tool: string; command: string | null; deny(reason: string): Answer }
  /** A conversation begins: the agent may be told how the brief stands. */
  | { kind: "start"; tell(context: string): Answer }
  /** The agent went on: what this asker asked has its answer. `of`: just this question, or this kind; null: all. */
  | { kind: "over"; asker: Asker; of: Matter | Kind | null };

export type Matter = Pick<HookQuestion, "kind" | "payload">;

/** An event as it came. */
export interface Event {
  /** The agent's id of its conversation. */
  session: string;
  cwd: string;
  heard: Heard;
}

/** One agent's hooks. */
export interface Agent {
  /** As people know it, on cards: "Claude". */
  title: string;
  /** Versions of the agent whose events are covered by fixtures. */
  covers: string[];
  /** How long it lets a hook run where nothing else is set, in seconds. */
  seconds: number;
  /** The variable that holds the folder in which it was started; null: the folder of the event. */
  projectVariable: string | null;
  /** Throws where the event has another shape than is covered. */
  hear(input: unknown, hearing: Hearing): Event;
  /** The answer when something went wrong: closed where the agent would go on without one. Never throws. */
  refuse(input: unknown, reason: string): Answer;
  install: Install;
}

/** A text of an event that may have any shape; "" where there is none. */
export const textIn = (input: unknown, key: string): string => {
  const value =
    typeof input === "object" && input !== null
      ? Object.entries(input).find(([name]) => name === key)?.[1]
      : "";
  return typeof value === "string" ? value : "";
};

/** No longer than `max`, with a visible end where something is missing. */
export const shorten = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, "")}…`;
