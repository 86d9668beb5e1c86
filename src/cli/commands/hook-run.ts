/** `hook AGENT`: one event of an agent, from standard input to standard output. It always answers, and always in time. */
import { AGENTS, type AgentName } from "../../adapters/agents/agents.ts";
import type { Agent, Answer, Event, Heard } from "../../adapters/agents/hook.ts";
import { guardReason, isAsking, isComplete, isGuarded, standing } from "../../adapters/agents/hook-guard.ts";
import { inTime } from "../../adapters/shared/in-time.ts";
import { briefFile, readBrief } from "../brief-files.ts";
import { INTERNAL, USAGE } from "../exit.ts";
import { helpOf } from "../explain.ts";
import { readPayload } from "../input.ts";
import { readIfThere } from "../read-file.ts";
import { readSetting, type Setting } from "../request.ts";
import { print, say } from "../shell.ts";
import { askPeople, type Given, takeBack } from "./hook-ask.ts";
import { type Time, timeOf } from "./hook-time.ts";

export interface HookFlags {
  /** When the agent stops listening. */
  within?: { ms: number | null };
  guard?: true;
  chatOnly?: true;
  acceptEdits?: true;
}

/** How long the bot may take to hear that the agent has its answer. */
const RECEIPT_MS = 1_000;

/** Agents take this exit code for "no", where they take one at all, and standard error for the reason. */
const BLOCKS = USAGE;

export async function hook(name: AgentName, flags: HookFlags): Promise<number> {
  const agent = await AGENTS[name].load();
  const time = timeOf((flags.within?.ms ?? agent.seconds * 1000) / 1000);
  let input: unknown;
  try {
    input = await inTime(readPayload(undefined), time.left(), tooSlow);
  } catch (error) {
    say(`askgate: the event could not be read: ${messageOf(error)}`);
    return BLOCKS;
  }
  return give(await decide({ agent, input, flags, time }));
}

async function give({ answer, taken }: Given): Promise<number> {
  try {
    if (answer !== null) await print(`${JSON.stringify(answer)}\n`);
  } catch {
    return INTERNAL;
  }
  // The agent has its answer: that the bot could not be told changes nothing.
  await inTime(taken(), RECEIPT_MS, tooSlow).catch(() => {});
  return 0;
}

interface Hooked {
  agent: Agent;
  input: unknown;
  flags: HookFlags;
  time: Time;
}

/** Whatever goes wrong becomes the answer that is closed. */
async function decide(on: Hooked): Promise<Given> {
  const { agent, input, flags, time } = on;
  try {
    const hearing = {
      chatOnly: flags.chatOnly === true,
      acceptEdits: flags.acceptEdits === true,
      readText: readIfThere,
    };
    return await inTime(carryOut(agent.hear(input, hearing), on), time.left(), tooSlow);
  } catch (error) {
    const reason = `askgate failed: ${messageOf(error)}`;
    say(reason);
    return given(agent.refuse(input, reason));
  }
}

const given = (answer: Answer): Given => ({ answer, taken: async () => {} });

const tooSlow = (): Error => new Error("it took longer than the agent waits.");

function messageOf(error: unknown): string {
  if (error instanceof Error && error.name === "ZodError")
    return "this event has another shape than this version of askgate knows (`askgate doctor` compares versions).";
  const message = error instanceof Error ? error.message : String(error);
  return [/[.!?]$/.test(message) ? message : `${message}.`, helpOf(error)].join(" ").trim();
}

async function carryOut(event: Event, on: Hooked): Promise<Given> {
  const { heard } = event;
  switch (heard.kind) {
    case "nothing":
      return given(null);
    case "decided":
      return given(heard.answer);
    case "ask":
      return askPeople(heard, { setting: settingOf(event, on), title: on.agent.title, time: on.time });
    case "over":
      await takeBack(heard, settingOf(event, on));
      return given(null);
    case "guard":
      return given(guarded(heard, settingOf(event, on), on.flags));
    case "start":
      return given(heard.tell(begin(settingOf(event, on), on.flags)));
  }
}

/** The project is that in which the agent was started, wherever its commands stand now. */
function settingOf({ cwd, session }: Event, { agent }: Hooked): Setting {
  const { projectVariable } = agent;
  const started = projectVariable === null ? undefined : process.env[projectVariable];
  return readSetting(started || cwd, process.env, { session });
}

function guarded(heard: Extract<Heard, { kind: "guard" }>, setting: Setting, flags: HookFlags): Answer {
  const { tool, command } = heard;
  const tools = toolsOf(setting, flags);
  if (tools === null || !isGuarded(tool, tools)) return null;
  if (command !== null && isAsking(command)) return null;
  const brief = readBrief(setting.project);
  return isComplete(brief) ? null : heard.deny(guardReason(tool, brief, briefFile(setting.project)));
}

/** What is guarded beside the tools that always are; null: nothing. */
const toolsOf = ({ settings }: Setting, { guard }: HookFlags): string[] | null =>
  settings.guard ?? (guard ? [] : null);

/** The brief's path and state, and nothing of what is in it. */
function begin(setting: Setting, flags: HookFlags): string {
  const brief = readBrief(setting.project);
  const lines = [`askgate: ${standing(brief, briefFile(setting.project))}`];
  if (isComplete(brief)) lines.push("Read it before you work: it says what is wanted.");
  else if (toolsOf(setting, flags) !== null)
    lines.push("Until it is complete, tools that change something are denied: see `askgate skill`.");
  return lines.join(" ");
}
