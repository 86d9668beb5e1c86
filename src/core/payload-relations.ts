/**
 * What the parts of a clarity payload mean to each other: unique ids, one recommendation, guards that name earlier
 * decisions. It reads whatever can be made out of the data, so that these mistakes are reported past one of shape; a
 * part that cannot be read is left to the schema and gives no mistake here.
 */
import { z } from "zod";
import { found, type Mistake } from "./payload-issues.ts";

const word = z.string().nullable().catch(null);

const Draft = z.object({
  id: word,
  multi: z.boolean().catch(false),
  options: z
    .array(
      z
        .object({ id: word, recommended: z.boolean().nullable().catch(null) })
        .catch({ id: null, recommended: null }),
    )
    .catch([]),
  show_if: z
    .object({ decision: word, in: z.array(word).catch([]) })
    .nullable()
    .catch(null),
});
const NOTHING = { id: null, multi: false, options: [], show_if: null };
const Drafts = z.object({ decisions: z.array(Draft.catch(NOTHING)).catch([]) }).catch({ decisions: [] });

type Drafted = z.infer<typeof Draft>;

/** Every mistake between the parts, in no particular order. */
export function relations(data: unknown): Mistake[] {
  const { decisions } = Drafts.parse(data);
  return [
    ...repeats(decisions, ["decisions"]),
    ...decisions.flatMap(({ options }, at) => repeats(options, ["decisions", at, "options"])),
    ...decisions.flatMap(recommendations),
    ...decisions.flatMap((_, at) => guard(decisions, at)),
  ];
}

const Ids = z
  .object({ options: z.array(z.string()).catch([]), option_ids: z.array(word).catch([]) })
  .catch({ options: [], option_ids: [] });

/** Ids of a question's options: each used once, one for each option. */
export function optionIds(data: unknown): Mistake[] {
  const { options, option_ids: ids } = Ids.parse(data);
  if (ids.length === 0) return [];
  const path = ["option_ids"];
  const count = options.filter((label) => label.trim() !== "").length;
  const all = ids.length === count ? [] : [{ path, message: uneven(count, ids.length), last: true as const }];
  const twice = ids.flatMap((id, at) =>
    id !== null && ids.indexOf(id) < at
      ? [{ path: [...path, at], message: `expected an id used once, found ${found(id)} again` }]
      : [],
  );
  return [...twice, ...all];
}

const uneven = (options: number, ids: number): string =>
  `expected one id for each of ${options} options, found ${ids}`;

function repeats(items: { id: string | null }[], path: PropertyKey[]): Mistake[] {
  const seen = new Set<string>();
  return items.flatMap(({ id }, at) => {
    if (id === null) return [];
    if (seen.has(id))
      return [{ path: [...path, at, "id"], message: `expected an id used once, found ${found(id)} again` }];
    seen.add(id);
    return [];
  });
}

function recommendations({ options, multi }: Drafted, at: number): Mistake[] {
  const readable = options.length > 0 && options.every(({ recommended }) => recommended !== null);
  const count = options.filter(({ recommended }) => recommended === true).length;
  if (!readable || count === 1 || (multi && count > 1)) return [];
  const expected = multi ? "one or more options" : "exactly one option";
  return [
    {
      path: ["decisions", at, "options"],
      message: `expected ${expected} with recommended true, found ${count}`,
      last: true,
    },
  ];
}

function guard(decisions: Drafted[], at: number): Mistake[] {
  const own = decisions[at];
  const parent = own?.show_if?.decision;
  if (own?.show_if == null || parent == null || parent === "") return [];
  const path = ["decisions", at, "show_if"];
  const wrong = (message: string): Mistake => ({ path: [...path, "decision"], message });
  if (parent === own.id) return [wrong(`expected an earlier decision, found its own id ${found(parent)}`)];
  const place = decisions.findIndex(({ id }) => id === parent);
  const options = decisions[place]?.options;
  if (options === undefined)
    return [wrong(`expected the id of an earlier decision, found the unknown ${found(parent)}`)];
  const late = place < at ? [] : [wrong(`expected an earlier decision, found the later ${found(parent)}`)];
  return [...late, ...strangers(own.show_if.in, options, { path: [...path, "in"], parent })];
}

/** Entries of a guard that are no option of its decision. */
function strangers(
  entries: (string | null)[],
  options: Drafted["options"],
  { path, parent }: { path: PropertyKey[]; parent: string },
): Mistake[] {
  const known = new Set(options.map(({ id }) => id));
  return entries.flatMap((entry, at) => {
    if (entry === null || entry === "" || known.has(entry)) return [];
    return [
      { path: [...path, at], message: `expected an option of ${found(parent)}, found ${found(entry)}` },
    ];
  });
}
