/**
 * Secrets of known shapes are hidden, visibly, before a card reaches a chat. A net under agents that quote what they read,
 * not a promise: what has no known shape stays.
 */
import type { Card } from "./card.ts";
import type { Form } from "./effect.ts";
import { withTexts } from "./texts.ts";
import type { Words } from "./words.ts";

/** What it is called when hidden, and its shape. Each is bounded, so that hostile text costs no more than its length. */
const SHAPES: [name: string, shape: RegExp][] = [
  [
    "private key",
    /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[\s\S]{0,8000}?(?:-----END [A-Z ]{0,30}PRIVATE KEY-----|$)/g,
  ],
  ["Slack token", /\bxox[a-z]-[\w-]{10,250}|\bxapp-[\w-]{10,250}/g],
  ["GitHub token", /\b(?:gh[pousr]_[A-Za-z0-9]{20,255}|github_pat_\w{20,255})\b/g],
  ["GitLab token", /\bglpat-[\w-]{20,64}/g],
  ["AWS key", /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g],
  ["Google key", /\bAIza[\w-]{35}/g],
  ["Stripe key", /\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,128}\b/g],
  ["API key", /\bsk-[\w-]{20,200}/g],
  ["npm token", /\bnpm_[A-Za-z0-9]{36}\b/g],
  ["Discord token", /\b[MNO][\w-]{23,28}\.[\w-]{6}\.[\w-]{27,40}/g],
  ["JWT", /\beyJ[\w-]{10,2000}\.eyJ[\w-]{10,4000}\.[\w-]{10,1000}/g],
];

/** A password inside an address: `postgres://user:…@host`. */
const IN_ADDRESS = /(\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:/@]{1,100}:)[^\s:/@]{1,200}(?=@)/g;

export function maskText(text: string, say: Pick<Words, "hidden">): string {
  const hidden = SHAPES.reduce((rest, [name, shape]) => rest.replace(shape, () => say.hidden(name)), text);
  return hidden.replace(IN_ADDRESS, (_, before: string) => `${before}${say.hidden("password")}`);
}

export function masked(card: Card, say: Pick<Words, "hidden">): Card {
  const hide = (text: string): string => maskText(text, say);
  const { alert, topic } = card;
  return {
    ...card,
    alert: hide(alert),
    topic: hide(topic),
    parts: card.parts.map((part) => withTexts(part, hide)),
  };
}

/** What a form says; what it asks for is the person's own. */
export function maskedForm(form: Form, say: Pick<Words, "hidden">): Form {
  const hide = (text: string): string => maskText(text, say);
  const fields = form.fields.map((field) => {
    const label = hide(field.label);
    if (field.kind === "text") return { ...field, label };
    return {
      ...field,
      label,
      entries: field.entries.map((entry) => ({ ...entry, label: hide(entry.label) })),
    };
  });
  return { ...form, title: hide(form.title), fields };
}
