import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LOGIN } from "../support/login.ts";
import { openWorkshop, type Workshop } from "./askgate.ts";

let shop: Workshop;
beforeAll(() => {
  shop = openWorkshop();
});
afterAll(() => shop.close());

const UP = ["clarity", "up"];

describe("a usage error", () => {
  it.each([
    [["clarify"], "unknown command 'clarify'"],
    [["clarity", "upp"], "Did you mean up?"],
    [[...UP, "--inptu", "x"], "Did you mean --input?"],
    [[...UP, "--input"], "option '--input <file>' argument missing"],
    [[...UP, "--out", "--no-open"], "Its value is missing"],
    [[...UP, "--out", ""], "It is empty"],
    [[...UP, "--timeout", "30"], '--timeout wants a time such as 30m, 1800s, 2h, never or 0, got "30"'],
    [[...UP, "--timeout-ms", "0"], '--timeout-ms wants a positive number of milliseconds, got "0"'],
    [[...UP, "--timeout-ms", "Infinity"], "--timeout never waits for ever"],
    [[...UP, "--timeout", "1h", "--timeout-ms", "5"], "cannot be used with option '--timeout <time>'"],
    [[...UP, "--on-timeout", "explode"], "Allowed choices are keep, recommended, fail"],
    [[...UP, "--via", "fax"], '--via[0]: expected one of web, terminal, slack, discord, got "fax"'],
    [[...UP, "--via", ","], "It is empty"],
    [[...UP, "--quorum", "0"], "It must be a whole number from 1"],
    [[...UP, "--granularity", "fine"], "Allowed choices are auto, block"],
    [[...UP, "login.json"], "too many arguments"],
    [["wait"], "missing required argument 'round'"],
    [["show"], "missing required argument 'session'"],
    [["schema", "poem"], 'no payload is called "poem"'],
    [["check", "--kind", "poem"], "Allowed choices are clarity, plan, ask, permission"],
  ])("askgate %j exits 2 and says so on standard error alone", async (args, said) => {
    const { code, stdout, stderr } = await shop.run(args, { input: "{}" });
    expect(stderr).toContain(said);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  });

  it.each([
    ["[1,\n 2", "standard input:2:3: malformed JSON: expected a comma or the end of the list or object"],
    ["", "standard input is empty"],
    ["\n", "standard input is empty"],
  ])("is standard input %j", async (input, said) => {
    const { code, stdout, stderr } = await shop.run(UP, { input });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(said);
  });

  it("is a file that is not there, a folder, or no text", async () => {
    const latin = join(shop.project(), "latin.json");
    writeFileSync(latin, Buffer.from([0x22, 0xe9, 0x22]));
    for (const [file, said] of [
      ["nowhere.json", "cannot read nowhere.json: no such file or folder"],
      [shop.project(), "it is a folder"],
      [latin, "is not UTF-8 text"],
    ] as const) {
      const { code, stdout, stderr } = await shop.run([...UP, "--input", file]);
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toContain(said);
    }
  });

  it("is a setting that askgate.json may not have, named with its file", async () => {
    const cwd = shop.project();
    writeFileSync(join(cwd, "askgate.json"), JSON.stringify({ policy: { quorum: "two" } }));
    mkdirSync(join(cwd, "deep"));
    const { code, stdout, stderr } = await shop.run(UP, {
      cwd: join(cwd, "deep"),
      input: JSON.stringify(LOGIN),
    });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(
      `${join(cwd, "askgate.json")}: policy.quorum: expected a whole number from 1, got "two"`,
    );
  });
});

describe("askgate", () => {
  it.each([["--version"], ["-v"]])("%s prints the version", async (flag) => {
    const { version } = JSON.parse(readFileSync("package.json", "utf8"));
    expect(await shop.run([flag])).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: "" });
  });

  it("--help explains itself on standard output", async () => {
    const { code, stdout, stderr } = await shop.run(["--help"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("askgate clarity up --input examples/login.json");
  });

  it("without a command shows the help on standard error", async () => {
    const { code, stdout, stderr } = await shop.run([]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("Usage: askgate");
  });
});

describe("check", () => {
  it("takes a payload that is right", async () => {
    const { code, stdout } = await shop.run(["check", shop.file("login.json", LOGIN)]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ status: "valid", kind: "clarity" });
  });

  it("names all mistakes, as JSON and for people", async () => {
    const wrong = {
      titel: "x",
      title: "",
      context: 1,
      decisions: [{ ...LOGIN.decisions[0], id: "No Kebab", options: [] }],
    };
    const { code, stdout, stderr } = await shop.run(["check"], { input: JSON.stringify(wrong) });
    expect(code).toBe(2);
    const { status, issues } = JSON.parse(stdout);
    expect(status).toBe("invalid");
    const paths = issues.map(({ path }: { path: string }) => path);
    expect(paths).toEqual(
      expect.arrayContaining(["<root>", "title", "context", "decisions[0].id", "decisions[0].options"]),
    );
    for (const path of paths) expect(stderr).toContain(`${path}: `);
  });

  it("knows the kinds by what they have", async () => {
    for (const [payload, kind] of [
      [{ title: "Plan", plan: "# A" }, "plan"],
      [{ question: "Which port?" }, "ask"],
      [{ title: "Migrate", command: "npm run migrate" }, "permission"],
    ] as const) {
      const { stdout } = await shop.run(["check", "-"], { input: JSON.stringify(payload) });
      expect(JSON.parse(stdout)).toEqual({ status: "valid", kind });
    }
  });
});

describe("schema", () => {
  it.each(["clarity", "plan", "ask", "permission"])("of %s is JSON Schema", async (kind) => {
    const { code, stdout } = await shop.run(["schema", kind]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ type: "object", properties: expect.any(Object) });
  });
});
