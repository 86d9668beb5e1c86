/** Running a slash command, as far as the app has registered it. */
import { interact, type Who } from "./interactions.ts";
import type { Message, Room } from "./model.ts";
import { may } from "./permissions.ts";
import { type Json, list, num, records, str } from "./wire.ts";

export type Options = { [name: string]: string | number | boolean };

const SUBCOMMAND = 1;
const STRING = 3;
const INTEGER = 4;
const BOOLEAN = 5;
const NUMBER = 10;
const KIND_OF: { [type: number]: string } = {
  [STRING]: "string",
  [INTEGER]: "number",
  [BOOLEAN]: "boolean",
  [NUMBER]: "number",
};

/** `/askgate list` names a subcommand with a second word. Gives what answered it, or null. */
export async function run(who: Who, room: Room, words: string, given: Options): Promise<Message | null> {
  const [name = "", sub] = words.replace(/^\//, "").split(" ");
  const command = commandOf(who, room, name);
  const inner = sub === undefined ? command : named(command, sub, SUBCOMMAND);
  const options = optionsOf(inner, given);
  const { deed, interaction } = await interact(who, {
    kind: "command",
    room,
    message: null,
    data: {
      id: command.id,
      name,
      type: 1,
      ...(command.guild_id === undefined ? {} : { guild_id: command.guild_id }),
      options: sub === undefined ? options : [{ type: SUBCOMMAND, name: sub, options }],
    },
    label: `/${words.replace(/^\//, "")}`,
  });
  return deed.kind === "acked" ? interaction.original : null;
}

function commandOf({ hub, user }: Who, room: Room, name: string): Json {
  if (!may(user, room, "USE_APPLICATION_COMMANDS")) throw new Error(`${user.name} may run no commands there`);
  const here = room.guild === null ? [] : (hub.app.commands.get(room.guild.id) ?? []);
  const all = [...here, ...(hub.app.commands.get("") ?? [])];
  const context = room.guild === null ? 1 : 0;
  const command = all.find(
    (one) => one.name === name && (!Array.isArray(one.contexts) || list(one.contexts).includes(context)),
  );
  if (command === undefined)
    throw new Error(
      `no command /${name} there; there are: ${all.map((one) => one.name).join(" | ") || "none"}`,
    );
  return command;
}

function named(command: Json, name: string, type: number): Json {
  const found = records(command.options).find((one) => one.name === name && one.type === type);
  if (found === undefined) throw new Error(`/${str(command.name)} has no ${name}`);
  return found;
}

function optionsOf(command: Json, given: Options): Json[] {
  const known = records(command.options);
  if (known.some(({ type }) => num(type) <= 2)) throw new Error(`/${str(command.name)} needs a subcommand`);
  for (const { name, required } of known)
    if (required === true && given[str(name)] === undefined) throw new Error(`${str(name)} is required`);
  return Object.entries(given).map(([name, value]) => {
    const option = known.find((one) => one.name === name);
    if (option === undefined || typeof value !== KIND_OF[num(option.type)])
      throw new Error(`/${str(command.name)} takes no such ${name}`);
    return { name, type: option.type, value };
  });
}
