/** What a question becomes before it reaches the gate: the flags, the project's settings and where it comes from, together. */
import { stateDirectory } from "../adapters/link/paths.ts";
import { keptChats } from "../adapters/shared/vault-file.ts";
import type { Gate, OpenRequest, PolicyRequest, Selector } from "../core/gate.ts";
import type { SurfaceName } from "../core/people.ts";
import type { Kind, OnTimeout } from "../core/round.ts";
import type { Credentials } from "../core/surface.ts";
import { CHAT_NAMES, fewest, loadSettings, type Settings } from "./config.ts";
import { readCredentials } from "./credentials.ts";
import { agentSession, findProject, readOrigin } from "./project.ts";

/** The flags that say who, where and how long; all of them may be left out. `null` as a time is never. */
export interface AskingFlags {
  timeout?: { ms: number | null };
  timeoutMs?: { ms: number | null };
  onTimeout?: OnTimeout;
  locale?: string;
  via?: SurfaceName[];
  to?: string[];
  session?: string;
  key?: string;
  reviewers?: string[];
  responders?: string[];
  quorum?: number;
  veto?: boolean;
  granularity?: "auto" | "block";
  asks?: number;
}

/** Where a command, server or hook works: its project, what that is set to, and the tokens that it has. */
export interface Setting {
  project: string;
  settings: Settings;
  credentials: Credentials[];
  /** The agent's own id of its conversation, where it gives one. */
  agentSession: string | null;
  env: NodeJS.ProcessEnv;
}

export interface Question {
  kind: Kind;
  /** `continue`: the next page of a running session. */
  again: boolean;
  payload: unknown;
  flags: AskingFlags;
}

export const DEFAULT_TIMEOUT_MS = 30 * 60_000;

/** Throws `UsageError` for settings or tokens that are wrong. `via`: the surfaces that are named, if any are. */
export function readSetting(
  cwd: string,
  env: NodeJS.ProcessEnv,
  { via, session }: { via?: SurfaceName[] | undefined; session?: string | null | undefined } = {},
): Setting {
  const project = findProject(cwd);
  const settings = loadSettings(project, env);
  const credentials = readCredentials(project, env, via ?? settings.via);
  return { project, settings, credentials, agentSession: session ?? agentSession(env), env };
}

/** Where to ask when nobody says: the chats with credentials here or a connection that the bot keeps, else the page. */
export function surfacesOf({ settings, credentials }: Setting, said?: SurfaceName[]): SurfaceName[] {
  const chosen = said ?? settings.via;
  if (chosen !== undefined) return chosen;
  const chats = new Set([...credentials.map(({ surface }) => surface), ...keptChats(stateDirectory())]);
  return chats.size > 0 ? [...chats] : ["web"];
}

export function buildRequest(
  { kind, again, payload, flags }: Question,
  setting: Setting,
  via: SurfaceName[],
): OpenRequest {
  const { project, settings, env } = setting;
  const chosen = flags.timeout ?? flags.timeoutMs;
  return {
    kind,
    again,
    payload,
    ...selectorOf(setting, flags.session),
    key: flags.key ?? null,
    timeoutMs: chosen ? chosen.ms : settings.timeout === undefined ? DEFAULT_TIMEOUT_MS : settings.timeout,
    policy: policyOf(kind, flags, settings),
    floor: settings.policy,
    people: settings.people,
    granularity: flags.granularity ?? "auto",
    asks: fewest(flags.asks, settings.asks) ?? null,
    locale: flags.locale ?? settings.locale ?? "",
    via,
    to: flags.to ?? settings.to ?? (via.some(isChat) ? ["me"] : []),
    connections: settings.connections,
    origin: readOrigin(project, env),
  };
}

/** The session that is meant: by `--session`, `ASKGATE_SESSION`, or the project and the agent's own id. */
export const selectorOf = ({ project, agentSession: agent, env }: Setting, session?: string): Selector => ({
  project,
  session: session ?? (env.ASKGATE_SESSION || null),
  agentSession: agent,
});

/** Where a session's record stands: its project may be another than the one that a command stands in. */
export async function projectOf(gate: Pick<Gate, "show">, session: string): Promise<string> {
  const { project } = await gate.show(session);
  return typeof project === "string" ? project : findProject(process.cwd());
}

const isChat = (surface: SurfaceName): boolean => CHAT_NAMES.some((name) => name === surface);

function policyOf(kind: Kind, flags: AskingFlags, settings: Settings): PolicyRequest {
  // What the settings say is for all kinds; only a page of decisions has recommended options.
  const fits = kind === "clarity" || settings.onTimeout !== "recommended";
  return {
    reviewers: flags.reviewers,
    responders: flags.responders,
    quorum: flags.quorum,
    veto: flags.veto === false ? false : undefined,
    onTimeout: flags.onTimeout ?? (fits ? settings.onTimeout : undefined),
  };
}
