/** The Slack app that askgate needs, as data: what `setup` has people paste, and what `doctor` looks for. */

/** What the bot token may do. */
export const SCOPES = [
  "chat:write",
  "channels:history",
  "groups:history",
  "im:history",
  "mpim:history",
  "channels:read",
  "groups:read",
  "im:read",
  "mpim:read",
  "im:write",
  "users:read",
  "users:read.email",
  "reactions:write",
  "files:write",
  "files:read",
  "commands",
] as const;

/** What the app is told of. */
export const EVENTS = [
  "message.channels",
  "message.groups",
  "message.im",
  "message.mpim",
  "member_joined_channel",
  "member_left_channel",
  "channel_archive",
  "group_archive",
  "app_uninstalled",
  "tokens_revoked",
] as const;

/** As Slack takes it under "From a manifest". `name`: up to 35 characters of a–z, 0–9, `-`, `_` and `.`. */
export function manifest(name: string) {
  return {
    display_information: {
      name,
      description: "Coding agents stop here and people decide: branching decisions and plan reviews.",
    },
    features: {
      app_home: {
        home_tab_enabled: false,
        messages_tab_enabled: true,
        // Else nobody can answer in a direct message.
        messages_tab_read_only_enabled: false,
      },
      bot_user: { display_name: name, always_online: false },
      slash_commands: [
        {
          // Two apps with one command: only the one installed last would get it.
          command: `/${name
            .toLowerCase()
            .replaceAll(/[^a-z0-9_-]+/g, "-")
            .slice(0, 31)}`,
          description: "Your open questions",
          usage_hint: "lists what waits for your answer",
          should_escape: false,
        },
      ],
    },
    oauth_config: { scopes: { bot: SCOPES } },
    settings: {
      event_subscriptions: { bot_events: EVENTS },
      interactivity: { is_enabled: true },
      org_deploy_enabled: false,
      socket_mode_enabled: true,
      token_rotation_enabled: false,
    },
  };
}
