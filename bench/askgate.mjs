/** askgate as it is installed: its commands, its bot and its exported client, each in a folder of its own. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { connect } from "../dist/index.js";
import { startNode } from "./measure.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
export const MAIN = join(root, "dist", "main.js");
export const LOGIN = JSON.parse(readFileSync(join(root, "examples", "login.json"), "utf8"));

/** As a page draws: nothing has to be shortened. */
const LIMITS = {
  card: 1e9,
  text: 1e9,
  entries: 100,
  entryText: 1_000,
  units: 1e9,
  unitsPer: { text: 1, choice: 2, controls: 1 },
  planCards: 1e9,
  planCardsDirect: 1e9,
};
export const VIEW = { surface: "web", limits: LIMITS, locale: "en" };

const open = new Set();

/** Stops every bot that was started here. */
export const endAll = () => Promise.all([...open].map((state) => state.end()));

/** A state directory with a running bot. `end` stops the bot and removes the folder. */
export async function openState() {
  const folder = mkdtempSync(join(tmpdir(), "askgate-bench-"));
  const stateDir = join(folder, "state");
  const env = environment(folder);
  const gate = await connect({ stateDir });
  let projects = 0;
  const state = {
    stateDir,
    env,
    gate,
    /** A folder as agents have it: a checkout with a branch. */
    project() {
      projects += 1;
      const path = join(folder, `project-${projects}`);
      mkdirSync(join(path, ".git"), { recursive: true });
      writeFileSync(join(path, ".git", "HEAD"), "ref: refs/heads/main\n");
      writeFileSync(
        join(path, ".git", "config"),
        '[remote "origin"]\n\turl = git@example.com:shop/web.git\n',
      );
      writeFileSync(join(path, "login.json"), JSON.stringify(LOGIN));
      return path;
    },
    async end() {
      open.delete(state);
      await gate.stop();
      gate.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  open.add(state);
  return state;
}

/** The user's own settings and the session of an agent that runs the benchmark must not count. */
function environment(folder) {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^ASKGATE_|_SESSION_ID$|_THREAD_ID$/.test(name),
  );
  return {
    ...Object.fromEntries(own),
    ASKGATE_STATE_DIR: join(folder, "state"),
    XDG_CONFIG_HOME: join(folder, "config"),
  };
}

/** A command that asks in a project of its own, once its round is open. `opened` is when it said so, in milliseconds. */
export async function askAndStay(state) {
  const cwd = state.project();
  const args = [MAIN, "clarity", "up", "--input", "login.json", "--no-open"];
  const command = startNode(args, { cwd, env: state.env });
  const { at, match } = await command.until(/^round (r_(\w+)-\d+)/m);
  return { ...command, opened: at, round: match[1], session: `s_${match[2]}` };
}

/** The ids of a round's buttons by verb, as a surface gets them: only the bot makes them. */
export async function buttonsOf(gate, session) {
  const watching = new AbortController();
  for await (const { cards } of gate.watch(session, VIEW, watching.signal)) {
    watching.abort();
    const parts = cards.flatMap((card) => card.parts);
    const controls = parts.flatMap((part) => (part.kind === "controls" ? part.controls : []));
    return {
      pick: parts.find((part) => part.kind === "choice").pick,
      send: controls.find(({ verb }) => verb === "send").id,
    };
  }
  throw new Error(`no cards of ${session}`);
}

let presses = 0;

/** Presses a button as a page does; throws when the gate does not take it. */
export async function press(gate, session, button, values = []) {
  presses += 1;
  const answer = await gate.act(session, { surface: "web", id: `p${presses}`, button, values, words: null });
  if (answer.kind !== "done") throw new Error(`${button} was not taken: ${JSON.stringify(answer)}`);
}

/** What `clarity up` sends for the login payload, from a project that nobody else has. */
export const question = (number) => ({
  kind: "clarity",
  again: false,
  payload: LOGIN,
  project: `/bench/${number}`,
  session: null,
  agentSession: null,
  key: null,
  timeoutMs: null,
  policy: {},
  floor: {},
  people: {},
  granularity: "auto",
  asks: null,
  locale: "en",
  via: ["web"],
  to: [],
  origin: { repo: "shop-web", branch: "main", agent: "Claude", host: "bench" },
});
