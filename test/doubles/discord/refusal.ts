import { isJson, type Json } from "./wire.ts";

/** One complaint about a body, at a path of keys and indexes. */
export interface Complaint {
  path: (string | number)[];
  code: string;
  message: string;
}

/** An error that Discord answers: `{ code, message, errors? }` with a status. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: number;
  readonly complaints: Complaint[];
  /** How long to wait, where that is what it says. */
  seconds: number | null = null;

  constructor(code: number, complaints: Complaint[] = []) {
    const [status, message] = REFUSALS[code] ?? [400, "Bad Request"];
    super(message);
    this.status = status;
    this.code = code;
    this.complaints = complaints;
  }

  body(): Json {
    const { message, complaints } = this;
    const code = this.code < 1000 ? 0 : this.code;
    return complaints.length === 0 ? { code, message } : { code, message, errors: treeOf(complaints) };
  }

  details(): string[] {
    return this.complaints.map(({ path, code, message }) => `${path.join(".")}: ${code} ${message}`);
  }
}

const REFUSALS: { [code: number]: [status: number, message: string] } = {
  404: [404, "404: Not Found"],
  401: [401, "401: Unauthorized"],
  500: [500, "500: Internal Server Error"],
  10002: [404, "Unknown Application"],
  10003: [404, "Unknown Channel"],
  10004: [404, "Unknown Guild"],
  10007: [404, "Unknown Member"],
  10008: [404, "Unknown Message"],
  10013: [404, "Unknown User"],
  10014: [400, "Unknown Emoji"],
  10015: [404, "Unknown Webhook"],
  10062: [404, "Unknown interaction"],
  10063: [404, "Unknown application command"],
  20009: [403, "Explicit content cannot be sent to the desired recipient(s)"],
  30032: [400, "Maximum number of application commands reached"],
  30046: [429, "Maximum number of edits to messages older than 1 hour reached. Try again later"],
  40005: [413, "Request entity too large. Try sending something smaller in size"],
  40060: [400, "Interaction has already been acknowledged."],
  50001: [403, "Missing Access"],
  50003: [403, "Cannot execute action on a DM channel"],
  50005: [403, "Cannot edit a message authored by another user"],
  50006: [400, "Cannot send an empty message"],
  50007: [403, "Cannot send messages to this user"],
  50013: [403, "Missing Permissions"],
  50024: [400, "Cannot execute action on this channel type"],
  50027: [401, "Invalid Webhook Token"],
  50035: [400, "Invalid Form Body"],
  50083: [400, "Thread is archived"],
  50109: [400, "The request body contains invalid JSON."],
  50278: [403, "Cannot send messages to this user due to having no mutual guilds"],
  160002: [400, "Cannot reply without permission to read message history"],
  160004: [400, "A thread has already been created for this message"],
  160005: [400, "Thread is locked"],
};

/** An invalid body, with every place that is wrong. */
export const invalid = (...complaints: Complaint[]): Refusal => new Refusal(50035, complaints);

export const wrong = (path: Complaint["path"], code: string, message: string): Complaint => ({
  path,
  code,
  message,
});

function treeOf(complaints: readonly Complaint[]): Json {
  const root: Json = {};
  for (const { path, code, message } of complaints) {
    let at = root;
    for (const key of path) at = childOf(at, String(key));
    const errors = Array.isArray(at._errors) ? at._errors : [];
    at._errors = [...errors, { code, message }];
  }
  return root;
}

function childOf(tree: Json, key: string): Json {
  const there = tree[key];
  if (isJson(there)) return there;
  const child: Json = {};
  tree[key] = child;
  return child;
}
