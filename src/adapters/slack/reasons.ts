/** Slack's error codes in words, and what to do about them. */

const SETUP = "run: askgate setup slack";

const REASONS: Record<string, string> = {
  channel_not_found: "the bot cannot see it: invite the bot there with /invite",
  not_in_channel: "the bot is not a member: invite the bot there with /invite",
  is_archived: "it is archived: choose another place with --to",
  restricted_action: "posting there is restricted by the workspace",
  restricted_action_read_only_channel: "only some people may post there",
  cannot_dm_bot: "a bot cannot be asked",
  user_not_found: "there is no such person",
  user_disabled: "that account is deactivated",
  invalid_auth: `the bot token is not valid; ${SETUP}`,
  not_authed: `the bot token is missing; ${SETUP}`,
  account_inactive: `the app was removed from the workspace; ${SETUP}`,
  token_revoked: `the token was revoked; ${SETUP}`,
  token_expired: `the token has expired; ${SETUP}`,
  not_allowed_token_type: `it is the wrong kind of token; ${SETUP}`,
  socket_mode_not_enabled: "Socket Mode is switched off; switch it on in the app's settings",
  socket_mode_disabled: "Socket Mode is switched off; switch it on in the app's settings",
  forbidden: "Socket Mode is switched off; switch it on in the app's settings",
  thread_not_found: "the message it belongs to was deleted",
  message_not_found: "the message was deleted",
  msg_too_long: "it is too long for Slack",
  msg_blocks_too_long: "it is too long for Slack",
  invalid_blocks: "Slack does not accept how it is drawn",
};

/** "the bot is not a member: …"; the bare code for what is rare. */
export function reason(error: string, needed = ""): string {
  if (error === "missing_scope")
    return `the app may not do that (missing scope ${needed}); ${SETUP}, and install again`;
  return REASONS[error] ?? `Slack says ${error}`;
}

/** The connection itself is of no use any more. */
export const isFatal = (error: string): boolean =>
  ["invalid_auth", "not_authed", "account_inactive", "token_revoked", "token_expired"].includes(error);

export const TOO_RICH = new Set([
  "invalid_blocks",
  "invalid_blocks_format",
  "msg_blocks_too_long",
  "msg_too_long",
]);
