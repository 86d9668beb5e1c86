import { expect, test } from "vitest";
import { EVENTS, manifest, SCOPES } from "../../../src/adapters/slack/manifest.ts";

test.each(["askgate", "askgate-ana", "askgate-ana.of-the-northern-branch-1"])(
  "%s fits what Slack takes",
  (name) => {
    const { display_information: shown, features } = manifest(name.slice(0, 35));
    expect(shown.name.length).toBeLessThanOrEqual(35);
    expect(shown.description.length).toBeLessThanOrEqual(140);
    expect(features.bot_user.display_name).toMatch(/^[a-z0-9._-]{1,80}$/);
    expect(features.slash_commands).toMatchObject([{ should_escape: false }]);
    expect(features.slash_commands[0]?.command).toMatch(/^\/[a-z0-9_-]{1,31}$/);
  },
);

test("a direct message can be answered, without a public address", () => {
  const { features, settings } = manifest("askgate");
  expect(features.app_home).toMatchObject({
    messages_tab_enabled: true,
    messages_tab_read_only_enabled: false,
  });
  expect(settings).toMatchObject({ socket_mode_enabled: true, interactivity: { is_enabled: true } });
  expect(JSON.stringify(manifest("askgate"))).not.toContain("request_url");
});

test("every kind of place that sends messages can be read and named", () => {
  for (const place of ["channels", "groups", "im", "mpim"]) {
    expect(SCOPES).toEqual(expect.arrayContaining([`${place}:history`, `${place}:read`]));
    expect(EVENTS).toContain(`message.${place}`);
  }
});
