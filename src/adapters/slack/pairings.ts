/** Who of Slack is `me`: asked by a button in a direct message, answered by pressing it. */
import { randomUUID } from "node:crypto";
import { AskgateError } from "../../core/error.ts";
import { words } from "../../core/words.ts";
import { channelOf } from "./address.ts";
import type { Api, Reply } from "./api.ts";
import { PAIR } from "./listener.ts";
import { failureOf, type Places } from "./places.ts";
import { renderOffer, renderWord } from "./render.ts";
import { answers } from "./wire.ts";

export class Pairings {
  readonly #parts: { api: Api; places: Places };
  readonly #pairings = new Map<string, Pairing>();

  constructor(parts: { api: Api; places: Places }) {
    this.#parts = parts;
  }

  /** Asks somebody by a button whether they are `me`. */
  async ask(who: string): Promise<{ pairing: string; name: string }> {
    const person = await this.#parts.places.person(who);
    if (typeof person === "string")
      throw new AskgateError("not_found", person, { help: "Try an e-mail address." });
    const place = await this.#parts.places.direct(person.id);
    if (typeof place === "string") throw new AskgateError("not_found", place);
    const say = words("");
    const pairing = randomUUID();
    const drawn = renderOffer(say.pairing, `${PAIR}${pairing}`, say.pairingYes);
    const channel = channelOf(place);
    const posting = this.#parts.api.call("chat.postMessage", { channel, ...drawn }, answers.posted);
    // Known before the button stands: somebody may press at once.
    this.#pairings.set(pairing, { ...person, channel, posting, ...settling() });
    const reply = await posting;
    if (reply.kind !== "ok") throw new AskgateError("not_found", `${person.name}: ${failureOf(reply)}`);
    return { pairing, name: person.name };
  }

  /** Who pressed, once they have; undefined for a pairing that is not this connection's. */
  pressed(pairing: string): Promise<{ id: string; name: string }> | undefined {
    return this.#pairings.get(pairing)?.pressed;
  }

  async press(code: string, user: string): Promise<void> {
    const pairing = this.#pairings.get(code);
    if (pairing === undefined || pairing.id !== user) return;
    pairing.press({ id: pairing.id, name: pairing.name });
    const { channel, posting } = pairing;
    const posted = await posting;
    if (posted.kind !== "ok") return;
    const done = { channel, ts: posted.value.ts, ...renderWord(words("").paired, []) };
    await this.#parts.api.call("chat.update", done, answers.nothing);
  }
}

interface Pairing {
  id: string;
  name: string;
  channel: string;
  posting: Promise<Reply<{ ts: string }>>;
  pressed: Promise<{ id: string; name: string }>;
  press(who: { id: string; name: string }): void;
}

function settling(): Pick<Pairing, "pressed" | "press"> {
  let press: Pairing["press"] = () => {};
  const pressed = new Promise<{ id: string; name: string }>((resolve) => {
    press = resolve;
  });
  return { pressed, press };
}
