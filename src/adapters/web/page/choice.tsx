/** A decision as a group of radios (checkboxes where several may be picked), and what its pick revealed below it. */
import { useState } from "preact/hooks";
import type { ChoicePart, Entry } from "../../../core/card.ts";
import { isInstant, type Question } from "../render.ts";
import { usePage } from "./context.ts";
import { OwnWords } from "./own.tsx";
import type { State } from "./state.ts";

/** Indentation ends here: a phone has no room for more. */
const DEEPEST = 3;

interface ChoiceProps {
  question: Question;
  round: string;
  state: State;
  depth: number;
}

export function Choice({ question, round, state, depth }: ChoiceProps) {
  const { part, follow } = question;
  const id = `${round}-${part.target}`;
  const [asked, setAsked] = useState(false);
  const unsent = state.waiting.some(
    ({ mark }) => "target" in mark && mark.round === round && mark.target === part.target,
  );
  return (
    <div class="question" data-depth={Math.min(depth, DEEPEST)}>
      <fieldset id={id} aria-describedby={part.why === "" ? undefined : `${id}-why`} data-open={isOpen(part)}>
        <legend dir="auto">
          {part.number > 0 ? <span class="number">{part.number}</span> : null}
          {part.question}
        </legend>
        <div class="entries">
          {part.entries.map((entry) => (
            <Option
              key={entry.value}
              part={part}
              entry={entry}
              round={round}
              chosen={() => setAsked(false)}
            />
          ))}
          {part.other !== null || part.own !== "" ? (
            <OwnWords part={part} round={round} asked={asked} setAsked={setAsked} />
          ) : null}
        </div>
        <Why part={part} id={id} />
        <Answered part={part} unsent={unsent && state.presence !== "live"} />
      </fieldset>
      {follow.length > 0 ? (
        <div class="follow">
          {follow.map((child) => (
            <Choice key={child.part.target} question={child} round={round} state={state} depth={depth + 1} />
          ))}
        </div>
      ) : null}
    </div>
  );
}

/** Marks a question that still wants an answer, for whoever looks for the next one. */
const isOpen = (part: ChoicePart): true | undefined =>
  part.pick !== null && part.own === "" && !part.entries.some(({ chosen }) => chosen) ? true : undefined;

interface OptionProps {
  part: ChoicePart;
  entry: Entry;
  round: string;
  chosen(): void;
}

function Option({ part, entry, round, chosen }: OptionProps) {
  const page = usePage();
  const { pick, target } = part;
  const choose = (values: string[]): void => {
    chosen();
    if (pick !== null) page.press({ button: pick, values, mark: { kind: "pick", round, target, values } });
  };
  if (pick === null) {
    return (
      <div class="entry shown" data-chosen={entry.chosen}>
        <Body entry={entry} />
      </div>
    );
  }
  if (isInstant(part)) {
    return (
      <button type="button" class="entry instant" onClick={() => choose([entry.value])}>
        <Body entry={entry} />
      </button>
    );
  }
  return (
    <label class="entry" data-chosen={entry.chosen}>
      <input
        type={part.multi ? "checkbox" : "radio"}
        name={`${round}-${target}`}
        checked={entry.chosen}
        onChange={() => choose(part.multi ? toggled(part, entry) : [entry.value])}
      />
      <Body entry={entry} />
    </label>
  );
}

/** All values that are chosen after this one was turned over, in the order of the options. */
const toggled = (part: ChoicePart, entry: Entry): string[] =>
  part.entries
    .filter((one) => (one.value === entry.value ? !one.chosen : one.chosen))
    .map(({ value }) => value);

function Body({ entry }: { entry: Entry }) {
  const { words } = usePage();
  return (
    <span class="body">
      <span class="label">
        <bdi>{entry.label}</bdi>
        {entry.recommended ? (
          <span class="star">
            <span aria-hidden="true">★ </span>
            {words.recommended}
          </span>
        ) : null}
      </span>
      {entry.description === "" ? null : (
        <span class="description" dir="auto">
          {entry.description}
        </span>
      )}
      {entry.reason === "" ? null : (
        <span class="reason" dir="auto">
          {entry.reason}
        </span>
      )}
    </span>
  );
}

/** Why the recommended one is recommended. */
function Why({ part, id }: { part: ChoicePart; id: string }) {
  if (part.why === "") return null;
  return (
    <p class="why" id={`${id}-why`}>
      <span class="star" aria-hidden="true">
        ★
      </span>
      <span dir="auto">{part.why}</span>
    </p>
  );
}

/** Who answered what, and what went with the last pick. */
function Answered({ part, unsent }: { part: ChoicePart; unsent: boolean }) {
  const { words } = usePage();
  return (
    <>
      {unsent ? <p class="answered unsent">{words.unsent}</p> : null}
      {part.answer !== "" && !unsent ? (
        <p class="answered" dir="auto">
          {part.answer}
        </p>
      ) : null}
      {part.notes.map((note) => (
        <p key={note} class="note" dir="auto">
          {note}
        </p>
      ))}
    </>
  );
}
