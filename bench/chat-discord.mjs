/** Two Discords: one with askgate, one with a bare bot. */
import { startDiscord } from "../test/doubles/discord/index.ts";

/** A message of components; until then it is only announced. */
const CARD = 1 << 15;
const OTHER = { id: "900000000000000002", name: "bare" };

export async function begin() {
  const discord = await startDiscord({ factor: Number.POSITIVE_INFINITY });
  const other = await startDiscord({ factor: Number.POSITIVE_INFINITY, app: OTHER });
  const acme = discord.guild({ id: "100", name: "acme" });
  const bare = other.guild({ id: "100", name: "bare" });
  const replies = (person, home) =>
    person
      .dm()
      .messages()
      .filter(({ reference }) => reference?.id === home.id);
  return {
    url: discord.apiUrl,
    tokens: { bot: discord.token },
    person: (number) => acme.person({ id: String(number), name: `P${number}` }),
    homes: (person) => person.dm().messages().filter(isDrawn),
    chooses: (person, home, option) => person.chooses(home, option),
    replies,
    isDrawn,
    stamp: ({ editedAt, components }) => JSON.stringify([editedAt, components]),
    changed: () => Promise.race([discord.changed(), other.changed()]),
    until: (condition) => discord.until(condition, 120_000),
    bareSays: (url, { components, flags }) => ({
      token: other.token,
      apiUrl: url,
      message: { components: withoutIds(components), flags },
    }),
    theirs: (number) => bare.person({ id: String(number), name: "Bea" }),
    async root(person, { components, flags }) {
      const response = await fetch(`${other.apiUrl}/v10/channels/${person.dm().id}/messages`, {
        method: "POST",
        headers: { authorization: `Bot ${other.token}`, "content-type": "application/json" },
        body: JSON.stringify({ components: withoutIds(components), flags }),
      });
      const { id } = await response.json();
      return person
        .dm()
        .messages()
        .find((message) => message.id === id);
    },
    stop: () => Promise.all([discord.stop(), other.stop()]),
    /** Where the other one listens. */
    bareUrl: other.apiUrl,
  };
}

const isDrawn = ({ flags }) => (flags & CARD) !== 0;

const withoutIds = (components) =>
  components.map(({ id: _id, components: inner, ...one }) =>
    inner === undefined ? one : { ...one, components: withoutIds(inner) },
  );
