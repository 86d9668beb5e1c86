/** What crosses the edge of the page: frames and answers of the bot, which is trusted, and what storage holds. */
import type { Answer } from "../../../core/effect.ts";
import type { Frame, LocalPress } from "../../../core/gate.ts";
import type { Rendered, Source } from "./markdown-worker.ts";
import type { Notice, Waiting } from "./state.ts";

/** How an attempt to hand a press over ended. `away`: try again. `barred`: this browser may not. */
export type Delivery =
  | { kind: "answered"; answer: Answer }
  | { kind: "refused"; status: number }
  | { kind: "away" | "barred" };

export type Press = Pick<LocalPress, "id" | "button" | "values" | "words">;

export async function postPress(session: string, press: Press): Promise<Delivery> {
  try {
    const { id, button, values, words } = press;
    const response = await postJson(`/s/${session}/act?lang=${document.documentElement.lang}`, {
      id,
      button,
      values,
      words,
    });
    if (response.ok) return { kind: "answered", answer: (await response.json()) as Answer };
    if (response.status === 401 || response.status === 403) return { kind: "barred" };
    return response.status >= 500 ? { kind: "away" } : { kind: "refused", status: response.status };
  } catch {
    return { kind: "away" };
  }
}

/** Exchanges the secret of a printed link for this session's cookie. */
export async function postEntry(session: string, secret: string): Promise<"open" | "barred" | "away"> {
  try {
    const response = await postJson("/enter", { session, secret });
    if (response.ok) return "open";
    return response.status >= 500 ? "away" : "barred";
  } catch {
    return "away";
  }
}

const postJson = (path: string, body: unknown): Promise<Response> =>
  fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    credentials: "same-origin",
    body: JSON.stringify(body),
  });

export const frameFrom = (text: string): Frame => JSON.parse(text) as Frame;

/** A record that this page stored earlier; null where an older version wrote something else. */
export const waitingFrom = (text: string | null): Waiting | null => {
  const item = fromText(text) as Waiting | null;
  return typeof item?.id === "string" && typeof item.button === "string" && Array.isArray(item.values)
    ? item
    : null;
};

export const noticeFrom = (text: string | null): Notice | null => {
  const item = fromText(text) as Notice | null;
  return typeof item?.id === "string" && typeof item.text === "string" ? item : null;
};

function fromText(text: string | null): unknown {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return null;
  }
}

/** The number of the worker's first message: it has started. */
export const READY = 0;

/** The two ends of the worker, typed. */
export const sourceFrom = (event: MessageEvent): Source => event.data as Source;
export const renderedFrom = (event: MessageEvent): Rendered => event.data as Rendered;
