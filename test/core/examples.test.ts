import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { acceptRecommended, activeSet, clarityResult } from "../../src/core/decisions.ts";
import { parseClarity, parsePlan } from "../../src/core/payload.ts";
import { planBlocks } from "../../src/core/plan.ts";

const FOLDER = new URL("../../examples/", import.meta.url);
const read = (name: string): unknown => JSON.parse(readFileSync(new URL(name, FOLDER), "utf8"));
const clarities = readdirSync(FOLDER).filter((name) => /^(login|flow-.*)\.json$/.test(name));

describe("examples", () => {
  it.each(clarities)("%s is a valid page of decisions that can be accepted as recommended", (name) => {
    const payload = parseClarity(read(name));
    expect(clarityResult(payload, acceptRecommended(payload, {})).length).toBeGreaterThan(0);
  });

  it("login.json asks for a password policy only where there are passwords", () => {
    const payload = parseClarity(read("login.json"));
    expect(activeSet(payload, {})).toEqual(["auth-method"]);
    expect(activeSet(payload, { "auth-method": { kind: "option", optionId: "password" } })).toEqual([
      "auth-method",
      "password-policy",
    ]);
  });

  it("flow-1.json and flow-2.json are two pages of one session", () => {
    const flows = ["flow-1.json", "flow-2.json"].map((name) => parseClarity(read(name)).flow);
    expect(flows.map((flow) => flow?.session_id)).toEqual(["export-service", "export-service"]);
    expect(flows.map((flow) => flow?.page_id)).toEqual(["scope", "delivery"]);
  });

  it("plan.json has twelve blocks of every common kind", () => {
    const quotes = planBlocks(parsePlan(read("plan.json")).plan).map(({ quote }) => quote);
    expect(quotes).toHaveLength(12);
    for (const start of ["# ", "## ", "1. ", "```ts", "| ", "> ", "- [x]"])
      expect(quotes.some((quote) => quote.startsWith(start))).toBe(true);
  });
});
