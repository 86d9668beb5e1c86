/** Discord as the shared suite sees a chat. */
import type { Change, ChatPerson, ChatStage, OpenStage } from "../conformance/chat-stage.ts";
import type { Discord, Person } from "../doubles/discord/index.ts";
import { FLAGS } from "../doubles/discord/limits.ts";
import { num, record, records, str } from "../doubles/discord/wire.ts";
import type { Call } from "../doubles/shared/ledger.ts";
import { hastyClock } from "./chat-bot.ts";
import { actorOf, roomOf } from "./discord-people.ts";
import { bringsOnlyFiles, type World } from "./discord-seen.ts";
import { discordStage } from "./discord-stage.ts";

export const openDiscordChat: OpenStage = async ({ haste = 1, unlimited = false } = {}) => {
  const stage = await discordStage({
    ...(haste > 1 && { clock: hastyClock(haste) }),
    ...(unlimited && { factor: Number.POSITIVE_INFINITY }),
  });
  const { discord, team } = stage;
  const { acme, plans, ...everybody } = team;
  const world = { acme, discord };
  const stop = async (): Promise<void> => {
    await discord.assertClean();
    await stage.stop();
  };
  return {
    surface: "discord",
    label: "Discord",
    blocksStand: "thread",
    othersButtons: "left",
    ...actorsOf(everybody, world),
    channel: roomOf(plans, "#plans", world),
    direct({ name, id }) {
      const person = Object.values(everybody).find((one) => one.name === name);
      if (person === undefined) throw new Error(`nobody is called ${name}`);
      return roomOf(person.dm(), id, world);
    },
    open: stage.open,
    outcome: async ({ round }) => (await stage.engine().wait(round, Number.POSITIVE_INFINITY, false)).result,
    engine: stage.engine,
    async restart() {
      await stop();
      await stage.start();
      await discord.until(() => discord.sockets.count > 0);
    },
    stop,
    changes: () => discord.calls.flatMap((call) => (call.error === null ? (changeOf(call) ?? []) : [])),
    hold: (change) => held(discord, change),
    until: (condition) => discord.until(condition),
  } satisfies ChatStage;
};

type Name = "ana" | "ben" | "cho" | "gus" | "sam" | "luc";

function actorsOf(people: Record<Name, Person>, world: World): Record<Name, ChatPerson> {
  const of = (name: Name): ChatPerson => actorOf(people[name], world);
  return { ana: of("ana"), ben: of("ben"), cho: of("cho"), gus: of("gus"), sam: of("sam"), luc: of("luc") };
}

const POST = "POST /channels/:channel/messages";
const EDIT = "PATCH /channels/:channel/messages/:message";

/** A thread that is opened changes nothing of what is said. */
function changeOf({ method, args }: Call): Change | null {
  switch (method) {
    case POST: {
      const said = { content: str(args.content), components: records(args.components) };
      return records(args.attachments).length > 0 && bringsOnlyFiles(said) ? "file" : "post";
    }
    case EDIT:
      return isConversion(args) ? null : "update";
    case "DELETE /channels/:channel/messages/:message":
      return "remove";
    case "POST /webhooks/:app/:token":
    case "PATCH /webhooks/:app/:token/messages/:message":
      return "word";
    case "POST /interactions/:interaction/:token/callback":
      return ANSWERS[num(record(args).type)] ?? null;
    case "PUT /channels/:channel/messages/:message/reactions/:emoji/@me":
      return "sign";
    default:
      return null;
  }
}

/** The second half of a post: a notification shows nothing of components, so its words go out first. */
const isConversion = ({ flags, content }: Call["args"]): boolean =>
  content === null && (num(flags) & FLAGS.componentsV2) !== 0;

/** A private word, and a change of the message that was pressed. */
const ANSWERS: { [type: number]: Change } = { 4: "word", 7: "update" };

function held(discord: Discord, change: "post" | "update"): { held: Promise<void>; release: () => void } {
  let release = (): void => {};
  const hold = new Promise<void>((resolve) => {
    release = resolve;
  });
  const met = new Promise<void>((resolve) => {
    discord.fail(change === "post" ? POST : EDIT, { hold, met: resolve });
  });
  return { held: met, release };
}
