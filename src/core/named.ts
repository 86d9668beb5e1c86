/** Who is named, as the platforms know them: ids made whole, and names that people go by. */

import type { OpenRequest } from "./gate.ts";
import type { Person } from "./people.ts";
import type { EngineParts } from "./ports.ts";
import type { Policy } from "./round.ts";
import { usage } from "./usage.ts";

type Request = Pick<OpenRequest, "via" | "connections">;

/** The policy with each account looked up where it is asked for; throws a usage error for somebody nobody knows. */
export async function identified(parts: EngineParts, request: Request, policy: Policy): Promise<Policy> {
  const found: Person[] = [];
  for (const person of policy.named) {
    const accounts = await Promise.all(person.ids.map((id) => lookUp(parts, request, id)));
    const ids = accounts.map(({ id }) => id);
    if (found.some((other) => other.ids.some((id) => ids.includes(id)))) continue;
    // A name from the config stays; an id makes room for the name that its owner goes by.
    const shown = person.ids.includes(person.name) ? (accounts[0]?.name ?? person.name) : person.name;
    const taken = found.some(({ name }) => name === shown);
    found.push({ name: taken ? `${shown} (${ids[0] ?? ""})` : shown, ids });
  }
  return { ...policy, named: found };
}

async function lookUp(
  { surfaces }: EngineParts,
  { via, connections }: Request,
  id: string,
): Promise<{ id: string; name: string }> {
  const [name = "", ...rest] = id.split(":");
  const surface = surfaces.find((candidate) => candidate.name === name && via.includes(candidate.name));
  if (surface === undefined) return { id, name: id };
  const account = await surface.person(rest.join(":"), connections[surface.name] ?? null);
  if (typeof account === "string")
    throw usage(
      `${id}: ${account}`,
      "Name people as slack:U…, slack:ana@example.com, discord:@ana or discord:<id>.",
    );
  return account;
}
