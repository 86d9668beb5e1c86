import { PermissionFlagsBits } from "discord.js";
import { describe, expect, it } from "vitest";
import { applicationOf, inviteLink, PERMISSIONS } from "../../../src/adapters/discord/invite.ts";

const APP = "900000000000000001";
const tokenOf = (id: string): string =>
  `${Buffer.from(id).toString("base64url")}.Gabcde.secret-secret_secret`;

describe("an invitation", () => {
  it("asks for what the bot does, and nothing more", () => {
    expect(PERMISSIONS).toEqual({
      "View Channel": PermissionFlagsBits.ViewChannel,
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
