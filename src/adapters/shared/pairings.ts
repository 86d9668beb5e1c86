/** Who of a chat is `me`: asked by a button in a direct message, answered by pressing it. */
import { randomUUID } from "node:crypto";
import { AskgateError } from "../../core/error.ts";
import type { Place } from "../../core/people.ts";
import { words } from "../../core/words.ts";
import type { Finder } from "./chat.ts";

export interface PairingParts {
  places: Pick<Finder, "person" | "direct">;
  /** Puts up a question with one button; a string says why not. */
  ask(place: Place, question: Offer): Promise<Asked | string>;
  /** For people: another way to say who one is. */
  help: string;
}

export interface Offer {
  text: string;
  button: string;
  label: string;
}

/** The question, as it stands there. */
export interface Asked {
  /** Puts this in its place. */
  becomes(text: string): Promise<void>;
}

/** Begins the id of the button that pairs. */
const PAIR = "pair:";

export class Pairings {
  readonly #parts: PairingParts;
  readonly #pairings = new Map<string, Pairing>();

  constructor(parts: PairingParts) {
    this.#parts = parts;
  }

  /** Asks somebody by a button whether they are `me`. Throws `not_found`. */
  async ask(who: string): Promise<{ pairing: string; name: string }> {
    const person = await this.#parts.places.person(who);
    if (typeof person === "string") throw new AskgateError("not_found", person, { help: this.#parts.help });
    const place = await this.#parts.places.direct(person.id);
    if (typeof place === "string") throw new AskgateError("not_found", place);
    const { pairing: text, pairingYes: label } = words("");
    const pairing = randomUUID();
    const asking = this.#parts.ask(place, { text, button: `${PAIR}${pairing}`, label });
    // Known before the button stands: somebody may press at once.
    this.#pairings.set(pairing, { ...person, asking, ...settling() });
    const asked = await asking;
    if (typeof asked === "string") throw new AskgateError("not_found", `${person.name}: ${asked}`);
    return { pairing, name: person.name };
  }

  /** Who pressed, once they have; undefined for a pairing that is not this connection's. */
  pressed(pairing: string): Promise<{ id: string; name: string }> | undefined {
    return this.#pairings.get(pairing)?.pressed;
  }

  /** Somebody pressed a pairing's button: resolves once they see that it counts. */
  async press(button: string, user: string): Promise<void> {
    const pairing = this.#pairings.get(button.slice(PAIR.length));
    if (pairing === undefined || pairing.id !== user) return;
    pairing.press({ id: pairing.id, name: pairing.name });
    const asked = await pairing.asking;
    if (typeof asked !== "string") await asked.becomes(words("").paired);
  }
}

/** Is this the button of a pairing? */
export const isPairing = (button: string): boolean => button.startsWith(PAIR);

interface Pairing {
  id: string;
  name: string;
  asking: Promise<Asked | string>;
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
