/** reactions.*: small signs under messages. */
import { addReaction } from "../deeds.ts";
import { messageJson } from "../payloads.ts";
import { Refusal } from "../refusal.ts";
import { arg, knownMessage, type Method, memberRoom, method } from "./method.ts";

const place = { channel: arg.must, timestamp: arg.must };
const NAME = /^[a-z0-9_+'-]+(::skin-tone-[2-6])?$/;

const add = method(["reactions:write"], { ...place, name: arg.must }, ({ hub, team }, args) => {
  const room = memberRoom(team, args.channel);
  const message = knownMessage(room, args.timestamp);
  if (room.archived) throw new Refusal("is_archived");
  if (!NAME.test(args.name)) throw new Refusal("invalid_name");
  if (!addReaction(hub, message, team.bot.id, args.name)) throw new Refusal("already_reacted");
  return {};
});

const remove = method(["reactions:write"], { ...place, name: arg.must }, ({ hub, team }, args) => {
  const message = knownMessage(memberRoom(team, args.channel), args.timestamp);
  const there = message.reactions.find((one) => one.name === args.name);
  if (there?.users.includes(team.bot.id) !== true) throw new Refusal("no_reaction");
  there.users = there.users.filter((user) => user !== team.bot.id);
  message.reactions = message.reactions.filter((one) => one.users.length > 0);
  hub.ledger.changed();
  return {};
});

const get = method(["reactions:read"], { ...place, full: arg.flag }, ({ team }, args) => {
  const room = memberRoom(team, args.channel);
  const message = knownMessage(room, args.timestamp);
  return { type: "message", channel: room.id, message: messageJson(team, room, message) };
});

export const reactions: { [name: string]: Method } = {
  "reactions.add": add,
  "reactions.remove": remove,
  "reactions.get": get,
};
