import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import {
  prepareStateDirectory,
  recordedSocket,
  recordSocket,
  stateDirectory,
} from "../../../src/adapters/link/paths.ts";
import { prepareSocket } from "../../../src/adapters/link/socket.ts";
import { temporaryFolder } from "../../support/folder.ts";

test("ASKGATE_STATE_DIR says where state is kept", () => {
  expect(stateDirectory({ ASKGATE_STATE_DIR: "/srv/gate" })).toBe("/srv/gate");
});

test.each([
  ["linux", { XDG_STATE_HOME: "/srv/state" }, "/srv/state/askgate"],
  ["linux", {}, join(homedir(), ".local/state/askgate")],
  ["darwin", {}, join(homedir(), "Library/Application Support/askgate")],
  ["win32", { LOCALAPPDATA: "/users/ana/local" }, "/users/ana/local/askgate"],
] as const)("else state is kept in the folder that %s has for it", (platform, env, expected) => {
  expect(stateDirectory(env, platform)).toBe(expected);
});

test("a state directory is made for the user alone and known by its real path", () => {
  const folder = temporaryFolder();
  const made = prepareStateDirectory(join(folder, "a", "b"));
  symlinkSync(made, join(folder, "link"));
  expect(prepareStateDirectory(join(folder, "link"))).toBe(made);
});

test("a state directory that cannot be made is an error that says so", () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "file"), "");
  expect(() => prepareStateDirectory(join(folder, "file"))).toThrow(
    expect.objectContaining({ code: "state_dir_unusable" }),
  );
});

test("the socket stands in the runtime folder, one per state directory", () => {
  const folder = temporaryFolder();
  const env = { XDG_RUNTIME_DIR: folder };
  const socket = prepareSocket("/srv/one", env);
  expect(dirname(socket)).toBe(join(folder, "askgate"));
  expect(prepareSocket("/srv/one", env)).toBe(socket);
  expect(prepareSocket("/srv/two", env)).not.toBe(socket);
});

test("without a runtime folder the socket stands in a folder of the user's own under the temporary one", () => {
  const folder = temporaryFolder();
  expect(prepareSocket("/srv/one", { TMPDIR: folder })).toContain(join(folder, "askgate-"));
  expect(prepareSocket("/srv/one", { XDG_RUNTIME_DIR: join(folder, "gone") })).toContain(
    join(tmpdir(), "askgate-"),
  );
});

test("a socket path that Node would cut is an error", () => {
  const folder = temporaryFolder();
  const deep = join(folder, "x".repeat(80));
  mkdirSync(deep);
  expect(() => prepareSocket("/srv/one", { XDG_RUNTIME_DIR: deep })).toThrow(
    expect.objectContaining({ code: "socket_path_too_long" }),
  );
});

test("a folder that others can enter holds no socket", () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "askgate"));
  chmodSync(join(folder, "askgate"), 0o755);
  expect(() => prepareSocket("/srv/one", { XDG_RUNTIME_DIR: folder })).toThrow(
    expect.objectContaining({ code: "socket_folder_unsafe" }),
  );
});

test("a recorded socket in a folder that others have taken over is not used", () => {
  const folder = temporaryFolder();
  const socket = prepareSocket(folder, { XDG_RUNTIME_DIR: folder });
  recordSocket(folder, socket);
  expect(recordedSocket(folder)).toBe(socket);
  chmodSync(dirname(socket), 0o777);
  expect(() => recordedSocket(folder)).toThrow(expect.objectContaining({ code: "socket_folder_unsafe" }));
});

test("a record that is none counts as no bot", () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "bot.json"), "{");
  expect(recordedSocket(folder)).toBeNull();
});
