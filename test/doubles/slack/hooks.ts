/** response_url: five answers in thirty minutes to something a person did. */
import { change, post, remove, whisper } from "./deeds.ts";
import type { Hook, Hub } from "./hub.ts";
import { checkedBlocks, checkedContent, checkedText } from "./methods/content.ts";
import type { Message } from "./model.ts";
import { Refusal } from "./refusal.ts";
import type { Answer } from "./web-api.ts";
import { isJson, type Json, str } from "./wire.ts";

const KNOWN = [
  "text",
  "blocks",
  "response_type",
  "replace_original",
  "delete_original",
  "thread_ts",
  "mrkdwn",
  "unfurl_links",
  "unfurl_media",
];

export async function answerHook(hub: Hub, path: string, body: unknown): Promise<Answer> {
  const args = isJson(body) ? body : {};
  const fault = hub.faults.next("response_url", null);
  if (fault !== null && "http" in fault) return said(fault.http, { ok: false });
  if (fault !== null && "lose" in fault && fault.lose === "request") return { kind: "reset" };
  try {
    const hook = usable(hub, path);
    hub.ledger.call({
      method: "response_url",
      team: hook.team.id,
      channel: hook.room.id,
      args,
      error: null,
      at: hub.now(),
    });
    act(hub, hook, args);
    return fault !== null && "lose" in fault ? { kind: "reset" } : said(200, { ok: true });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    hub.ledger.refused("response_url", error.code, error.details);
    const gone = error.code === "used_url" || error.code === "expired_url";
    return said(gone ? 404 : 400, { ok: false, error: error.code, ...error.extra });
  }
}

const said = (status: number, body: Json): Answer => ({ kind: "json", status, headers: {}, body });

function usable(hub: Hub, path: string): Hook {
  const hook = hub.hooks.get(path);
  if (hook === undefined) throw new Refusal("no_such_url");
  if (hub.now() > hook.expires) throw new Refusal("expired_url");
  if (hook.left <= 0) throw new Refusal("used_url");
  hook.left -= 1;
  return hook;
}

function act(hub: Hub, hook: Hook, args: Json): void {
  for (const key of Object.keys(args))
    if (!KNOWN.includes(key)) hub.ledger.violation(`response_url: unknown argument ${key}`);
  const { team, room, person, message } = hook;
  if (args.delete_original === true || args.replace_original === true) {
    if (message === null) throw new Refusal("no_original");
    if (args.delete_original === true) takeAway(hub, hook, message);
    else replace(hub, hook, message, args);
    return;
  }
  const given = {
    user: team.bot,
    botId: team.botId,
    ...checkedContent(hub, { text: str(args.text), blocks: args.blocks }),
    threadTs: str(args.thread_ts) || null,
  };
  if (args.response_type === "in_channel") post(hub, { team, room }, given);
  else whisper(hub, room, person, given);
}

function takeAway(hub: Hub, { team, room, person }: Hook, message: Message): void {
  if (message.ephemeral) person.ephemerals = person.ephemerals.filter((one) => one !== message);
  else remove(hub, { team, room }, message);
  hub.ledger.changed();
}

function replace(hub: Hub, { team, room }: Hook, message: Message, args: Json): void {
  const blocks = args.blocks === undefined ? [] : checkedBlocks(hub, args.blocks);
  const text = checkedText(str(args.text));
  if (text === "" && blocks.length === 0) throw new Refusal("no_text");
  if (message.ephemeral) {
    Object.assign(message, { text, blocks });
    hub.ledger.changed();
  } else change(hub, { team, room }, message, { text, blocks });
}
