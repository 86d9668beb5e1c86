/** A Slack with two workspaces: askgate's, and that of a bare app. */
import { startSlack } from "../test/doubles/slack/index.ts";

export async function begin() {
  const slack = await startSlack({ factor: 1_000 });
  const acme = slack.workspace({ id: "T1", name: "acme", domain: "acme" });
  const bare = slack.workspace({ id: "T2", name: "bare", domain: "bare" });
  const replies = (person, home) => person.dm().thread(home.ts);
  return {
    url: slack.apiUrl,
    tokens: { bot: acme.botToken, app: acme.appToken },
    person: (number) => acme.person({ id: `U${number}`, name: `P${number}` }),
    homes: (person) => person.dm().messages(),
    chooses: (person, home, option) => person.chooses(home, option),
    replies,
    isDrawn: () => true,
    /** Changes when the message is drawn again. */
    stamp: ({ edited }) => JSON.stringify(edited),
    /** Calls back at each change, of whomever. */
    changed: () => slack.changed(),
    until: (condition) => slack.until(condition),
    /** What a bare app is given to say the same. */
    bareSays: (url, { text, blocks }) => ({
      botToken: bare.botToken,
      appToken: bare.appToken,
      apiUrl: url,
      message: { text, blocks: blocks.map(({ block_id: _id, ...block }) => block) },
    }),
    theirs: (number) => bare.person({ id: `U${number}`, name: "Bea" }),
    async root(person, { text, blocks }) {
      const channel = person.dm().id;
      const { ts } = await posted("chat.postMessage", { channel, text, blocks });
      return person
        .dm()
        .messages()
        .find((message) => message.ts === ts);
    },
    stop: () => slack.stop(),
  };

  async function posted(method, body) {
    const headers = { authorization: `Bearer ${bare.botToken}`, "content-type": "application/json" };
    const answer = await fetch(`${slack.apiUrl}${method}`, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
    return answer.json();
  }
}
