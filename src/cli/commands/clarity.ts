/** `clarity up`, `clarity continue`, and `down` for both kinds. */
import { connect } from "../../adapters/link/client.ts";
import { agentSession, findProject } from "../project.ts";
import { askAndWait, type RoundFlags } from "../round.ts";
import { say } from "../shell.ts";

export const clarityUp = (flags: RoundFlags): Promise<number> =>
  askAndWait({ kind: "clarity", again: false, flags });

export const clarityContinue = (flags: RoundFlags): Promise<number> =>
  askAndWait({ kind: "clarity", again: true, flags });

/** Ends the session; what is open in it is cancelled. Without one it says so. */
export async function down(flags: { session?: string }): Promise<number> {
  const gate = await connect();
  try {
    const ended = await gate.down({
      project: findProject(process.cwd()),
      session: flags.session ?? (process.env.ASKGATE_SESSION || null),
      agentSession: agentSession(process.env),
    });
    say(ended === null ? "no session is open here" : `session ${ended.session} ended`);
    return 0;
  } finally {
    gate.close();
  }
}
