/** How posts are compared with what is drawn. */
import { isJson } from "../doubles/shared/wire.ts";

/** What stands under another post, with that. */
export const under = (root: string | undefined, look: string): string =>
  root === undefined ? look : `${root}\n  ${look}`;

/** JSON in one order, without what the platform fills in. */
export function stripped(value: unknown, filledIn: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((one) => stripped(one, filledIn));
  if (!isJson(value)) return value;
  const kept = Object.entries(value).filter(([key]) => !filledIn.has(key));
  return Object.fromEntries(
    kept.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, held]) => [key, stripped(held, filledIn)]),
  );
}
