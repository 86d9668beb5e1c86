import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { agentSession, findProject, readOrigin } from "../../src/cli/project.ts";

let folder = "";
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "askgate-project-")));
});
afterEach(() => rmSync(folder, { recursive: true }));

const at = (...parts: string[]): string => join(folder, ...parts);

function git(cwd: string, ...args: string[]): void {
  const identity = ["-c", "user.name=a", "-c", "user.email=a@example.org"];
  execFileSync("git", [...identity, ...args], { cwd, stdio: "ignore" });
}

/** A checkout "shop-web" on branch "main" with one commit. */
function checkout(): string {
  mkdirSync(at("shop-web", "src", "deep"), { recursive: true });
  git(at("shop-web"), "init", "-b", "main");
  git(at("shop-web"), "commit", "--allow-empty", "-m", "first");
  return at("shop-web");
}

describe("the project", () => {
  it("is the git top level", () => {
    checkout();
    writeFileSync(at("shop-web", "src", "askgate.json"), "{}");
    expect(findProject(at("shop-web", "src", "deep"))).toBe(at("shop-web"));
  });

  it("is the folder of askgate.json outside git", () => {
    mkdirSync(at("notes", "a", "b"), { recursive: true });
    writeFileSync(at("notes", "askgate.json"), "{}");
    expect(findProject(at("notes", "a", "b"))).toBe(at("notes"));
  });

  it("is the working directory without either", () => {
    mkdirSync(at("plain"));
    expect(findProject(at("plain"))).toBe(at("plain"));
  });
});

describe("where a task comes from", () => {
  it("has the folder's name and the branch", () => {
    expect(readOrigin(checkout(), {})).toMatchObject({ repo: "shop-web", branch: "main", agent: "" });
  });

  it.each([
    ["git@github.com:acme/webshop.git", "webshop"],
    ["https://example.org/acme/webshop/", "webshop"],
    ["/srv/git/webshop.git", "webshop"],
  ])("is named after its origin %s", (url, repo) => {
    const top = checkout();
    git(top, "remote", "add", "upstream", "git@example.org:other.git");
    git(top, "remote", "add", "origin", url);
    expect(readOrigin(top, {}).repo).toBe(repo);
  });

  it("has the branch of the worktree and the name of the main checkout", () => {
    const top = checkout();
    git(top, "worktree", "add", "-b", "feature/login", at("wt-3"));
    expect(findProject(at("wt-3"))).toBe(at("wt-3"));
    expect(readOrigin(at("wt-3"), {})).toMatchObject({ repo: "shop-web", branch: "feature/login" });
  });

  it("has the commit where no branch is checked out", () => {
    const top = checkout();
    git(top, "checkout", "--detach");
    expect(readOrigin(top, {}).branch).toMatch(/^[0-9a-f]{7}$/);
  });

  it("is the folder outside git", () => {
    mkdirSync(at("plain"));
    expect(readOrigin(at("plain"), { CLAUDECODE: "1" })).toMatchObject({
      repo: "plain",
      branch: "",
      agent: "Claude",
    });
  });

  it("knows the agent's own session where it gives one", () => {
    expect(agentSession({ CLAUDE_CODE_SESSION_ID: "abc", CODEX_THREAD_ID: "def" })).toBe("abc");
    expect(agentSession({ CODEX_THREAD_ID: "def" })).toBe("def");
    expect(agentSession({ TERM_SESSION_ID: "w0" })).toBeNull();
  });
});
