/** Where a round can be asked: the places that a command names, as far as they can be used. */

import type { OpenRequest } from "./gate.ts";
import type { Place } from "./people.ts";
import type { EngineParts } from "./ports.ts";

/** The places asked for: the page and the terminal are always there, a chat says whether it can be used. */
export async function placesOf(
  parts: EngineParts,
  { via, to, connections }: OpenRequest,
): Promise<{ taken: Place[]; notes: string[] }> {
  const taken: Place[] = [];
  const notes: string[] = [];
  for (const name of via) {
    if (name === "web" || name === "terminal") {
      const there = name === "terminal" || parts.page !== null;
      if (there) taken.push({ surface: name, id: "", direct: true, label: name });
      else notes.push("the page is not available");
      continue;
    }
    const surface = parts.surfaces.find((candidate) => candidate.name === name);
    if (surface === undefined) {
      notes.push(`${name} is not configured`);
      continue;
    }
    for (const where of to.flatMap((place) => placeOn(name, place))) {
      const place = await surface.resolve(where, connections[name] ?? null);
      if (typeof place === "string") notes.push(place);
      else taken.push(place);
    }
  }
  return { taken, notes };
}

/** `SURFACE:PLACE` counts for that surface only, a bare place for every one. */
function placeOn(surface: string, place: string): string[] {
  const [prefix, ...rest] = place.split(":");
  if (prefix !== "slack" && prefix !== "discord") return [place];
  return prefix === surface ? [rest.join(":")] : [];
}
