import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Client } from "../../src/adapters/link/client.ts";
import { LOGIN, PLAN } from "../support/login.ts";
import { type Ended, openWorkshop, press, type Running, type Workshop } from "./askgate.ts";

let shop: Workshop;
let gate: Client;
beforeAll(async () => {
  shop = openWorkshop();
  await shop.run(["bot", "start"]);
  gate = await shop.gate();
});
afterAll(async () => {
  gate.close();
  await shop.close();
});

const read = ({ stdout }: Ended) => JSON.parse(stdout);
const QUIET = ["--via", "web", "--no-open"];

/** A project in which a page was answered and a plan approved. */
async function built(): Promise<{ cwd: string; session: string; round: string }> {
  const cwd = shop.project();
  const page = shop.start(["clarity", "up", ...QUIET, "--session", "login"], {
    cwd,
    input: JSON.stringify(LOGIN),
  });
  const round = await page.round();
  await press(gate, round, "accept");
  await press(gate, round, "send");
  const plan = shop.start(["plan", "up", ...QUIET], { cwd, input: JSON.stringify(PLAN) });
  await press(gate, await plan.round(), "approve");
  const { session } = read(await page.ended);
  await plan.ended;
  return { cwd, session, round };
}

describe("record", () => {
  it("tells the project's session, or the one that is named, as Markdown", async () => {
    const { cwd, session, round } = await built();
    const said = await shop.run(["record"], { cwd });
    expect(said).toMatchObject({ code: 0, stderr: "" });
    expect(said.stdout).toContain("# Decision record: Login PRD\n");
    expect(said.stdout).toContain("**Magic link only**, chosen by ");
    expect(said.stdout).toContain("- Rejected: Password + magic link\n");
    expect(said.stdout).toContain("## Plan, version 1: Login flow\n\nApproved by ");
    for (const name of [session, round, "login"])
      expect((await shop.run(["record", name], { cwd })).stdout).toBe(said.stdout);
  });

  it("tells the same as JSON, and writes it to a file as well", async () => {
    const { cwd, session } = await built();
    const out = join(cwd, "docs", "login.json");
    const { code, stdout } = await shop.run(["record", "--format", "json", "--out", out], { cwd });
    expect(code).toBe(0);
    expect(readFileSync(out, "utf8")).toBe(stdout);
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ version: 1, session, name: "login", title: "Login PRD" },
      rounds: [
        {
          kind: "clarity",
          status: "submitted",
          decisions: [{ answer: "Magic link only" }, { answer: "One day" }],
        },
        { kind: "plan", version: 1, decision: "approve", reviews: [{ decision: "approve" }] },
      ],
    });
  });

  it("says what it does not know", async () => {
    const cwd = shop.project();
    expect(await shop.run(["record"], { cwd })).toMatchObject({
      ...{ code: 2, stdout: "" },
      stderr: expect.stringContaining("this project has no session"),
    });
    expect(await shop.run(["record", "logout"], { cwd })).toMatchObject({
      stderr: expect.stringContaining('this project has no session "logout"'),
    });
    expect(await shop.run(["record", "s_nobody"], { cwd })).toMatchObject({ code: 2, stdout: "" });
    expect(await shop.run(["record", "--format", "pdf"], { cwd })).toMatchObject({
      stderr: expect.stringContaining("Allowed choices are md, json"),
    });
  });
});

const BRIEF = "## Goal\na wiki\n## Acceptance\nA\n## Boundaries\nB\n## Unknowns\nU\n";

describe("brief check", () => {
  it("names what was asked already, until the brief is archived", async () => {
    const { cwd } = await built();
    const asking = shop.start(["ask", "Which port?", "--option", "80", "--option", "8080", ...QUIET], {
      cwd,
    });
    await press(gate, await asking.round(), "answer", { values: ["o1"] });
    await asking.ended;
    const skipped = shop.start(["ask", "Which host?", ...QUIET], { cwd });
    await press(gate, await skipped.round(), "skip");
    await skipped.ended;
    const { stdout, stderr } = await shop.run(["brief", "check"], { cwd });
    const by = expect.any(String);
    const at = expect.stringMatching(/^\d{4}-.*Z$/);
    expect(JSON.parse(stdout)).toMatchObject({
      status: "invalid",
      answered: [
        { question: "Which auth methods?", answer: "Magic link only", by, at },
        { question: "Session length?", answer: "One day", by, at },
        { question: "Which port?", answer: "8080", by, at },
      ],
      unanswered: [{ question: "Which host?", status: "declined" }],
    });
    expect(stderr).toContain("  Which port? → 8080 (");
    mkdirSync(join(cwd, ".askgate", "archive", "2999-01-01T00-00-00Z"), { recursive: true });
    expect(read(await shop.run(["brief", "check"], { cwd }))).toMatchObject({ answered: [], unanswered: [] });
  });
});

