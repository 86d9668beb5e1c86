/** `mcp`: people as tools of an agent, over standard input and output. */
import { serveMcp } from "../../adapters/agents/mcp.ts";
import type { Explained, McpParts, Submitted, Wish } from "../../adapters/agents/mcp-ports.ts";
import { Stdio } from "../../adapters/agents/mcp-transport.ts";
import { type Client, connect } from "../../adapters/link/client.ts";
import { systemClock } from "../../adapters/shared/clock.ts";
import { VERSION } from "../../adapters/shared/package.ts";
import { languageOf } from "../../core/brief.ts";
import { briefWords } from "../../core/brief-file.ts";
import type { Opened, OpenRequest, Result } from "../../core/gate.ts";
import { withAdvice } from "../advice.ts";
import { saveAmendments } from "../amendments.ts";
import { freezeInto } from "../brief-files.ts";
import { hasBrowser, openBrowser } from "../browser.ts";
import { loadSettings } from "../config.ts";
import { parseDuration } from "../duration.ts";
import { INTERNAL, UNREACHABLE } from "../exit.ts";
import { exitOfError, helpOf } from "../explain.ts";
import { agentSession, findProject } from "../project.ts";
import { logAnswers, logFile } from "../qa-log.ts";
import { buildRequest, readSetting, type Setting, selectorOf, surfacesOf } from "../request.ts";
import { say } from "../shell.ts";
import { takeSlot } from "../slot.ts";

/** Serves until the client closes standard input. Resolves to the exit code. */
export async function mcp(): Promise<number> {
  const office = new Office();
  try {
    await serveMcp(office.parts(), new Stdio(process.stdin, process.stdout));
    return 0;
  } finally {
    await office.close();
  }
}

/** What one connection holds: the way to the bot, and its slot. */
class Office {
  /** Claude Code says where its project is; it may start servers elsewhere. */
  private readonly cwd = process.env.CLAUDE_PROJECT_DIR || process.cwd();
  private link: Promise<Client> | null = null;
  private slot: ReturnType<typeof takeSlot> | null = null;

  parts(): McpParts {
    return {
      version: VERSION,
      clock: systemClock,
      gate: () => this.gate(),
      open: (wish, client) => this.open(wish, client),
      selector: async (client, session) => selectorOf(await this.setting(client), session),
      conclude: (result) => concluded(this.cwd, result),
      keep: (session, messages) => saveAmendments(findProject(this.cwd), session, messages),
      submitBrief: async (markdown) => submitted(findProject(this.cwd), markdown),
      explain: explained,
      say,
    };
  }

  async close(): Promise<void> {
    await this.slot?.then((slot) => slot.leave()).catch(() => {});
    await this.link?.then((gate) => gate.close()).catch(() => {});
  }

  /** A bot is found, or started, when it is first needed; one that could not be started is tried again. */
  private gate(): Promise<Client> {
    this.link ??= connect();
    this.link.catch(() => {
      this.link = null;
    });
    return this.link;
  }

  private async open(wish: Wish, client: string): Promise<Opened> {
    const setting = await this.setting(client);
    const request = requestOf(wish, setting, client);
    const gate = await this.gate();
    const opened = await gate.open(request, setting.credentials);
    for (const note of opened.notes) say(note);
    openPage(opened, request, setting);
    return opened;
  }

  /** Read anew each time: settings and tokens may change while an agent works. */
  private async setting(client: string): Promise<Setting> {
    return readSetting(this.cwd, process.env, { session: await this.agent(client) });
  }

  private async agent(client: string): Promise<string | null> {
    const given = agentSession(process.env);
    if (given !== null || process.env.ASKGATE_SESSION) return given;
    this.slot ??= takeSlot(findProject(this.cwd), client || "agent");
    this.slot.catch(() => {
      this.slot = null;
    });
    return (await this.slot).id;
  }
}

/** As a command hands it over. Settings that are wrong now are the next call's error, not this answer's. */
function concluded(cwd: string, result: Result): Result {
  const project = findProject(cwd);
  try {
    const settings = loadSettings(project, process.env);
    const said = withAdvice(result, settings);
    logAnswers(said, logFile(project, settings));
    return said;
  } catch (error) {
    say(`askgate: ${explained(error).message}`);
    return result;
  }
}

function submitted(project: string, markdown: string): Submitted {
  const { locale } = loadSettings(project, process.env);
  const frozen = freezeInto(project, markdown, { locale: undefined, otherwise: locale });
  if (frozen.ok) return { file: frozen.file };
  const names = briefWords(languageOf(markdown) ?? locale ?? "en");
  return { missing: frozen.missing.map((section) => names[section]) };
}

function requestOf(wish: Wish, setting: Setting, client: string): OpenRequest {
  const { kind, again, payload, timeout, ...beside } = wish;
  const deadline = timeout === undefined ? {} : { timeout: { ms: parseDuration(timeout, "timeout") } };
  const flags = { ...given(beside), ...deadline };
  const request = buildRequest({ kind, again, payload, flags }, setting, surfacesOf(setting));
  return { ...request, origin: { ...request.origin, agent: request.origin.agent || agentName(client) } };
}

/** What was not said is left out. */
function given({ to, key, session, reviewers, quorum }: Partial<Wish>) {
  return {
    ...(to === undefined ? {} : { to }),
    ...(key === undefined ? {} : { key }),
    ...(session === undefined ? {} : { session }),
    ...(reviewers === undefined ? {} : { reviewers }),
    ...(quorum === undefined ? {} : { quorum }),
  };
}

/** Clients as people know them; others by the name that they give themselves. */
const AGENTS: readonly [RegExp, string][] = [
  [/^claude-code/, "Claude"],
  [/^codex/, "Codex"],
  [/^gemini/, "Gemini"],
  [/^opencode/, "OpenCode"],
  [/^cursor/, "Cursor"],
];

const agentName = (client: string): string =>
  AGENTS.find(([pattern]) => pattern.test(client))?.[1] ?? client.slice(0, 40);

/** As commands do: the browser is opened for a new question. */
function openPage(opened: Opened, request: OpenRequest, { settings }: Setting): void {
  const url = opened.links.find((link) => link.open !== null)?.open;
  const wanted = settings.open !== false && !opened.attached && !request.again;
  if (url && wanted && hasBrowser(process.env)) void openBrowser(url, process.env);
}

function explained(error: unknown): Explained {
  const code = exitOfError(error);
  const kind = code === UNREACHABLE ? "unreachable" : code === INTERNAL ? "internal" : "usage";
  return { kind, message: error instanceof Error ? error.message : String(error), help: helpOf(error) };
}
