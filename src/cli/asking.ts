/** The commands around one question: `ask`, `permission`, `inbox`, `say`. What they do is imported when they run. */
import type { Command } from "commander";
import type { AskFlags } from "./commands/ask.ts";
import type { InboxFlags } from "./commands/inbox.ts";
import type { PermissionFlags } from "./commands/permission.ts";
import * as help from "./help-ask.ts";
import { addPermitting, addQuestioning, addSession } from "./options.ts";

interface Adding {
  finish(code: number): void;
  later(command: Command, addFlags: (command: Command) => Command): Command;
}

export function addQuestions(program: Command, { finish, later }: Adding): void {
  later(program.command("ask"), addQuestioning)
    .description("one question; wait; print the answer")
    .argument("[question]", "what to ask; default and `-`: standard input")
    .addHelpText("after", help.ASK)
    .action(async (question: string | undefined, flags: AskFlags) => {
      const { ask } = await import("./commands/ask.ts");
      finish(await ask(question, flags));
    });
  later(program.command("permission"), addPermitting)
    .description("may this be run? wait; print the decision")
    .argument("[title]", "what you want to do, in plain words")
    .addHelpText("after", help.PERMISSION)
    .action(async (title: string | undefined, flags: PermissionFlags) => {
      const { permission } = await import("./commands/permission.ts");
      finish(await permission(title, flags));
    });
}

export function addMessages(program: Command, { finish }: Pick<Adding, "finish">): void {
  addSession(program.command("inbox"))
    .description("what people wrote to the agent, each message once")
    .option("--peek", "only look: the messages come again")
    .option("--json", "as JSON on a terminal too")
    .addHelpText("after", help.INBOX)
    .action(async (flags: InboxFlags) => {
      const { inbox } = await import("./commands/inbox.ts");
      finish(await inbox(flags));
    });
  addSession(program.command("say"))
    .description("a note from the agent into the thread")
    .argument("[text]", "the note; default and `-`: standard input")
    .addHelpText("after", help.SAY)
    .action(async (text: string | undefined, flags: { session?: string }) => {
      const { say } = await import("./commands/say.ts");
      finish(await say(text, flags));
    });
}
