import { PermissionFlagsBits } from "discord.js";
import { describe, expect, it } from "vitest";
import {
  applicationOf,
  inviteLink,
  missingPermissions,
  PERMISSIONS,
  type Standing,
} from "../../../src/adapters/discord/invite.ts";

const APP = "900000000000000001";
const tokenOf = (id: string): string =>
  `${Buffer.from(id).toString("base64url")}.Gabcde.secret-secret_secret`;

describe("an invitation", () => {
  it("asks for what the bot does, and nothing more", () => {
    expect(PERMISSIONS).toEqual({
      "View Channels": PermissionFlagsBits.ViewChannel,
      "Send Messages": PermissionFlagsBits.SendMessages,
      "Send Messages in Threads": PermissionFlagsBits.SendMessagesInThreads,
      "Create Public Threads": PermissionFlagsBits.CreatePublicThreads,
      "Attach Files": PermissionFlagsBits.AttachFiles,
      "Read Message History": PermissionFlagsBits.ReadMessageHistory,
      "Add Reactions": PermissionFlagsBits.AddReactions,
    });
  });

  it("is a link to one application, with the commands in it", () => {
    expect(inviteLink(APP)).toBe(
      `https://discord.com/oauth2/authorize?client_id=${APP}&scope=bot+applications.commands&permissions=309237746752`,
    );
  });
});

describe("a token", () => {
  it("names its application", () => {
    expect(applicationOf(tokenOf(APP))).toBe(APP);
  });

  it.each(["", "a.b.c", APP, `${APP}.b.c`, tokenOf("x".repeat(18)), `${tokenOf(APP)}.more`])(
    "%j is none",
    (token) => expect(applicationOf(token)).toBeNull(),
  );
});

describe("missing permissions", () => {
  const bits = (...names: (keyof typeof PERMISSIONS)[]): string =>
    String(names.reduce((all, name) => all | PERMISSIONS[name], 0n));
  const everything = String(Object.values(PERMISSIONS).reduce((all, bit) => all | bit, 0n));

  /** The bot `7` with the role `71`, in a server where everybody may everything. */
  const missing = (changes: Partial<Standing>): string[] =>
    missingPermissions({
      guild: "1",
      member: { id: "7", roles: ["71"] },
      roles: [
        { id: "1", permissions: everything },
        { id: "71", permissions: "0" },
        { id: "72", permissions: String(1n << 3n) },
      ],
      overwrites: [],
      ...changes,
    });

  it("are none where everybody may everything, or the bot's role may", () => {
    expect(missing({})).toEqual([]);
    const roles = [
      { id: "1", permissions: "0" },
      { id: "71", permissions: everything },
    ];
    expect(missing({ roles })).toEqual([]);
  });

  it("are those that nobody gave, and not those of a role that the bot lacks", () => {
    const roles = [
      { id: "1", permissions: bits("View Channels", "Send Messages") },
      { id: "72", permissions: everything },
    ];
    expect(missing({ roles })).toEqual([
      "Send Messages in Threads",
      "Create Public Threads",
      "Attach Files",
      "Read Message History",
      "Add Reactions",
    ]);
  });

  it("are those that the channel takes from everybody, unless it gives them back to the role or the bot", () => {
    const taken = { id: "1", allow: "0", deny: bits("View Channels", "Attach Files") };
    expect(missing({ overwrites: [taken] })).toEqual(["View Channels", "Attach Files"]);
    const role = { id: "71", allow: bits("View Channels"), deny: "0" };
    expect(missing({ overwrites: [role, taken] })).toEqual(["Attach Files"]);
    const own = { id: "7", allow: bits("Attach Files"), deny: "0" };
    expect(missing({ overwrites: [own, role, taken] })).toEqual([]);
  });

  it("are those that the channel takes from the bot itself, last of all", () => {
    const role = { id: "71", allow: bits("Add Reactions"), deny: "0" };
    const own = { id: "7", allow: "0", deny: bits("Add Reactions") };
    expect(missing({ overwrites: [own, role] })).toEqual(["Add Reactions"]);
  });

  it("are none for an administrator", () => {
    const own = { id: "7", allow: "0", deny: everything };
    expect(missing({ member: { id: "7", roles: ["72"] }, overwrites: [own] })).toEqual([]);
  });
});
