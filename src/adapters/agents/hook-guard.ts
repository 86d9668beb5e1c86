/** The guard: what an agent may not do before it is clear what is wanted. */
import { ENGLISH, type SectionKey } from "../../core/brief-labels.ts";

/** How a project's brief stands, without what is in it. */
export interface BriefState {
  /** Is there a file? */
  stands: boolean;
  missing: SectionKey[];
}

/** Tools that change something, and those that start an agent which could. */
export const GUARDED = ["Bash", "Write", "Edit", "MultiEdit", "NotebookEdit", "Task", "Agent"] as const;

/** `*` in a configured name stands for anything: `mcp__github__*`. */
export const isGuarded = (tool: string, more: string[]): boolean =>
  [...GUARDED, ...more].some((name) => new RegExp(`^${patternOf(name)}$`).test(tool));

/** A tool's name as the regular expression that an agent's settings take. */
export const patternOf = (name: string): string =>
  name.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*");

/** What the agent is told; names the command that ends the block. */
export function guardReason(tool: string, brief: BriefState, path: string): string {
  return [
    `${tool} is not available yet: ${standing(brief, path)}`,
    "Until it is complete, find out what is wanted: read the code, and ask people with `askgate clarity up <<'EOF'` or `askgate ask`.",
    "Then end the block: pipe the four sections (Goal, Acceptance criteria, Boundaries, Unknowns and assumptions) into `askgate brief freeze <<'EOF'`.",
    "This is intended; do not look for a way around it.",
  ].join(" ");
}

/** How the brief stands, in a sentence. */
export function standing(brief: BriefState, path: string): string {
  if (!brief.stands) return `there is no brief in ${path}.`;
  if (brief.missing.length === 0) return `the brief in ${path} is complete.`;
  return `the brief in ${path} lacks ${brief.missing.map((key) => ENGLISH[key]).join(", ")}.`;
}

export const isComplete = ({ stands, missing }: BriefState): boolean => stands && missing.length === 0;

/** Commands with which an agent asks and ends the block; none of them changes how askgate is set up. */
const ASKING = [
  "ask",
  "brief",
  "check",
  "clarity",
  "doctor",
  "inbox",
  "list",
  "permission",
  "plan",
  "record",
  "say",
  "schema",
  "show",
  "skill",
  "wait",
  "--help",
  "--version",
];

/** A bare word, or one in quotes in which a shell expands nothing. */
const WORD = /(?:[A-Za-z0-9_./:=@,+%-]|'[^']*'|"[^"$`\\!]*")+/y;

/**
 * Is a shell command just askgate, asking? One simple command without operators, expansions or redirections; its input
 * may be a here-document whose text the shell leaves alone. Flags that name a file to write are none.
 */
export function isAsking(command: string): boolean {
  const [line, ...body] = splitLine(command.trim());
  if (line === undefined) return false;
  const heredoc = /^(.*?)[ \t]*<<[ \t]*(?:'(\w+)'|"(\w+)")$/s.exec(line);
  const tag = heredoc?.[2] ?? heredoc?.[3];
  if (tag === undefined ? body.length > 0 : body.indexOf(tag) !== body.length - 1) return false;
  const words = wordsOf(heredoc?.[1] ?? line);
  const [program, ...args] = words?.[0] === "npx" ? words.slice(1) : (words ?? []);
  const writes = args.some((arg) => /^--?(?:out|o|log)(?:=|$)/.test(arg));
  return program === "askgate" && ASKING.includes(args[0] ?? "") && !writes;
}

/** The first line of a command, which may go on inside quotes, and the lines after it; nothing for an open quote. */
function splitLine(command: string): string[] {
  const line = /^(?:[^'"\n]|'[^']*'|"[^"]*")*/.exec(command)?.[0] ?? "";
  const rest = command.slice(line.length);
  if (rest === "") return [line];
  return rest.startsWith("\n") ? [line, ...rest.slice(1).split("\n")] : [];
}

/** The words of a command without their quotes; null where a shell would do more than run it. */
function wordsOf(line: string): string[] | null {
  const words: string[] = [];
  const text = line.trim();
  for (let at = 0; at < text.length; ) {
    WORD.lastIndex = at;
    const word = WORD.exec(text)?.[0];
    if (word === undefined) return null;
    words.push(word.replace(/['"]/g, ""));
    const after = at + word.length;
    const blank = /^[ \t]+/.exec(text.slice(after))?.[0].length ?? 0;
    if (blank === 0 && after < text.length) return null;
    at = after + blank;
  }
  return words;
}
