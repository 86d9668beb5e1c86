/** Slack as the shared suite sees a chat. */
import type { Change, ChatPerson, ChatStage, OpenStage } from "../conformance/chat-stage.ts";
import type { Person, Slack } from "../doubles/slack/index.ts";
import { hastyClock } from "./chat-bot.ts";
import { actorOf, roomOf } from "./slack-people.ts";
import { slackStage } from "./slack-stage.ts";

/** The same people and the same channel as everywhere, and Luc, who reads Slack in French. */
export const openSlackChat: OpenStage = async ({ haste = 1, unlimited = false } = {}) => {
  const stage = await slackStage({
    ...(haste > 1 && { clock: hastyClock(haste) }),
    ...(unlimited && { factor: Number.POSITIVE_INFINITY }),
  });
  const { slack, team } = stage;
  const { acme, ana, ben, cho, gus, sam, plans } = team;
  const luc = acme.person({ id: "U0LUC", name: "Luc", locale: "fr-FR" });
  plans.invites(luc);
  const world = { acme, slack };
  const of = (person: Person): ChatPerson => actorOf(person, world);
  /** Slack would send again what is still to be acknowledged. */
  const stop = async (): Promise<void> => {
    await slack.assertClean();
    await stage.stop();
  };
  const everybody = new Map([ana, ben, cho, gus, sam, luc].map((person) => [person.name, person]));
  return {
    surface: "slack",
    label: "Slack",
    blocksStand: "place",
    othersButtons: "refused",
    ana: of(ana),
    ben: of(ben),
    cho: of(cho),
    gus: of(gus),
    sam: of(sam),
    luc: of(luc),
    channel: roomOf(plans, "#plans", world),
    direct({ name }) {
      const person = everybody.get(name);
      if (person === undefined) throw new Error(`nobody is called ${name}`);
      return roomOf(person.dm(), person.id, world);
    },
    open: stage.open,
    outcome: async ({ round }) => (await stage.engine().wait(round, Number.POSITIVE_INFINITY, false)).result,
    engine: stage.engine,
    async restart() {
      await stop();
      await stage.start();
      await slack.until(() => slack.sockets.count > 0);
    },
    stop,
    changes: () => changesOf(slack),
    hold: (change) => held(slack, change),
    until: (condition) => slack.until(condition),
  } satisfies ChatStage;
};

const CHANGES: { [method: string]: Change } = {
  "chat.postMessage": "post",
  "chat.update": "update",
  "chat.delete": "remove",
  "files.completeUploadExternal": "file",
  "files.delete": "unfile",
  "chat.postEphemeral": "word",
  "reactions.add": "sign",
};

const changesOf = ({ calls }: Slack): Change[] =>
  calls.flatMap(({ method, error }) => (error === null ? (CHANGES[method] ?? []) : []));

function held(slack: Slack, change: "post" | "update"): { held: Promise<void>; release: () => void } {
  let release = (): void => {};
  const hold = new Promise<void>((resolve) => {
    release = resolve;
  });
  const met = new Promise<void>((resolve) => {
    slack.fail(change === "post" ? "chat.postMessage" : "chat.update", { hold, met: resolve });
  });
  return { held: met, release };
}
