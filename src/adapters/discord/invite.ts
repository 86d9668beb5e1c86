/** What the bot may do in a server, as data: what an invitation asks for, and what `doctor` looks for. */

/** By the names that Discord's settings have for them. */
export const PERMISSIONS = {
  "View Channel": 1n << 10n,
  "Send Messages": 1n << 11n,
  "Send Messages in Threads": 1n << 38n,
  "Create Public Threads": 1n << 35n,
  "Attach Files": 1n << 15n,
  "Read Message History": 1n << 16n,
  "Add Reactions": 1n << 6n,
} as const;

const ALL = Object.values(PERMISSIONS).reduce((bits, bit) => bits | bit, 0n);

/** Where somebody who manages a server lets the bot of an application in. */
export function inviteLink(app: string): string {
  const query = { client_id: app, scope: "bot applications.commands", permissions: String(ALL) };
  return `https://discord.com/oauth2/authorize?${new URLSearchParams(query)}`;
}

/** The application that a token is of: its first part says so. Null where it is no token. */
export function applicationOf(token: string): string | null {
  const [first = "", ...rest] = token.split(".");
  const id = Buffer.from(first, "base64url").toString();
  return rest.length === 2 && /^\d{17,20}$/.test(id) ? id : null;
}
