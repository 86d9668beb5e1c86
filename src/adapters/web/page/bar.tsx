/** The buttons that settle a round, with how far it is. */
import { useState } from "preact/hooks";
import type { Control } from "../../../core/card.ts";
import type { RoundView } from "../render.ts";
import { Notices } from "./banner.tsx";
import { usePage } from "./context.ts";
import { ConfirmDialog, FormDialog } from "./dialog.tsx";
import { goToOpen } from "./open-question.ts";
import { isFeedback } from "./plan.tsx";
import type { State } from "./state.ts";

export function Bar({ round, state }: { round: RoundView; state: State }) {
  const controls = round.controls.filter((control) => !isFeedback(control));
  if (controls.length === 0 && round.progress === null) return null;
  return (
    <footer class="bar">
      <Notices notices={state.notices.filter((notice) => notice.round === round.id)} />
      {round.progress === null ? null : <Progress round={round} />}
      <div class="controls">
        {controls.map((control) => (
          <Button key={`${control.verb} ${control.label}`} control={control} round={round.id} state={state} />
        ))}
      </div>
    </footer>
  );
}

function Progress({ round }: { round: RoundView }) {
  const { words } = usePage();
  const { done = 0, of = 0, text = "" } = round.progress ?? {};
  return (
    <div class="progress">
      <progress max={of} value={done} aria-label={text} />
      <span>{text}</span>
      {done < of && of > 1 ? (
        <button type="button" class="quiet" onClick={() => goToOpen(round.id)}>
          {words.nextOpen}
        </button>
      ) : null}
    </div>
  );
}

function Button({ control, round, state }: { control: Control; round: string; state: State }) {
  const page = usePage();
  const [asking, setAsking] = useState(false);
  const mark = { kind: "control", round, verb: control.verb } as const;
  const onItsWay = state.waiting.some((item) => item.mark.kind === "control" && item.button === control.id);
  const act = (): void => page.press({ button: control.id, mark });
  const press = (): void => (control.confirm !== null || control.form !== null ? setAsking(true) : act());
  return (
    <>
      <button
        type="button"
        class={control.style}
        data-verb={control.verb}
        aria-disabled={onItsWay}
        onClick={() => !onItsWay && press()}
      >
        {control.label}
        {onItsWay && state.presence !== "live" ? <span class="hint"> · {page.words.unsent}</span> : null}
      </button>
      {asking && control.form !== null ? (
        <FormDialog form={control.form} mark={mark} close={() => setAsking(false)} />
      ) : null}
      {asking && control.form === null && control.confirm !== null ? (
        <ConfirmDialog {...control.confirm} action={control.label} act={act} close={() => setAsking(false)} />
      ) : null}
    </>
  );
}
