/** `record`: what was decided in a session, to keep beside the code. */
import { connect } from "../../adapters/link/client.ts";
import { decisionRecord } from "../../core/decision-record.ts";
import { recordMarkdown } from "../../core/decision-record-markdown.ts";
import type { Gate, SessionSummary } from "../../core/gate.ts";
import { INTERNAL, UsageError } from "../exit.ts";
import { findProject } from "../project.ts";
import { writeOut } from "../result.ts";
import { print, toText } from "../shell.ts";

export interface RecordFlags {
  format: "md" | "json";
  out?: string;
}

/** `id`: a session's or a round's id, or a session's name in this project; default: the project's current or last session. */
export async function record(id: string | undefined, { format, out }: RecordFlags): Promise<number> {
  const gate = await connect();
  try {
    const made = decisionRecord(await gate.show(await meant(gate, id)));
    const text = format === "json" ? toText(made) : recordMarkdown(made);
    const written = writeOut(out, text);
    await print(text);
    return written ? 0 : INTERNAL;
  } finally {
    gate.close();
  }
}

async function meant(gate: Gate, said: string | undefined): Promise<string> {
  const wanted = said ?? (process.env.ASKGATE_SESSION || undefined);
  if (wanted !== undefined && /^[rs]_/.test(wanted)) return wanted;
  const sessions = await gate.list(findProject(process.cwd()));
  const found =
    wanted === undefined ? lastOf(sessions) : lastOf(sessions.filter(({ name }) => name === wanted));
  if (found !== undefined) return found.session;
  const which =
    wanted === undefined ? "this project has no session" : `this project has no session "${wanted}"`;
  throw new UsageError(which, "See: askgate list --all");
}

/** The one that still runs, else the last one; lists begin with the one used last. */
const lastOf = (sessions: SessionSummary[]): SessionSummary | undefined =>
  sessions.find(({ ended }) => !ended) ?? sessions[0];