describe("brief freeze", () => {
  it("loses none of many at once", async () => {
    const cwd = shop.project();
    const goals = ["a wiki", "a forum", "a blog", "a shop", "a map"];
    const freeze = (goal: string) =>
      shop.run(["brief", "freeze"], { cwd, input: BRIEF.replace("a wiki", goal) });
    for (const { code } of await Promise.all(goals.map(freeze))) expect(code).toBe(0);
    const archive = join(cwd, ".askgate", "archive");
    const kept = readdirSync(archive).map((name) => join(archive, name, "brief.md"));
    const texts = [...kept, join(cwd, ".askgate", "brief.md")].map((path) => readFileSync(path, "utf8"));
    expect(texts.map((text) => goals.find((goal) => text.includes(goal))).toSorted()).toEqual(
      goals.toSorted(),
    );
    expect(readdirSync(join(cwd, ".askgate")).toSorted()).toEqual(["archive", "brief.md"]);
  });
});

describe("brief freeze --ask", () => {
  const freezing = (cwd: string, ...flags: string[]): Running =>
    shop.start(["brief", "freeze", "--ask", ...QUIET, ...flags], { cwd, input: BRIEF });
  const file = (cwd: string): string => join(cwd, ".askgate", "brief.md");

  it("freezes what people want frozen", async () => {
    const cwd = shop.project();
    const command = freezing(cwd);
    const round = await command.round();
    expect(await gate.show(round)).toMatchObject({
      rounds: [{ payload: { detail: expect.stringContaining("a wiki") } }],
    });
    await press(gate, round, "answer", { values: ["o0"] });
    const ended = await command.ended;
    expect({ code: ended.code, ...read(ended) }).toMatchObject({
      ...{ code: 0, status: "submitted", decision: "freeze", round, file: ".askgate/brief.md" },
      sections: { goal: "a wiki" },
    });
    expect(readFileSync(file(cwd), "utf8")).toContain("a wiki");
    expect(read(await shop.run(["brief", "check", "--always-ask"], { cwd }))).toMatchObject({ answered: [] });
  });

  it.each([
    ["Change it", { values: ["o1"] }, "Change it"],
    ["own words", { words: "no wiki, a forum" }, "no wiki, a forum"],
  ])("freezes nothing for %s, and hands it to the agent", async (_, pressing, answer) => {
    const cwd = shop.project();
    const command = freezing(cwd);
    await press(gate, await command.round(), "answer", pressing);
    const ended = await command.ended;
    expect({ code: ended.code, ...read(ended) }).toMatchObject({ code: 0, decision: "change", answer });
    expect(read(await shop.run(["brief", "check"], { cwd })).reason).toContain("no brief yet");
  });

  it("freezes nothing without an answer, and takes a later one with the same command", async () => {
    const cwd = shop.project();
    const late = freezing(cwd, "--timeout-ms", "1");
    const round = await late.round();
    const ended = await late.ended;
    expect({ code: ended.code, ...read(ended) }).toMatchObject({ code: 4, status: "timeout" });
    await press(gate, round, "answer", { values: ["o0"] });
    expect(read(await freezing(cwd).ended)).toMatchObject({ round, decision: "freeze" });
    expect(readFileSync(file(cwd), "utf8")).toContain("a wiki");
  });

  it("asks nobody about an incomplete one", async () => {
    const cwd = shop.project();
    const ended = await shop.run(["brief", "freeze", "--ask", ...QUIET], { cwd, input: "## Goal\nx" });
    expect({ code: ended.code, ...read(ended) }).toMatchObject({ code: 2, status: "invalid" });
  });
});
