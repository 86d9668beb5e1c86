/**
 * Picks as data: what one looks like, how it is looked up, what it chose. Knows nothing of guards or of what is active.
 */
import { z } from "zod";
import type { Decision } from "./payload.ts";

export const PickSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("option"), optionId: z.string() }),
  z.object({ kind: z.literal("options"), optionIds: z.array(z.string()) }),
  z.object({ kind: z.literal("custom"), value: z.string() }),
]);

/** The answer given to a decision: an option, several options (`multi`), or own words. */
export type Pick = z.infer<typeof PickSchema>;

/** Decision id → pick. Own keys only: an id may be `constructor`. */
export type Picks = Record<string, Pick>;

export const pickOf = (picks: Picks, decisionId: string): Pick | undefined =>
  Object.hasOwn(picks, decisionId) ? picks[decisionId] : undefined;

/** The ids of the options that a pick chose; none for own words. */
export function chosen(picked: Pick | undefined): string[] {
  switch (picked?.kind) {
    case "option":
      return [picked.optionId];
    case "options":
      return picked.optionIds;
    default:
      return [];
  }
}

/** Whether a pick answers anything: blank words and no options do not. */
export const isUsable = (picked: Pick | undefined): boolean =>
  picked?.kind === "custom" ? picked.value.trim() !== "" : chosen(picked).length > 0;

/** A pick of several options in payload order without duplicates, those that do not exist last. */
export function tidy(picked: Pick, decision: Decision | undefined): Pick {
  if (picked.kind !== "options") return picked;
  const known = (decision?.options ?? []).map(({ id }) => id).filter((id) => picked.optionIds.includes(id));
  return { kind: "options", optionIds: [...new Set([...known, ...picked.optionIds])] };
}
