/** What Discord takes where the official specification does not say it: B1 of platforms.md and the rows of doubles.md. */
export const LIMITS = {
  content: 2_000,
  rows: 5,
  rowButtons: 5,
  components: 40,
  displayedText: 4_000,
  /** More bytes of components than this are answered with a 500. */
  componentBytes: 10_170,
  embedsText: 6_000,
  modalComponents: 5,
  files: 10,
  fileBytes: 10 * 1024 * 1024,
  requestBytes: 25 * 1024 * 1024,
  nonceMs: 5 * 60_000,
  tokenMs: 15 * 60_000,
  oldMs: 60 * 60_000,
} as const;

export const FLAGS = {
  suppressEmbeds: 1 << 2,
  hasThread: 1 << 5,
  ephemeral: 1 << 6,
  loading: 1 << 7,
  suppressNotifications: 1 << 12,
  componentsV2: 1 << 15,
} as const;

/** Of messages. */
export const TYPES = { plain: 0, added: 1, announced: 18, reply: 19, command: 20, starter: 21 } as const;

export const KINDS = {
  row: 1,
  button: 2,
  select: 3,
  textInput: 4,
  userSelect: 5,
  channelSelect: 8,
  section: 9,
  text: 10,
  thumbnail: 11,
  gallery: 12,
  file: 13,
  separator: 14,
  container: 17,
  label: 18,
  upload: 19,
  radio: 21,
  boxes: 22,
  box: 23,
} as const;
