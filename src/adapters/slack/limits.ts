/** What one Slack message holds. */
import type { Limits } from "../../core/card.ts";

/**
 * What `fit` obeys. Chosen so that a card within them stays below Slack's own limits with all that drawing adds to it:
 * numbers, marks, names, and the words of the select menus, which repeat the options.
 */
export const SLACK_LIMITS: Limits = {
  card: 8_000,
  text: 3_000,
  entries: 100,
  entryText: 75,
  units: 45,
  unitsPer: { text: 1, choice: 5, controls: 1 },
  files: "apart",
  blocks: "place",
  planCards: 8,
  planCardsDirect: 3,
};

/** Slack's own limits, in UTF-16 units or items; it counts an emoji as its `:short_code:`. */
export const MOST = {
  /** Over all blocks; undocumented, refusals begin between 12,000 and 13,200. */
  message: 12_000,
  blocks: 50,
  /** The text beside the blocks; refused from about 4,000. */
  alert: 3_000,
  mentions: 600,
  /** A text in a `context` block; 3,000 by the book. */
  quiet: 2_000,
  entry: 75,
  entries: 100,
  placeholder: 150,
  button: 75,
  buttonsPerRow: 5,
  confirmTitle: 100,
  confirmText: 300,
  confirmButton: 30,
  label: 2_000,
  words: 3_000,
  viewWord: 24,
  indent: 8,
};
