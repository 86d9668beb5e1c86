/** `list`: the sessions of this project, for people on a terminal and as JSON otherwise. */
import { connect } from "../../adapters/link/client.ts";
import type { SessionSummary } from "../../core/gate.ts";
import { findProject } from "../project.ts";
import { harmless, print, toText } from "../shell.ts";

export interface ListFlags {
  all?: true;
  json?: true;
}

export async function list(flags: ListFlags): Promise<number> {
  const gate = await connect();
  try {
    const sessions = await gate.list(flags.all ? null : findProject(process.cwd()));
    await print(flags.json || !process.stdout.isTTY ? toText(sessions) : describe(sessions, flags));
    return 0;
  } finally {
    gate.close();
  }
}

function describe(sessions: SessionSummary[], flags: ListFlags): string {
  if (sessions.length === 0)
    return flags.all ? "no sessions\n" : "no sessions in this project (--all shows every project)\n";
  return `${sessions.map((session) => describeSession(session, flags)).join("\n\n")}\n`;
}

function describeSession(session: SessionSummary, flags: ListFlags): string {
  const name = session.name === null ? "" : ` (${session.name})`;
  const about = [session.title, session.agent, `used ${session.usedAt}`, session.ended ? "ended" : ""];
  const head = `${session.session}${name}  ${about.filter((part) => part !== "").join(" · ")}`;
  const rounds = session.rounds.map(
    ({ round, kind, title, status, late }) =>
      `  ${round}  ${kind}  ${status}${late ? " (the agent went on)" : ""}  ${title}`,
  );
  return [head, ...(flags.all ? [`  ${session.project}`] : []), ...rounds].map(harmless).join("\n");
}
