/** What the bot may do in a server, as data: what an invitation asks for, and what `doctor` looks for. */

/** By the names that Discord's settings have for them. */
export const PERMISSIONS = {
  "View Channels": 1n << 10n,
  "Send Messages": 1n << 11n,
  "Send Messages in Threads": 1n << 38n,
  "Create Public Threads": 1n << 35n,
  "Attach Files": 1n << 15n,
  "Read Message History": 1n << 16n,
  "Add Reactions": 1n << 6n,
} as const;

const ADMINISTRATOR = 1n << 3n;

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

/** A role or an overwrite holds its bits as decimal digits. */
export interface Standing {
  /** The server's id, which its role for everybody has too. */
  guild: string;
  /** The bot's account and its roles. */
  member: { id: string; roles: string[] };
  roles: { id: string; permissions: string }[];
  overwrites: { id: string; allow: string; deny: string }[];
}

/** The names of the permissions that the bot lacks in a channel, by Discord's own order of what wins. */
export function missingPermissions({ guild, member, roles, overwrites }: Standing): string[] {
  const mine = [guild, ...member.roles];
  const base = union(roles.filter(({ id }) => mine.includes(id)).map(({ permissions }) => permissions));
  if ((base & ADMINISTRATOR) !== 0n) return [];
  const layers = [[guild], member.roles, [member.id]];
  const bits = layers.reduce((held, ids) => {
    const layer = overwrites.filter(({ id }) => ids.includes(id));
    return (held & ~union(layer.map(({ deny }) => deny))) | union(layer.map(({ allow }) => allow));
  }, base);
  return Object.entries(PERMISSIONS)
    .filter(([, bit]) => (bits & bit) === 0n)
    .map(([name]) => name);
}

const union = (bits: string[]): bigint => bits.reduce((all, some) => all | BigInt(some), 0n);
