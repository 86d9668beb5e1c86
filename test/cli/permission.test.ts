import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Client } from "../../src/adapters/link/client.ts";
import { type Ended, openWorkshop, press, type Workshop } from "./askgate.ts";

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

const read = ({ code, stdout }: Ended) => ({ code, ...JSON.parse(stdout) });
const MIGRATE = ["Migrate", "--command", "npm run migrate"];
const may = (args: string[], input = "", cwd = shop.project()) =>
  shop.start(["permission", ...args, "--no-open"], { input, cwd });

describe.concurrent("permission", { timeout: 60_000 }, () => {
  it("that is given: exit 0", async () => {
    const command = may(MIGRATE);
    await press(gate, await command.round(), "allow");
    const ended = await command.ended;
    expect(read(ended)).toMatchObject({
      code: 0,
      mode: "permission",
      status: "submitted",
      decision: "allow",
    });
    expect(ended.stderr).toContain("allowed by ");
  });

  it("that is denied with words: exit 3, and the words", async () => {
    const command = may(MIGRATE);
    await press(gate, await command.round(), "deny", { target: "words", words: "not on prod" });
    expect(read(await command.ended)).toMatchObject({ code: 3, decision: "deny", reason: "not on prod" });
  });

  it("is denied by the deadline, whatever is said of it: exit 4", async () => {
    const cwd = shop.project();
    writeFileSync(join(cwd, "askgate.json"), JSON.stringify({ on_timeout: "recommended" }));
    for (const flags of [[], ["--on-timeout", "keep"]]) {
      const { round, ...result } = read(
        await may([...MIGRATE, "--timeout", "30ms", ...flags], "", cwd).ended,
      );
      expect(result).toMatchObject({ code: 4, status: "timeout", decision: "deny" });
      await expect(press(gate, round, "allow")).rejects.toThrow("no button");
    }
  });

  it("shows a command from standard input, and one from a payload", async () => {
    for (const args of [
      ["Clean up", "--command", "-", "--detail", "all merged"],
      ["--input", shop.file("clean.json", { title: "Clean up", command: "rm -r old" })],
    ]) {
      const command = may(args, "rm -r old");
      const shown = await gate.show(await command.round());
      expect(JSON.stringify(shown)).toContain('"command":"rm -r old"');
      command.child.kill();
    }
  });

  it.each([
    [["Only a title"], "say with --command what will be run"],
    [["--command", "ls"], "say in a title what you want to do"],
    [["T", "--command", "-", "--detail", "-"], "cannot be both"],
    [["T", "--input", "-"], "the payload has it all"],
  ])("%j is a usage error", async (args, said) => {
    const { code, stdout, stderr } = await may(args).ended;
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(said);
  });
});
