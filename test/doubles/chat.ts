import type { Card, Limits } from "../../src/core/card.ts";
import type { Answer } from "../../src/core/effect.ts";
import type { Place } from "../../src/core/people.ts";
import type { Tell } from "../../src/core/session.ts";
import type { Ear, Heard, Sent, Surface } from "../../src/core/surface.ts";

/** A chat platform in memory: messages stand in order, threads hang on messages, and it can refuse, fail or lose answers. */
export interface Chat extends Surface {
  messages: { handle: string; card: Card; under: string | null; nonce: string }[];
  told: Tell[];
  calls: string[];
  /** What the next calls come to, before the platform does anything; `lost` does it and then breaks the line. */
  next: (Extract<Sent, { kind: "refused" | "gone" | "later" }> | { kind: "lost" })[];
  /** Somebody does something. */
  hears(event: Heard): Promise<Answer>;
  /** Every call waits for this. */
  gate: Promise<void>;
}

export function chat(limits: Limits): Chat {
  let handles = 0;
  let ear: Ear | null = null;

  async function call(name: string, act: () => Sent): Promise<Sent> {
    double.calls.push(name);
    await double.gate;
    const fate = double.next.shift();
    if (fate !== undefined && fate.kind !== "lost") return fate;
    const sent = act();
    if (fate?.kind === "lost") throw new Error("the line broke before the answer came");
    return sent;
  }

  const find = (handle: string) => double.messages.find((message) => message.handle === handle);

  const double: Chat = {
    name: "slack",
    limits,
    messages: [],
    told: [],
    calls: [],
    next: [],
    gate: Promise.resolve(),
    hears(event) {
      if (ear === null) throw new Error("not started");
      return ear.hear(event);
    },
    async start(engine) {
      ear = engine;
    },
    async resolve(place): Promise<Place | string> {
      return place.startsWith("#")
        ? { surface: "slack", id: place, direct: false, label: place }
        : `no place ${place}`;
    },
    post: (_place, card, { under, nonce, since }) =>
      call(`post ${card.key}`, () => {
        if (under !== null && find(under) === undefined)
          return { kind: "refused", reason: "thread not found" };
        // Looks before it posts again: a known nonce is the same message.
        const there = since === null ? undefined : double.messages.find((message) => message.nonce === nonce);
        if (there !== undefined) there.card = card;
        if (there !== undefined) return { kind: "posted", handle: there.handle };
        handles += 1;
        double.messages.push({ handle: `h${handles}`, card, under, nonce });
        return { kind: "posted", handle: `h${handles}` };
      }),
    update: (_place, card, handle) =>
      call(`update ${card.key}`, () => {
        const message = find(handle);
        if (message === undefined) return { kind: "gone" };
        message.card = card;
        return { kind: "posted", handle };
      }),
    remove: (_place, handle) =>
      call(`remove ${find(handle)?.card.key}`, () => {
        double.messages = double.messages.filter((message) => message.handle !== handle);
        return { kind: "gone" };
      }),
    async tell(_place, tell) {
      double.told.push(tell);
      return { kind: "told" };
    },
    person: async (who) => ({ id: `slack:${who}`, name: who.split("/").at(-1) ?? who }),
    url: (_place, handle) => `chat://${handle}`,
    async stop() {},
  };
  return double;
}
