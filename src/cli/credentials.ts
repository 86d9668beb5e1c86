/**
 * The tokens of chat platforms, from the environment or else the project's `.env`. A set counts whole: tokens and address
 * of one platform come from one place, so that no project file can send somebody's tokens elsewhere.
 */
import type { SurfaceName } from "../core/people.ts";
import type { Credentials } from "../core/surface.ts";
import { envFile } from "./config.ts";
import { UsageError } from "./exit.ts";
import { CHATS, type ChatVariables, isOfKind, namesOf, type TokenKind, wrongKind } from "./tokens.ts";

export interface Found extends Credentials {
  /** "the environment", or the `.env` file. */
  source: string;
}

/**
 * What is set, at most one per chat; of these surfaces, or of all. Throws `UsageError` for half a set, one that is mixed, and
 * a token of another kind.
 */
export function readCredentials(
  project: string,
  env: NodeJS.ProcessEnv,
  of?: readonly SurfaceName[],
): Found[] {
  const { path, variables } = envFile(project);
  const sources: Source[] = [
    { name: "the environment", variables: env },
    { name: path, variables },
  ];
  // Where a chat is not meant, a mistake in its tokens is nobody's business.
  const meant = CHATS.filter(({ surface }) => of === undefined || of.includes(surface));
  return meant.flatMap((chat) => readChat(chat, sources));
}

interface Source {
  name: string;
  variables: Readonly<Record<string, string | undefined>>;
}

function readChat(chat: ChatVariables, sources: Source[]): Found[] {
  const kinds = Object.values(chat.tokens);
  const first = sources.find((source) => kinds.some(({ name }) => said(source, name) !== ""));
  for (const source of sources) {
    // One that is hidden by the environment's tokens is no mistake as long as it is whole.
    const hasTokens = kinds.some(({ name }) => said(source, name) !== "");
    if (!hasTokens && said(source, chat.baseUrl) !== "") throw loneAddress(chat, source);
  }
  if (first === undefined) return [];
  for (const kind of kinds) {
    if (said(first, kind.name) === "") throw halfSet(kind, kinds, { first, sources });
  }
  const tokens = Object.fromEntries(
    Object.entries(chat.tokens).map(([key, { name }]) => [key, said(first, name)]),
  );
  checkKinds(chat, tokens, first.name);
  return [{ surface: chat.surface, tokens, baseUrl: address(chat, first), source: first.name }];
}

const said = ({ variables }: Source, name: string): string => variables[name]?.trim() ?? "";

const loneAddress = ({ baseUrl, tokens }: ChatVariables, { name }: Source): UsageError =>
  new UsageError(
    `${baseUrl} is set in ${name} without tokens`,
    `An address counts only together with tokens from the same place: set ${namesOf(tokens)} there too, or remove it.`,
  );

function halfSet(
  missing: TokenKind,
  kinds: TokenKind[],
  { first, sources }: { first: Source; sources: Source[] },
): UsageError {
  const there = kinds.find(({ name }) => said(first, name) !== "");
  const other = sources.find((source) => source !== first && said(source, missing.name) !== "");
  const elsewhere = other === undefined ? "" : `; the one in ${other.name} belongs to another set`;
  return new UsageError(
    `${missing.name} is missing: ${there?.name ?? ""} comes from ${first.name}${elsewhere}`,
    `Set both in one place. It is ${missing.what} (${missing.looks}): ${missing.where}.`,
  );
}

function address({ baseUrl, address: example }: ChatVariables, source: Source): string | null {
  const text = said(source, baseUrl);
  if (text === "") return null;
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new UsageError(`${baseUrl} in ${source.name}: expected an address such as ${example}`);
  return text;
}

/** Says which of them are swapped or of another kind, without showing any. */
function checkKinds({ tokens: kinds }: ChatVariables, tokens: Record<string, string>, source: string): void {
  const wrong = Object.entries(kinds).filter(([key, kind]) => !isOfKind(tokens[key] ?? "", kind));
  const all = Object.values(kinds);
  const swapped = wrong.every(([key]) => all.some((kind) => isOfKind(tokens[key] ?? "", kind)));
  if (wrong.length > 1 && swapped) {
    const wanted = all.map(({ name, looks }) => `${name} takes ${looks}`).join(", ");
    throw new UsageError(`${namesOf(kinds)} in ${source} are swapped`, `Swap them: ${wanted}.`);
  }
  for (const [key, kind] of wrong) throw wrongKind(kind, tokens[key] ?? "", `${kind.name} in ${source}`);
}
