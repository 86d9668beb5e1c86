/** The flags that commands share, and how their values are read. */
import { type Command, InvalidArgumentError, Option } from "commander";
import { ON_TIMEOUT, splitList, surfaces } from "./config.ts";
import { parseDuration, parseMilliseconds } from "./duration.ts";

/** What `check` and `schema` know. */
export const KINDS = ["clarity", "plan", "ask", "permission"] as const;
export type PayloadKind = (typeof KINDS)[number];

/** A value that looks like a flag is a forgotten value. */
const value = (text: string): string => {
  if (text === "") throw new InvalidArgumentError("It is empty.");
  if (text.startsWith("--")) throw new InvalidArgumentError("Its value is missing.");
  return text;
};

const list = (text: string): string[] => {
  const items = splitList(value(text));
  if (items.length === 0) throw new InvalidArgumentError("It is empty.");
  return items;
};

const wholeNumber = (text: string): number => {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError("It must be a whole number from 1.");
  return Number(text);
};

/** Less than 0 is any number. */
const quota = (text: string): number => {
  if (!/^-?\d{1,6}$/.test(text)) throw new InvalidArgumentError("It must be a whole number.");
  return Math.max(-1, Number(text));
};

export const addOut = (command: Command): Command =>
  command.option("--out <file>", "write the result here as well", value);

export const addTimeout = (command: Command, meaning: string): Command =>
  command
    .option("--timeout <time>", meaning, (text) => ({ ms: parseDuration(value(text), "--timeout") }))
    .addOption(
      new Option("--timeout-ms <n>", "the same in milliseconds")
        .argParser((text) => ({ ms: parseMilliseconds(value(text), "--timeout-ms") }))
        .conflicts("timeout"),
    );

/** A flag that may be given several times; its values in order. */
const repeated = (option: Option, read: (text: string) => string): Option =>
  option.argParser((text: string, before: string[] | undefined) => [...(before ?? []), read(text)]);

/** Words of a question may be anything, also nothing. */
const anything = (text: string): string => text;

const toOption = (meaning: string): Option => repeated(new Option("--to <where>", meaning), value);

/** What `doctor` takes. */
export const addDoctoring = (command: Command): Command =>
  command
    .addOption(toOption("look at this place or person too; repeat for more"))
    .option("--json", "as JSON");

/** Everything that a command which asks takes. */
export function addAsking(command: Command): Command {
  command
    .optionsGroup("What to ask:")
    .option("--input <file>", "the payload; default and `-`: standard input", value);
  addOut(command);
  command.optionsGroup("How long:");
  addTimeout(command, "deadline: 30m (default), 1800s, 2h, never, 0");
  command.addOption(
    new Option(
      "--on-timeout <policy>",
      "at the deadline: keep it open, take the recommended, or fail",
    ).choices(ON_TIMEOUT),
  );
  command
    .optionsGroup("Where:")
    .option("--via <surfaces>", "slack, discord, web, terminal (comma between them)", (text) =>
      surfaces(list(text), "--via"),
    )
    .addOption(toOption("a place or person, default: me; repeat for more"))
    .option("--no-open", "do not open the browser")
    .option("--locale <tag>", "language of the cards: en, zh, fr, es", value);
  command
    .optionsGroup("Who decides:")
    .option("--reviewers <list>", "who reviews the plan: names or accounts", list)
    .option("--responders <list>", "who may answer: names or accounts", list)
    .option("--quorum <n>", "approvals that are needed", wholeNumber)
    .option("--no-veto", "a request for changes counts only once approval is out of reach");
  return addSession(command.optionsGroup("Which session:"))
    .option("--key <k>", "names the round: the same key is the same round", value)
    .addOption(new Option("--granularity <how>").choices(["auto", "block"]).default("auto").hideHelp())
    .addOption(new Option("--token <token>", "clarinator's; means nothing here").hideHelp());
}

/** What `ask` takes. */
export function addQuestioning(command: Command): Command {
  command
    .optionsGroup("What to ask:")
    .addOption(repeated(new Option("--option <label>", "a possible answer; repeat for more"), anything))
    .addOption(repeated(new Option("--option-id <id>", "its id in the result, one for each --option"), value))
    .option("--no-own-words", "only the options, no answer in own words")
    .option("--detail <text>", "more to read, in Markdown; `-`: standard input", anything)
    .option("--asks <n>", "questions allowed in this session; 0 none, -1 any number", quota);
  addAsking(command);
  command
    .optionsGroup("Record:")
    .option("--log <file>", "record questions and answers here (.askgate/qa.md)", value)
    .option("--no-log", "record nothing");
  return hide(describe(command, "--input", "the whole question as JSON; `-`: standard input"), FOR_PLANS);
}

/** What `brief freeze` takes. */
export function addFreezing(command: Command): Command {
  command.option("--ask", "show it to people first; the flags below are for that");
  addAsking(command);
  describe(command, "--locale", "language of the brief, default that of its headings: zh, en, fr, es, de");
  return hide(command, [...FOR_PLANS, "--on-timeout", "--input"]);
}

export const addLocale = (command: Command): Command =>
  command.option("--locale <tag>", "language of the section names: zh, en, fr, es, de", value);

/** What `permission` takes. */
export function addPermitting(command: Command): Command {
  command
    .optionsGroup("What to ask:")
    .option("--command <command>", "exactly what will be run; `-`: standard input", anything)
    .option("--detail <text>", "more to read, in Markdown; `-`: standard input", anything);
  addAsking(command);
  describe(command, "--input", "all of it as JSON; `-`: standard input");
  return hide(command, [...FOR_PLANS, "--on-timeout"]);
}

export const addSession = (command: Command): Command =>
  command.option("--session <s>", "a session's id, or a name in this project", value);

const FOR_PLANS = ["--reviewers", "--quorum", "--no-veto"];

/** Flags that mean nothing to a command are taken, and not shown. */
function hide(command: Command, names: string[]): Command {
  for (const option of command.options) if (names.includes(option.long ?? "")) option.hidden = true;
  return command;
}

function describe(command: Command, name: string, meaning: string): Command {
  for (const option of command.options) if (option.long === name) option.description = meaning;
  return command;
}

/** `down` takes the flags of its siblings, as clarinator's callers may pass them, and means only `--session`. */
export function addDown(command: Command): Command {
  addAsking(command);
  for (const option of command.options) option.hidden = option.long !== "--session";
  return command;
}

/** Plans are cut into messages; for other kinds that flag means nothing and is accepted. */
export function addReviewing(command: Command): Command {
  addAsking(command);
  for (const option of command.options) {
    if (option.long !== "--granularity") continue;
    option.hidden = false;
    option.description = "messages in chat: auto packs blocks, block posts one each";
  }
  return command;
}
