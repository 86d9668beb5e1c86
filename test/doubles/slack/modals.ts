/** Submitting and closing the modal a person has open. */
import { type Control, controlsOf, keyOf, labelOf, MANY, shownOf, stateOf } from "./controls.ts";
import { newTrigger } from "./hub.ts";
import { interact, settle, type Who } from "./interactions.ts";
import { checkedView, pushView, replaceView } from "./methods/views.ts";
import type { View } from "./model.ts";
import { viewJson } from "./payloads.ts";
import { Refusal } from "./refusal.ts";
import { optionsOf } from "./text-objects.ts";
import { isJson, type Json, record, str } from "./wire.ts";

export type Submitted =
  | { kind: "closed" }
  /** By block id; shown under the inputs. */
  | { kind: "errors"; errors: { [blockId: string]: string } }
  | { kind: "updated" }
  | { kind: "pushed" }
  | { kind: "failed"; reason: string };

export type Filled = { [labelOrBlockId: string]: string | string[] };

export async function submit(who: Who, filled: Filled): Promise<Submitted> {
  const { hub, team, user } = who;
  const view = topmost(who);
  fillIn(view, filled);
  const missing = incomplete(view);
  if (Object.keys(missing).length > 0) return shownErrors(who, view, missing);
  view.errors = {};
  const values = stateOf(view.blocks, view.picks);
  const ack = await interact(
    who,
    {
      type: "view_submission",
      trigger_id: newTrigger(hub, team, user, view.id),
      view: viewJson(team, view, values),
      response_urls: [],
    },
    true,
  );
  const deed = settle(who, `submit of ${str(view.body.callback_id)}`, ack);
  if (deed.kind === "failed") return deed;
  return ack.kind === "acked" ? respond(who, view, ack.payload) : { kind: "failed", reason: "" };
}

export async function closeView(who: Who): Promise<void> {
  const { team, user } = who;
  const view = topmost(who);
  const cleared = view.body.clear_on_close === true;
  for (const one of cleared ? user.views.splice(0) : user.views.splice(-1)) one.open = false;
  who.hub.ledger.changed();
  if (view.body.notify_on_close !== true) return;
  const ack = await interact(
    who,
    {
      type: "view_closed",
      view: viewJson(team, view, stateOf(view.blocks, view.picks)),
      is_cleared: cleared,
    },
    false,
  );
  settle(who, "view_closed", ack);
}

function topmost({ user }: Who): View {
  const view = user.views.at(-1);
  if (view === undefined) throw new Error(`${user.name} has no modal open`);
  return view;
}

function fillIn(view: View, filled: Filled): void {
  const controls = controlsOf(view.blocks);
  for (const [name, given] of Object.entries(filled)) {
    const control = controls.find((one) => one.blockId === name || one.label === name);
    if (control === undefined)
      throw new Error(`no input ${name} there; there are: ${controls.map((one) => one.label).join(" | ")}`);
    view.picks.set(keyOf("", control), pickOf(control, given));
  }
}

function pickOf(control: Control, given: string | string[]): { value: string } | { options: Json[] } {
  if (control.type === "plain_text_input") {
    if (typeof given !== "string") throw new Error(`${control.label} takes one text`);
    return { value: given };
  }
  const labels = typeof given === "string" ? [given] : given;
  if (labels.length > 1 && !MANY.has(control.type)) throw new Error(`${control.label} takes one option`);
  return {
    options: labels.map((label) => {
      const found = optionsOf(control.element).find((one) => labelOf(one) === label);
      if (found === undefined) throw new Error(`${control.label} has no option ${label}`);
      return found;
    }),
  };
}

/** What the client itself objects to, before anything is sent. */
function incomplete(view: View): { [blockId: string]: string } {
  const errors: { [blockId: string]: string } = {};
  for (const control of controlsOf(view.blocks)) {
    if (control.label === null) continue;
    const shown = shownOf(control, view.picks);
    const empty = "value" in shown ? shown.value.trim() === "" : shown.options.length === 0;
    if (empty && !control.optional) errors[control.blockId] = "Please complete this required field.";
    else if (!empty && "value" in shown) tooLongOrShort(control, shown.value, errors);
  }
  return errors;
}

function tooLongOrShort(control: Control, value: string, errors: { [blockId: string]: string }): void {
  const { min_length: min, max_length: max } = control.element;
  if (typeof min === "number" && value.length < min)
    errors[control.blockId] = `Must be at least ${min} characters long.`;
  if (value.length > (typeof max === "number" ? max : 3000))
    errors[control.blockId] = `Must be at most ${typeof max === "number" ? max : 3000} characters long.`;
}

function shownErrors({ hub }: Who, view: View, errors: { [blockId: string]: string }): Submitted {
  view.errors = errors;
  hub.ledger.changed();
  return { kind: "errors", errors };
}

function respond(who: Who, view: View, payload: Json): Submitted {
  const { hub, team, user } = who;
  try {
    switch (payload.response_action) {
      case undefined:
        leave(user.views, view);
        hub.ledger.changed();
        return { kind: "closed" };
      case "clear":
        for (const one of user.views.splice(0)) one.open = false;
        hub.ledger.changed();
        return { kind: "closed" };
      case "errors":
        return shownErrors(who, view, knownErrors(view, payload.errors));
      case "update":
        replaceView(hub, view, checkedView(hub, payload.view));
        return { kind: "updated" };
      case "push":
        pushView(hub, team, user, checkedView(hub, payload.view));
        return { kind: "pushed" };
      default:
        throw new Refusal(`unknown response_action ${payload.response_action}`);
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    hub.ledger.violation(
      `the answer to a view_submission was refused: ${[error.code, ...error.details].join("; ")}`,
    );
    return { kind: "failed", reason: error.code };
  }
}

function leave(views: View[], view: View): void {
  view.open = false;
  const index = views.indexOf(view);
  if (index >= 0) views.splice(index, 1);
}

/** Errors name input blocks that are there, and say something. */
function knownErrors(view: View, errors: unknown): { [blockId: string]: string } {
  const inputs = controlsOf(view.blocks).filter((control) => control.label !== null);
  if (!isJson(errors) || Object.keys(errors).length === 0) throw new Refusal("errors must be an object");
  for (const [blockId, text] of Object.entries(record(errors))) {
    if (!inputs.some((control) => control.blockId === blockId))
      throw new Refusal(`errors name an unknown block_id: ${blockId}`);
    if (str(text) === "") throw new Refusal(`errors say nothing for ${blockId}`);
  }
  return Object.fromEntries(Object.entries(errors).map(([blockId, text]) => [blockId, str(text)]));
}
