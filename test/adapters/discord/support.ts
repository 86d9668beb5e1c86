/** People on Discord, sessions in its places, and the double's judgement of a message. */
import type { Component, Message, Pressable } from "../../../src/adapters/discord/kit.ts";
import { DISCORD_LIMITS } from "../../../src/adapters/discord/limits.ts";
import { mentioned, renderCard } from "../../../src/adapters/discord/render.ts";
import type { Card } from "../../../src/core/card.ts";
import { cards } from "../../../src/core/cards.ts";
import type { Actor, Place } from "../../../src/core/people.ts";
import type { Kind } from "../../../src/core/round.ts";
import type { Session } from "../../../src/core/session.ts";
import { contentOf } from "../../doubles/discord/content.ts";
import { asked, ANA as SLACK_ANA, BEN as SLACK_BEN, CHO as SLACK_CHO } from "../../support/people.ts";

export const CHANNEL: Place = { surface: "discord", id: "7/8", direct: false, label: "#plans" };

export const ANA: Actor = { ...SLACK_ANA, id: "discord:1000000000000000001" };
export const BEN: Actor = { ...SLACK_BEN, id: "discord:1000000000000000002" };
export const CHO: Actor = { ...SLACK_CHO, id: "discord:1000000000000000003" };

export const URL = `https://discord.com/channels/${[1, 2, 3].map((last) => `100000000000000000${last}`).join("/")}`;

export const opened = (kind: Kind, payload: unknown, more: Parameters<typeof asked>[2] = {}): Session =>
  asked(kind, payload, more, [CHANNEL]);

export interface View {
  direct?: boolean;
  locale?: string;
  url?: (key: string) => string | null;
}

export const cardsOf = (session: Session, { direct = false, locale = "en", ...url }: View = {}): Card[] =>
  cards(session, { place: { surface: "discord", direct }, limits: DISCORD_LIMITS, locale, ...url });

export const messages = (session: Session, view?: View): Message[] => cardsOf(session, view).map(renderCard);

export const pressables = ({ components }: Pick<Message, "components">): Pressable[] =>
  components.flatMap((one) => (one.type === 1 ? one.components : []));

export const contents = (components: Component[]): string[] =>
  components.flatMap((one) => (one.type === 10 ? [one.content] : []));

/** Throws what Discord would refuse. */
export function post(message: Message, card: Pick<Card, "mention"> = { mention: [] }): void {
  const body = { ...message, allowed_mentions: { parse: [], users: mentioned(card) } };
  contentOf({ body: JSON.parse(JSON.stringify(body)), files: [] }, "create", null, () => "1");
}
