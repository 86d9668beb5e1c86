/** Who a message calls: tokens that nobody escaped, in `text`, mrkdwn and markdown, and rich text elements. */
import { isJson, type Json, list, str } from "./wire.ts";

export interface Called {
  users: Set<string>;
  everybody: boolean;
}

export function calledBy(text: string, blocks: readonly Json[]): Called {
  const called: Called = { users: new Set(), everybody: false };
  readTokens(text, called);
  for (const block of blocks) readAny(block, called);
  return called;
}

function readTokens(text: string, called: Called): void {
  for (const [, user] of text.matchAll(/<@([UW][A-Z0-9]*)(?:\|[^>]*)?>/g))
    if (user !== undefined) called.users.add(user);
  if (/<!(channel|here|everyone)(\|[^>]*)?>/.test(text)) called.everybody = true;
}

function readAny(value: unknown, called: Called): void {
  for (const one of list(value)) readAny(one, called);
  if (!isJson(value)) return;
  if (value.type === "mrkdwn" || value.type === "markdown") readTokens(str(value.text), called);
  if (value.type === "user") called.users.add(str(value.user_id));
  if (value.type === "broadcast") called.everybody = true;
  for (const held of Object.values(value)) if (typeof held === "object") readAny(held, called);
}
