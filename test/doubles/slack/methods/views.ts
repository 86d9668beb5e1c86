/** views.*: modals, opened from a trigger that lives three seconds and works once. */
import { checkView } from "../blocks.ts";
import { stateOf } from "../controls.ts";
import type { Hub, Trigger } from "../hub.ts";
import { keptBlocks } from "../kept-blocks.ts";
import { LIMITS } from "../limits.ts";
import type { Team, User, View } from "../model.ts";
import { viewJson } from "../payloads.ts";
import { invalid, Refusal } from "../refusal.ts";
import { isJson, type Json, records } from "../wire.ts";
import { type Asked, arg, type Method, method } from "./method.ts";

const triggered = { trigger_id: arg.text, interactivity_pointer: arg.text, view: arg.jsonText };

const open = method([], triggered, ({ hub, team }, args) => {
  const view = checkedView(hub, args.view);
  const { person } = takeTrigger(hub, args.trigger_id);
  for (const other of person.views.splice(0)) other.open = false;
  return answer(team, addView(hub, team, person, view));
});

const push = method([], triggered, ({ hub, team }, args) => {
  const view = checkedView(hub, args.view);
  const { person, viewId } = takeTrigger(hub, args.trigger_id);
  if (viewId === null || person.views.length === 0) throw new Refusal("not_in_a_modal");
  return answer(team, pushView(hub, team, person, view));
});

const update = method(
  [],
  { view: arg.jsonText, view_id: arg.text, external_id: arg.text, hash: arg.text },
  ({ hub, team }, args) => {
    const body = checkedView(hub, args.view);
    const view = openView(team, args.view_id, args.external_id);
    if (view === undefined) throw new Refusal("not_found");
    if (args.hash !== undefined && args.hash !== view.hash) throw new Refusal("hash_conflict");
    replaceView(hub, view, body);
    return answer(team, view);
  },
);

function openView(team: Team, id: string | undefined, externalId: string | undefined): View | undefined {
  const view =
    id === undefined
      ? [...team.views.values()].find((one) => one.open && one.body.external_id === externalId)
      : team.views.get(id);
  return view?.open === true ? view : undefined;
}

/** A view that Slack takes, or a refusal with the places. */
export function checkedView(hub: Hub, view: unknown): Json {
  hub.validated += 1;
  const errors = checkView(view);
  if (errors.length > 0 || !isJson(view)) throw invalid("invalid_arguments", errors);
  return structuredClone(view);
}

function takeTrigger(hub: Hub, id: string | undefined): Trigger {
  if (id === undefined) throw new Refusal("invalid_arguments", {}, ["missing trigger_id"]);
  const trigger = hub.triggers.get(id);
  if (trigger === undefined) throw new Refusal("invalid_trigger_id");
  if (trigger.used) throw new Refusal("exchanged_trigger_id");
  if (hub.now() > trigger.expires) throw new Refusal("expired_trigger_id");
  trigger.used = true;
  return trigger;
}

export function addView(hub: Hub, team: Team, person: User, body: Json): View {
  const below = person.views.at(-1);
  const id = hub.id("V0");
  const view: View = {
    id,
    hash: hub.id("1600000000."),
    person,
    body,
    blocks: keptBlocks(records(body.blocks), () => hub.id("b")),
    errors: {},
    open: true,
    rootId: below?.rootId ?? id,
    previousId: below?.id ?? null,
    picks: new Map(),
  };
  team.views.set(id, view);
  person.views.push(view);
  hub.ledger.changed();
  return view;
}

export function pushView(hub: Hub, team: Team, person: User, body: Json): View {
  if (person.views.length >= LIMITS.viewStack) throw new Refusal("push_limit_reached");
  return addView(hub, team, person, body);
}

export function replaceView(hub: Hub, view: View, body: Json): void {
  view.body = body;
  view.blocks = keptBlocks(records(body.blocks), () => hub.id("b"));
  view.hash = hub.id("1600000000.");
  view.errors = {};
  hub.ledger.changed();
}

const answer = (team: Asked["team"], view: View): Json => ({
  view: viewJson(team, view, stateOf(view.blocks, view.picks)),
});

export const views: { [name: string]: Method } = {
  "views.open": open,
  "views.push": push,
  "views.update": update,
};
