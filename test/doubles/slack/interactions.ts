/** What a press, a pick or a submit sends to the bot, and what comes of the answer. */
import { type Control, stateOf } from "./controls.ts";
import { type Hub, linkOf, newHook, newTrigger } from "./hub.ts";
import type { Ack } from "./link.ts";
import type { Message, Room, Team, User, View } from "./model.ts";
import { messageJson, viewJson } from "./payloads.ts";
import { compact, copied, type Json } from "./wire.ts";

export interface Who {
  hub: Hub;
  team: Team;
  user: User;
}

/** Where a control stands. */
export type Holder = { kind: "message"; room: Room; message: Message } | { kind: "view"; view: View };

export const blocksOf = (holder: Holder): Json[] =>
  holder.kind === "message" ? holder.message.blocks : holder.view.blocks;

export const holderKey = (holder: Holder): string =>
  holder.kind === "message" ? `${holder.message.channel}:${holder.message.ts}` : "";

export const picksOf = ({ user }: Who, holder: Holder): User["picks"] =>
  holder.kind === "message" ? user.picks : holder.view.picks;

/** The end of what somebody did, as she sees it. */
export type Deed =
  | { kind: "acked" }
  /** Slack shows a warning sign. */
  | { kind: "failed"; reason: string }
  /** She said no in the confirm dialog. */
  | { kind: "declined" }
  /** Nothing was sent: the choice was no other, or the element tells nobody before it is submitted. */
  | { kind: "unsent" };

/** Sends a block_actions payload for one use of one control. */
export async function act(who: Who, holder: Holder, control: Control, part: Json): Promise<Deed> {
  const { hub } = who;
  const action = compact({
    type: control.type,
    action_id: control.actionId,
    block_id: control.blockId,
    text: control.element.text,
    placeholder: control.element.placeholder,
    action_ts: `${(hub.now() / 1000).toFixed(6)}`,
    ...part,
  });
  return settle(
    who,
    `${control.type} ${control.actionId}`,
    await interact(who, { type: "block_actions", ...contextOf(who, holder), actions: [action] }, false),
  );
}

function contextOf(who: Who, holder: Holder): Json {
  const { hub, team, user } = who;
  const values = stateOf(blocksOf(holder), picksOf(who, holder), holderKey(holder));
  if (holder.kind === "view") {
    return {
      container: { type: "view", view_id: holder.view.id },
      trigger_id: newTrigger(hub, team, user, holder.view.id),
      view: viewJson(team, holder.view, values),
    };
  }
  const { room, message } = holder;
  return compact({
    container: compact({
      type: "message",
      message_ts: message.ts,
      channel_id: room.id,
      is_ephemeral: message.ephemeral,
      thread_ts: message.threadTs ?? undefined,
    }),
    trigger_id: newTrigger(hub, team, user),
    channel: { id: room.id, name: roomName(room) },
    message: message.ephemeral ? undefined : messageJson(team, room, message, true),
    state: { values },
    response_url: newHook(hub, { team, person: user, room, message }),
  });
}

export const roomName = (room: Room): string => (room.kind === "group" ? "privategroup" : room.name);

/** Sends an interactive payload, whoever's it is. */
export function interact({ hub, team, user }: Who, payload: Json, accepts: boolean): Promise<Ack> {
  return linkOf(hub, team).deliver({
    type: "interactive",
    accepts,
    label: `${payload.type} of ${user.name}`,
    payload: copied({
      team: { id: team.id, domain: team.domain },
      user: { id: user.id, username: username(user), name: username(user), team_id: user.teamId },
      api_app_id: team.app.id,
      token: "verification-token",
      enterprise: null,
      is_enterprise_install: false,
      ...payload,
    }),
  });
}

export const username = (user: User): string => user.name.toLowerCase().replaceAll(" ", ".");

/** What the person gets to see; a failure is the bot's fault unless a test said so. */
export function settle({ hub, user }: Who, label: string, ack: Ack): Deed {
  if (ack.kind === "acked") return { kind: "acked" };
  user.failedPresses.push(label);
  hub.ledger.violation(`failed for ${user.name}: ${label}: ${ack.reason}`);
  return { kind: "failed", reason: ack.reason };
}
