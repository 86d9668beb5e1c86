import { expect, it } from "vitest";
import { masked, maskedForm, maskText } from "../../src/core/mask.ts";
import { words } from "../../src/core/words.ts";
import { fullCard } from "../support/every-part.ts";

const say = words("en");
const hidden = (text: string): string => maskText(text, say);

/** Made up, and put together here so that no scanner takes them for real. */
const part = (length: number): string => "aB3".repeat(100).slice(0, length);
const SECRETS: [name: string, secret: string][] = [
  ["private key", `-----BEGIN RSA PRIVATE KEY-----\n${part(64)}\n-----END RSA PRIVATE KEY-----`],
  ["Slack token", `xox${"b"}-123-${part(24)}`],
  ["Slack token", `xapp-1-${part(24)}`],
  ["GitHub token", `gh${"p"}_${part(36)}`],
  ["GitHub token", `github_pat_${part(40)}`],
  ["GitLab token", `glpat-${part(20)}`],
  ["AWS key", `AKIA${"Q7".repeat(8)}`],
  ["Google key", `AIza${part(35)}`],
  ["Stripe key", `sk_live_${part(24)}`],
  ["API key", `sk-${part(40)}`],
  ["npm token", `npm_${part(36)}`],
  ["Discord token", `M${part(24)}.${part(6)}.${part(30)}`],
  ["JWT", `eyJ${part(20)}.eyJ${part(40)}.${part(30)}`],
];

it.each(SECRETS)("hides a %s, and says that it did", (name, secret) => {
  const shown = hidden(`before ${secret} after`);
  expect(shown).not.toContain(secret.slice(8, 30));
  expect(shown).toBe(`before ${say.hidden(name)} after`);
});

it("hides a key that is cut off", () => {
  expect(hidden(`-----BEGIN PRIVATE KEY-----\n${part(64)}`)).toBe(say.hidden("private key"));
});

it("hides the password of an address, and leaves the address", () => {
  const shown = hidden("postgres://ana:hunter2@db.acme.test/shop");
  expect(shown).toBe(`postgres://ana:${say.hidden("password")}@db.acme.test/shop`);
});

it.each([
  "Rotate the key every 90 days; see AKIA docs.",
  "commit 3f786850e387550fdab836ed7e6dc881de23001b",
  "id 550e8400-e29b-41d4-a716-446655440000",
  "sk-learn and skiing",
  "https://acme.test:8080/a?b=c@d",
  "mailto:ana@acme.test, ana@acme.test",
  "the xoxb- prefix, ghp_ and eyJ are prefixes",
  "`git@github.com:acme/shop.git`",
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUg",
  "密码是 hunter2 · пароль",
])("leaves ordinary text: %s", (text) => {
  expect(hidden(text)).toBe(text);
});

it("hides secrets in every text of a card, files and notification included", () => {
  const secret = `gh${"p"}_${part(36)}`;
  const card = masked(
    fullCard(() => secret),
    say,
  );
  expect(JSON.stringify(card)).not.toContain(secret);
  expect(JSON.stringify(card).split(say.hidden("GitHub token")).length).toBeGreaterThan(15);
});

it("hides secrets in a form's words, and leaves what somebody typed into it", () => {
  const secret = `gh${"p"}_${part(36)}`;
  const form = maskedForm(
    {
      button: "v1",
      title: secret,
      submit: "Send",
      fields: [
        { kind: "text", label: secret, value: "mine", required: true },
        { kind: "select", label: secret, entries: [{ value: "b0", label: secret }] },
      ],
    },
    say,
  );
  expect(JSON.stringify(form)).not.toContain(secret);
  expect(form.fields[0]).toMatchObject({ value: "mine" });
});

it("costs no more than its length on hostile text", () => {
  const texts = ["-----BEGIN PRIVATE KEY-----".repeat(4_000), "eyJ".repeat(40_000), "a://b:".repeat(20_000)];
  const begin = performance.now();
  for (const text of texts) hidden(text);
  expect(performance.now() - begin).toBeLessThan(2_000);
});
