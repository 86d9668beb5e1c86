/** The commands around the brief, and the decision record. What they do is imported when they run. */
import { type Command, Option } from "commander";
import type { CheckFlags } from "./commands/brief.ts";
import type { FreezeFlags } from "./commands/brief-freeze.ts";
import type { RecordFlags } from "./commands/record.ts";
import * as help from "./help-brief.ts";
import { addFreezing, addLocale, addOut } from "./options.ts";

interface Adding {
  finish(code: number): void;
  later(command: Command, addFlags: (command: Command) => Command): Command;
}

export function addBrief(program: Command, adding: Adding): void {
  const brief = program
    .command("brief")
    .description("what is wanted, in four sections")
    .helpCommand(false)
    .addHelpText("after", help.BRIEF);
  addCheck(brief, adding);
  addFreeze(brief, adding);
  addReading(brief, adding);
}

function addCheck(brief: Command, { finish }: Adding): void {
  const check = brief
    .command("check")
    .argument("[file]", "a reply, `-`: standard input; default: the project's brief");
  addOut(addLocale(check.option("--always-ask", "a complete brief does not count: ask people anew")))
    .description("is it complete? name what is missing, and what was answered")
    .addHelpText("after", help.BRIEF_CHECK)
    .action(async (file: string | undefined, flags: CheckFlags) => {
      const { briefCheck } = await import("./commands/brief.ts");
      finish(await briefCheck(file, flags));
    });
}

function addFreeze(brief: Command, { finish, later }: Adding): void {
  later(brief.command("freeze"), addFreezing)
    .description("make a reply the project's brief")
    .argument("[file]", "the reply; default and `-`: standard input")
    .addHelpText("after", help.BRIEF_FREEZE)
    .action(async (file: string | undefined, flags: FreezeFlags) => {
      const { briefFreeze } = await import("./commands/brief-freeze.ts");
      finish(await briefFreeze(file, flags));
    });
}

function addReading(brief: Command, { finish }: Adding): void {
  brief
    .command("show")
    .description("the project's brief and what people wrote since")
    .option("--json", "as JSON on a terminal too")
    .addHelpText("after", help.BRIEF_SHOW)
    .action(async (flags: { json?: true }) => {
      const { briefShow } = await import("./commands/brief.ts");
      finish(await briefShow(flags));
    });
  addLocale(brief.command("prompt"))
    .description("the sections and amendments, for a prompt")
    .addHelpText("after", help.BRIEF_PROMPT)
    .action(async (flags: { locale?: string }) => {
      const { briefPrint } = await import("./commands/brief.ts");
      finish(await briefPrint(flags));
    });
  brief
    .command("new")
    .description("archive the brief: the next task begins")
    .addHelpText("after", help.BRIEF_NEW)
    .action(async () => {
      const { briefNew } = await import("./commands/brief.ts");
      finish(await briefNew());
    });
}

export function addRecord(program: Command, { finish }: Pick<Adding, "finish">): void {
  addOut(program.command("record"))
    .description("what was decided in a session, to commit beside the code")
    .argument("[session]", "a session's or a round's id, or a session's name; default: this project's")
    .addOption(new Option("--format <format>", "Markdown or JSON").choices(["md", "json"]).default("md"))
    .addHelpText("after", help.RECORD)
    .action(async (id: string | undefined, flags: RecordFlags) => {
      const { record } = await import("./commands/record.ts");
      finish(await record(id, flags));
    });
}
