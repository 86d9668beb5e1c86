/** The commands, their flags and their help. What a command does is imported when it runs. */
import { Command, CommanderError, Option } from "commander";
import { VERSION } from "../adapters/shared/package.ts";
import { addMessages, addQuestions } from "./asking.ts";
import { addBrief, addRecord } from "./briefing.ts";
import { botCommand } from "./commands/bot.ts";
import { clarityContinue, clarityUp, down } from "./commands/clarity.ts";
import type { DoctorFlags } from "./commands/doctor.ts";
import { hookCommand, skillCommand } from "./commands/hook.ts";
import type { ListFlags } from "./commands/list.ts";
import { planUp } from "./commands/plan.ts";
import { setupCommand } from "./commands/setup.ts";
import type { WaitFlags } from "./commands/wait.ts";
import { USAGE } from "./exit.ts";
import * as help from "./help.ts";
import {
  addAsking,
  addDoctoring,
  addDown,
  addOut,
  addReviewing,
  addTimeout,
  KINDS,
  type PayloadKind,
} from "./options.ts";
import type { RoundFlags } from "./round.ts";
import { say, write } from "./shell.ts";

/** Runs one command line. Resolves to the exit code; errors that are not about flags are thrown. */
export async function run(argv: string[]): Promise<number> {
  let code = 0;
  const program = buildProgram((ended) => {
    code = ended;
  });
  try {
    await program.parseAsync(argv, { from: "user" });
    return code;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? 0 : USAGE;
  }
}

type Finish = (code: number) => void;

export function buildProgram(finish: Finish): Command {
  const program = new Command("askgate")
    .description("The gate where coding agents stop and people decide.")
    .version(VERSION, "-v, --version", "print the version")
    .helpOption("-h, --help", "explain a command")
    .helpCommand(false)
    .addHelpText("after", help.OVERVIEW)
    .showHelpAfterError("(--help explains the command and its flags)")
    .configureOutput({ writeOut: write, writeErr: (text) => say(text.trimEnd()) })
    .exitOverride();
  program.commandsGroup("Ask:");
  addClarity(program, finish);
  addPlan(program, finish);
  addQuestions(program, { finish, later });
  addWait(program, finish);
  addMcp(program, finish);
  program.commandsGroup("Meanwhile:");
  addMessages(program, { finish });
  program.commandsGroup("Look:");
  addLooking(program, finish);
  addRecord(program, { finish });
  program.commandsGroup("The brief:");
  addBrief(program, { finish, later });
  program.commandsGroup("Payloads:");
  addPayloads(program, finish);
  program.commandsGroup("For agents:");
  program.addCommand(inherit(hookCommand(finish), program));
  program.addCommand(inherit(skillCommand(finish), program));
  program.commandsGroup("Set up:");
  program.addCommand(inherit(setupCommand(finish), program));
  addDoctor(program, finish);
  program.commandsGroup("The bot:");
  program.addCommand(inherit(botCommand(), program));
  return program;
}

function addClarity(program: Command, finish: Finish): void {
  const clarity = program.command("clarity").description("ask for decisions");
  later(clarity.command("up"), addAsking)
    .description("ask; wait; print the answers")
    .addHelpText("after", help.CLARITY_UP)
    .action(async (flags: RoundFlags) => finish(await clarityUp(flags)));
  later(clarity.command("continue"), addAsking)
    .description("the next page of the same session")
    .addHelpText("after", help.CLARITY_CONTINUE)
    .action(async (flags: RoundFlags) => finish(await clarityContinue(flags)));
  addEnding(clarity, finish);
}

function addPlan(program: Command, finish: Finish): void {
  const plan = program.command("plan").description("have a plan reviewed");
  later(plan.command("up"), addReviewing)
    .description("show the plan; wait; print the verdict and the comments")
    .addHelpText("after", help.PLAN_UP)
    .action(async (flags: RoundFlags) => finish(await planUp(flags)));
  addEnding(plan, finish);
}

const addEnding = (parent: Command, finish: Finish): Command =>
  later(parent.command("down"), addDown)
    .description("end the session; what is open in it is cancelled")
    .action(async (flags: RoundFlags) => finish(await down(flags)));

function addWait(program: Command, finish: Finish): void {
  const wait = program.command("wait").argument("<round>", "the round's id, from standard error: r_…");
  addOut(addTimeout(wait, "how long to wait; default: until there is an outcome"))
    .description("attach again; print the outcome, any number of times")
    .addHelpText("after", help.WAIT)
    .action(async (round: string, flags: WaitFlags) => {
      const { waitForRound } = await import("./commands/wait.ts");
      finish(await waitForRound(round, flags));
    });
}

function addMcp(program: Command, finish: Finish): void {
  program
    .command("mcp")
    .description("people as tools of an agent (MCP over standard input and output)")
    .addHelpText("after", help.MCP)
    .action(async () => {
      const { mcp } = await import("./commands/mcp.ts");
      finish(await mcp());
    });
}

function addLooking(program: Command, finish: Finish): void {
  program
    .command("list")
    .description("the sessions of this project")
    .option("--all", "of every project")
    .option("--json", "as JSON on a terminal too")
    .action(async (flags: ListFlags) => {
      const { list } = await import("./commands/list.ts");
      finish(await list(flags));
    });
  program
    .command("show")
    .description("one session in full")
    .argument("<session>", "a session's or a round's id")
    .option("--json", "as JSON on a terminal too")
    .action(async (id: string, flags: { json?: true }) => {
      const { show } = await import("./commands/show.ts");
      finish(await show(id, flags));
    });
}

function addPayloads(program: Command, finish: Finish): void {
  program
    .command("check")
    .description("validate a payload; name every mistake")
    .argument("[file]", "the payload; default and `-`: standard input")
    .addOption(new Option("--kind <kind>", "what it should be").choices(KINDS))
    .addHelpText("after", help.CHECK)
    .action(async (file: string | undefined, flags: { kind?: PayloadKind }) => {
      const { check } = await import("./commands/check.ts");
      finish(await check(file, flags.kind));
    });
  program
    .command("schema")
    .description("print a payload's JSON Schema")
    .argument("<kind>", KINDS.join(", "))
    .addHelpText("after", help.SCHEMA)
    .action(async (kind: string) => {
      const { schema } = await import("./commands/schema.ts");
      finish(await schema(kind));
    });
}

function addDoctor(program: Command, finish: Finish): void {
  later(program.command("doctor"), addDoctoring)
    .description("test everything, and say what to do")
    .addHelpText("after", help.DOCTOR)
    .action(async (flags: DoctorFlags) => {
      const { doctor } = await import("./commands/doctor.ts");
      finish(await doctor(flags));
    });
}

/** Adds the flags of a command once it is the one that runs: to build them all takes longer than to ask. */
function later(command: Command, addFlags: (command: Command) => Command): Command {
  command.parent?.hook("preSubcommand", (_, chosen) => {
    if (chosen === command) addFlags(command);
  });
  return command;
}

/** A command built elsewhere ends and explains itself as the others do. */
function inherit(command: Command, parent: Command): Command {
  command.copyInheritedSettings(parent);
  for (const child of command.commands) inherit(child, command);
  return command;
}
