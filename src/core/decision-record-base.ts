/** What a decision record says alike of everything: who, when, how a round ended. */
import type { By } from "./decision-record-shape.ts";
import { isoTime } from "./outcome.ts";
import type { Who } from "./people.ts";
import { type Round, titleOf } from "./round.ts";

export const byOf = (who: Who | null | undefined): By => ({
  by: who?.name ?? null,
  byId: who?.id ?? null,
  where: who?.surface ?? null,
});

export const base = (round: Round) => ({
  round: round.id,
  title: titleOf(round),
  status: round.outcome?.status ?? "open",
  askedAt: isoTime(round.openedAt),
  settledAt: timeOf(round.outcome?.at),
  elsewhere: round.outcome?.elsewhere ?? false,
  wentOnAt: timeOf(round.lateAt),
  ...byOf(round.outcome?.by),
  reason: textOf(round.outcome?.reason),
});

export const timeOf = (at: number | null | undefined): string | null => (at == null ? null : isoTime(at));

export const textOf = (text: string | undefined): string | null => text || null;
