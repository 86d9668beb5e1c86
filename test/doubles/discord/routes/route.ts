/** What a route is given. */
import type { Given } from "../content.ts";
import type { Hub } from "../hub.ts";
import type { Json } from "../wire.ts";

export interface Asked extends Given {
  hub: Hub;
  /** What stands in the path, decoded, by the names in the pattern. */
  ids: { [name: string]: string };
  search: URLSearchParams;
}

/** Null is answered with 204. */
export type Route = (asked: Asked) => Json | Json[] | null;

/** By `METHOD /path/:name`. */
export type Routes = { [pattern: string]: Route };

export const idOf = ({ ids }: Asked, name: string): string => ids[name] ?? "";
