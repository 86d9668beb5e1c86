/**
 * Who may act, and what the reviews add up to. Policy only tightens on its way down: configuration is the floor, payload
 * and flags add to it. Whoever is unknown may do nothing.
 */

import type { PolicyRequest } from "./gate.ts";
import type { PolicyInput } from "./payload.ts";
import type { Actor, Person, Place } from "./people.ts";
import type { Kind, OnTimeout, PlanRound, Policy } from "./round.ts";

const CHAT_ID = /^(slack|discord):\S+$/;

export interface PolicySources {
  kind: Kind;
  floor: PolicyRequest;
  payload: PolicyInput | undefined;
  flags: PolicyRequest;
  people: Record<string, string[]>;
}

/** The policy of a round, or what is wrong with what was asked for. */
export function resolvePolicy(sources: PolicySources): Policy | { problem: string } {
  const { kind, floor, payload, flags } = sources;
  const role = kind === "plan" ? "reviewers" : "responders";
  const names = [...new Set([floor[role] ?? [], payload?.[role] ?? [], flags[role] ?? []].flat())];
  const unknown = names.find((name) => !CHAT_ID.test(name) && !Object.hasOwn(sources.people, name));
  if (unknown !== undefined) {
    return {
      problem: `${role}: "${unknown}" is neither slack:… nor discord:… nor a name in the config's people`,
    };
  }
  const named = joinAccounts(names.map((name) => ({ name, ids: accountsOf(name, sources.people) })));
  const asked = [floor.quorum, payload?.quorum, flags.quorum].flatMap((quorum) => quorum ?? []);
  const quorum = asked.length > 0 ? Math.max(...asked) : Math.max(named.length, 1);
  if (named.length > 0 && quorum > named.length) {
    return { problem: `quorum ${quorum} can never be reached by ${named.length} named ${role}` };
  }
  const onTimeout = timeoutPolicy(sources, named.length > 0);
  if (typeof onTimeout !== "string") return onTimeout;
  return { named, quorum, veto: floor.veto ?? flags.veto ?? payload?.veto ?? true, onTimeout };
}

const accountsOf = (name: string, people: Record<string, string[]>): string[] =>
  CHAT_ID.test(name) ? [name] : (people[name] ?? []);

/** People who share an account are one person. */
function joinAccounts(people: Person[]): Person[] {
  const joined: Person[] = [];
  for (const person of people) {
    const same = joined.find((other) => other.ids.some((id) => person.ids.includes(id)));
    if (same === undefined) joined.push({ ...person });
    else same.ids = [...new Set([...same.ids, ...person.ids])];
  }
  return joined;
}

function timeoutPolicy(sources: PolicySources, named: boolean): OnTimeout | { problem: string } {
  if (sources.kind === "permission") return "fail";
  const { kind, flags, payload, floor } = sources;
  // A floor stands for all kinds; only a page of decisions has recommended options.
  const below = floor.onTimeout === "recommended" && kind !== "clarity" ? "keep" : floor.onTimeout;
  const wanted = flags.onTimeout ?? payload?.on_timeout ?? below ?? "keep";
  if (wanted !== "recommended") return wanted;
  if (sources.kind !== "clarity") return { problem: "on-timeout recommended is for clarity only" };
  if (named && sources.floor.onTimeout !== "recommended") {
    return {
      problem: "on-timeout recommended needs the config's policy.on_timeout where responders are named",
    };
  }
  return wanted;
}

const isLocal = (surface: Place["surface"]): boolean => surface === "web" || surface === "terminal";

/** May this person answer, review and settle here? Local people may not where others are named: the agent could reach them. */
export function mayAct(policy: Policy, actor: Actor, place: Pick<Place, "surface">): boolean {
  if (policy.named.length > 0) return policy.named.some((person) => person.ids.includes(actor.id));
  switch (actor.kind) {
    case "local":
      return isLocal(place.surface);
    case "member":
      return actor.inPlace;
    case "guest":
    case "external":
    case "bot":
      return false;
  }
}

/** May this person comment? Everybody who may act, and the local user. */
export const mayComment = (policy: Policy, actor: Actor, place: Pick<Place, "surface">): boolean =>
  mayAct(policy, actor, place) || (actor.kind === "local" && isLocal(place.surface));

/** Is there anyone on these places who could settle the round? */
export function canBeSettled(policy: Policy, places: Place[]): boolean {
  if (policy.named.length === 0) return places.length > 0;
  const reachable = policy.named.filter((person) =>
    person.ids.some((id) => places.some((place) => id.startsWith(`${place.surface}:`))),
  );
  return reachable.length >= Math.min(policy.quorum, policy.named.length);
}

/** The name under which somebody is counted once, whichever account they use. */
export const countedAs = (policy: Policy, id: string): string =>
  policy.named.find((person) => person.ids.includes(id))?.name ?? id;

/** What the reviews add up to now; null while people are still asked. */
export function verdict(round: Pick<PlanRound, "policy" | "reviews">): "approve" | "revise" | null {
  const { policy, reviews } = round;
  const approvals = reviews.filter((review) => review.decision === "approve").length;
  const revisions = reviews.length - approvals;
  if (approvals >= policy.quorum && (revisions === 0 || !policy.veto)) return "approve";
  if (revisions === 0) return null;
  const asked = Math.max(policy.named.length, policy.quorum);
  if (policy.veto) return asked === 1 || reviews.length >= asked ? "revise" : null;
  return asked - revisions < policy.quorum ? "revise" : null;
}

/** A standing *Request changes* wins when the deadline comes, or when somebody ends the review. */
export const verdictAtDeadline = (round: Pick<PlanRound, "reviews">): "revise" | null =>
  round.reviews.some(({ decision }) => decision === "revise") ? "revise" : null;

/** Named people who have not reviewed yet. */
export const owing = (round: Pick<PlanRound, "policy" | "reviews">): Person[] =>
  round.policy.named.filter(
    (person) => !round.reviews.some((review) => countedAs(round.policy, review.by.id) === person.name),
  );
