import { describe, expect, it } from "vitest";
import { identified } from "../../src/core/named.ts";
import type { EngineParts } from "../../src/core/ports.ts";
import { chat } from "../doubles/chat.ts";
import { OPEN_TO_ALL, TIGHT } from "../support/people.ts";

const NAMES: Record<string, string> = { U1: "Ana", U2: "Ben", U3: "Ana" };

const parts = {
  surfaces: [
    {
      ...chat(TIGHT),
      person: async (who: string) => {
        const user = who.replace("T1/", "");
        const name = NAMES[user];
        return name === undefined ? `${who}: nobody` : { id: `slack:T1/${user}`, name };
      },
    },
  ],
} as unknown as EngineParts;

const named = (...people: [name: string, ids: string[]][]) => ({
  ...OPEN_TO_ALL,
  named: people.map(([name, ids]) => ({ name, ids })),
});
const request = { via: ["slack" as const], connections: {} };
const look = async (policy: ReturnType<typeof named>) => (await identified(parts, request, policy)).named;

describe("named people", () => {
  it("get whole ids and the names they go by, told apart where two share one", async () => {
    expect(await look(named(["slack:U1", ["slack:U1"]], ["slack:T1/U3", ["slack:T1/U3"]]))).toEqual([
      { name: "Ana", ids: ["slack:T1/U1"] },
      { name: "Ana (slack:T1/U3)", ids: ["slack:T1/U3"] },
    ]);
  });

  it("keep the name that the config gives them, and are counted once", async () => {
    expect(await look(named(["boss", ["slack:U2", "discord:9"]], ["slack:U2", ["slack:U2"]]))).toEqual([
      { name: "boss", ids: ["slack:T1/U2", "discord:9"] },
    ]);
  });

  it("whom nobody knows are an error that names them", async () => {
    await expect(look(named(["slack:U9", ["slack:U9"]]))).rejects.toThrow("slack:U9: U9: nobody");
  });
});
