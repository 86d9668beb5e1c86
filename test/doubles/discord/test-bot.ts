/** A bot for the double's own tests: the real client, a person, a channel, and one thing it does with all interactions. */
import { type Client, Events, type Interaction } from "discord.js";
import type { Channel, DiscordOptions, Message, Person } from "./index.ts";
import { connected, posts, type Scene, scene } from "./testing.ts";
import type { Json } from "./wire.ts";

export type Act = (interaction: Interaction) => Promise<unknown>;

export interface TestBot extends Scene {
  ana: Person;
  plans: Channel;
  client: Client<true>;
  /** Another client with the same token that does this. */
  again(act: Act): Promise<void>;
  /** Posts in the channel, and gives what stands there. */
  posted(body: Json): Promise<Message>;
  stop(): Promise<void>;
}

export async function testBot(act: Act, options: DiscordOptions = {}): Promise<TestBot> {
  const it = await scene({ factor: Number.POSITIVE_INFINITY, ...options });
  const plans = it.acme.channel({ id: "201", name: "plans" });
  const clients: Client[] = [];
  const connect = async (does: Act) => {
    const client = await connected(it.discord);
    clients.push(client);
    client.on(Events.InteractionCreate, (interaction) => does(interaction));
    return client;
  };
  return {
    ...it,
    ana: it.acme.person({ id: "501", name: "Ana" }),
    plans,
    client: await connect(act),
    again: async (does) => {
      await connect(does);
    },
    posted: async (body) => {
      await posts(it.rest, "201", body);
      const last = plans.messages().at(-1);
      if (last === undefined) throw new Error("nothing was posted");
      return last;
    },
    stop: async () => {
      for (const client of clients) await client.destroy();
      await it.discord.stop();
    },
  };
}
