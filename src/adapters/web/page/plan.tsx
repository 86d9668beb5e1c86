/** A plan as one reads it: its blocks with what was said on each, then what was said on the whole. */
import { useState } from "preact/hooks";
import type { Control } from "../../../core/card.ts";
import type { RoundView } from "../render.ts";
import { Block } from "./block.tsx";
import { Comments } from "./comment.tsx";
import { usePage } from "./context.ts";
import type { State } from "./state.ts";
import { WordsBox } from "./words-box.tsx";

export function Plan({ round, state }: { round: RoundView; state: State }) {
  const definitions = linkDefinitions(round.files.map(({ text }) => text).join("\n"));
  return (
    <>
      <Files round={round} />
      <div class="plan">
        {round.blocks.map((part) => (
          <Block key={part.target} part={part} round={round.id} definitions={definitions} state={state} />
        ))}
      </div>
      <Feedback round={round} />
    </>
  );
}

/** Links of one block may be defined in another: `[name]: https://…`. */
const linkDefinitions = (plan: string): string =>
  plan
    .split("\n")
    .filter((line) => /^ {0,3}\[[^\]\n]{1,200}\]:\s*\S/.test(line))
    .slice(0, 200)
    .join("\n");

function Files({ round }: { round: RoundView }) {
  const { words } = usePage();
  return (
    <p class="files">
      {round.files.map(({ name, text }) => (
        <button key={name} type="button" class="quiet" onClick={() => offer(name, text)}>
          {words.wholePlan} ({name})
        </button>
      ))}
    </p>
  );
}

/** The file is made when it is asked for, and forgotten afterwards. */
function offer(name: string, text: string): void {
  const link = document.createElement("a");
  link.download = name;
  link.href = URL.createObjectURL(new Blob([text], { type: "text/markdown" }));
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

function Feedback({ round }: { round: RoundView }) {
  const comments = round.comments.flatMap((part) => part.comments);
  const control = round.controls.find(isFeedback);
  const label = control?.form?.title || round.comments.find((part) => part.label !== "")?.label || "";
  if (comments.length === 0 && control === undefined) return null;
  return (
    <section class="feedback" aria-label={label}>
      <h2>{label}</h2>
      <Comments comments={comments} round={round.id} />
      {control === undefined ? null : <FeedbackBox control={control} round={round.id} />}
    </section>
  );
}

/** *Feedback* has a box of its own under the plan, so it needs no button among the others. */
export const isFeedback = ({ verb, form }: Control): boolean => verb === "feedback" && form !== null;

function FeedbackBox({ control, round }: { control: Control; round: string }) {
  const page = usePage();
  const draft = `${round}/feedback`;
  const [text, setText] = useState(page.drafts.read(draft));
  const send = (): void => {
    if (text.trim() === "") return;
    page.drafts.drop(draft);
    setText("");
    page.press({
      button: control.form?.button ?? control.id,
      words: text,
      mark: { kind: "feedback", round, words: text },
    });
  };
  return (
    <div class="composer">
      <WordsBox
        label={control.form?.title ?? control.label}
        value={text}
        input={(value) => {
          setText(value);
          page.drafts.write(draft, value);
        }}
        send={send}
      />
      {text.trim() === "" ? null : (
        <p class="row">
          <button type="button" class="small" onClick={send}>
            {control.form?.submit ?? page.words.save}
          </button>
          <span class="hint">{page.words.kept}</span>
        </p>
      )}
    </div>
  );
}
