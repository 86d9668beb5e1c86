/** What one Discord message holds. */
import type { Limits } from "../../core/card.ts";

/**
 * What `fit` obeys. Chosen so that a card within them can be drawn below Discord's own limits with all that drawing adds
 * to it in its barest look: 4 choices of 25 options take 800 marks beside their words, and a word may be Chinese in whole.
 * A choice takes one more than its five components, so that no more than four stand together.
 */
export const DISCORD_LIMITS: Limits = {
  card: 2_600,
  text: 2_000,
  entries: 25,
  entryText: 100,
  units: 40,
  unitsPer: { text: 1, choice: 6, controls: 6 },
  files: "apart",
  blocks: "thread",
  planCards: 8,
  planCardsDirect: 3,
};

/** Discord's own limits, in UTF-16 units or items. */
export const MOST = {
  /** Of a message, those inside others too. */
  components: 40,
  /** Over all its texts. */
  characters: 4_000,
  /** Of all its words in UTF-8; from about 10,170 the server fails. */
  bytes: 9_500,
  mentions: 450,
  entry: 100,
  entries: 25,
  placeholder: 150,
  button: 80,
  buttonsPerRow: 5,
  title: 45,
  label: 45,
  description: 100,
  words: 4_000,
  /** Of a form. */
  fields: 5,
  fileName: 100,
};
