import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { openVault } from "../../../src/adapters/shared/vault.ts";
import { keptChats, VAULT_FILE } from "../../../src/adapters/shared/vault-file.ts";
import type { AskgateError } from "../../../src/core/error.ts";
import type { Kept, Vault } from "../../../src/core/surface.ts";
import { temporaryFolder } from "../../support/folder.ts";

let dir = "";
let damages: AskgateError[] = [];
beforeEach(() => {
  dir = temporaryFolder();
  damages = [];
});

const path = (): string => join(dir, VAULT_FILE);
const vault = (): Vault => openVault(dir, (error) => damages.push(error));
const mode = (): number => statSync(path()).mode & 0o777;

const acme = (bot = "xoxb-acme"): Kept => ({
  credentials: { surface: "slack", tokens: { bot, app: "xapp-acme" }, baseUrl: null },
  label: "acme (bot askgate)",
  about: { url: "https://acme.slack.example/" },
  me: { id: "U1", name: "Ana" },
});

describe("the vault", () => {
  it("is empty at first, and leaves no file", () => {
    expect(vault().list("slack")).toEqual({});
    expect(readdirSync(dir)).toEqual([]);
    expect(keptChats(dir)).toEqual([]);
  });

  it("keeps connections for the next bot, each under its own id", async () => {
    const first = vault();
    await first.put("slack", "T1", acme());
    await first.put("slack", "T2", acme("xoxb-beta"));
    await first.put("slack", "T1", acme("xoxb-rotated"));
    expect(vault().list("slack")).toEqual({ T1: acme("xoxb-rotated"), T2: acme("xoxb-beta") });
    expect(vault().list("discord")).toEqual({});
    expect(keptChats(dir)).toEqual(["slack"]);
  });

  it("takes what comes at once one after the other", async () => {
    const here = vault();
    const ids = Array.from({ length: 20 }, (_, index) => `T${index}`);
    await Promise.all(ids.map((id) => here.put("slack", id, acme(id))));
    expect(Object.keys(vault().list("slack"))).toEqual(ids);
  });

  it("is the user's alone, also after somebody opened it to others", async () => {
    await vault().put("slack", "T1", acme());
    expect(mode()).toBe(0o600);
    chmodSync(path(), 0o644);
    expect(vault().list("slack")).toEqual({ T1: acme() });
    expect(mode()).toBe(0o600);
  });

  it("is written whole or not at all: what a crash left does not count and does not stay", async () => {
    await vault().put("slack", "T1", acme());
    writeFileSync(`${path()}.new`, '{"slack": {"T9"', { mode: 0o644 });
    const next = vault();
    expect(next.list("slack")).toEqual({ T1: acme() });
    await next.put("slack", "T2", acme());
    expect(mode()).toBe(0o600);
    expect(readdirSync(dir)).toEqual([VAULT_FILE]);
  });

  it("says so when the disk refuses, and keeps what it had", async () => {
    const here = vault();
    await here.put("slack", "T1", acme());
    mkdirSync(`${path()}.new`);
    writeFileSync(join(`${path()}.new`, "in the way"), "");
    const refused = here.put("slack", "T2", acme("xoxb-secret"));
    await expect(refused).rejects.toMatchObject({ code: "store_failed" });
    await expect(refused).rejects.not.toThrow("xoxb-secret");
    expect(here.list("slack")).toEqual({ T1: acme() });
  });
});

describe("a damaged vault", () => {
  it.each([
    ["cut off", '{"slack": {"T1": {"credentials": {"tokens": {"bot": "xoxb-secret'],
    ["of another shape", '{"slack": {"T1": {"token": "xoxb-secret"}}}'],
    ["empty", ""],
  ])("that is %s is set aside and told, without its secrets", async (_, text) => {
    writeFileSync(path(), text);
    const here = vault();
    expect(here.list("slack")).toEqual({});
    const [aside = ""] = readdirSync(dir);
    expect(aside).toMatch(/^connections\.json\.damaged-\d+$/);
    expect(readFileSync(join(dir, aside), "utf8")).toBe(text);
    expect(damages).toMatchObject([{ code: "connections_damaged", message: expect.stringContaining(aside) }]);
    expect(JSON.stringify([damages, damages.map(({ message }) => message)])).not.toContain("xoxb-secret");
    await here.put("slack", "T1", acme());
    expect(vault().list("slack")).toEqual({ T1: acme() });
  });

  it("that is a link or a folder is not followed", () => {
    const elsewhere = join(temporaryFolder(), "other.json");
    writeFileSync(elsewhere, JSON.stringify({ slack: { T1: acme() } }));
    symlinkSync(elsewhere, path());
    expect(vault().list("slack")).toEqual({});
    mkdirSync(path());
    expect(vault().list("slack")).toEqual({});
    expect(damages).toHaveLength(2);
  });
});
