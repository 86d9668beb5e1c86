/** *Other…*: one more entry of a decision, with a box for own words. What is typed stays, whatever else is picked. */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { ChoicePart } from "../../../core/card.ts";
import { isInstant } from "../render.ts";
import { usePage } from "./context.ts";
import { SAID } from "./drafts.ts";
import { WordsBox } from "./words-box.tsx";

interface OwnProps {
  part: ChoicePart;
  round: string;
  /** Somebody has turned to their own words, whatever stands there so far. */
  asked: boolean;
  setAsked(asked: boolean): void;
}

export function OwnWords({ part, round, asked, setAsked }: OwnProps) {
  const page = usePage();
  const draft = `${round}/${part.target}/own`;
  const said = `${draft}${SAID}`;
  const [text, setText] = useState(page.drafts.read(draft) || part.own || page.drafts.read(said));
  const box = useRef<HTMLTextAreaElement>(null);
  const edited = useRef(false);
  const wantsFocus = useRef(false);
  useEffect(() => {
    // Given elsewhere: shown unless somebody is writing here.
    if (part.own !== "" && page.drafts.read(draft) === "") setText(part.own);
  }, [part.own]);
  const shown = asked || text !== "";
  useLayoutEffect(() => {
    if (shown && wantsFocus.current) box.current?.focus();
    wantsFocus.current = false;
  }, [shown]);
  const input = (value: string): void => {
    edited.current = true;
    setText(value);
    page.drafts.write(draft, value);
    if (value === "") page.drafts.drop(said);
  };
  const commit = (): void => {
    edited.current = false;
    if (part.other === null || text.trim() === "" || text.trim() === part.own.trim()) return;
    page.drafts.drop(draft);
    page.drafts.write(said, text);
    const mark = { kind: "own", round, target: part.target, words: text } as const;
    page.press({ button: part.other.form?.button ?? part.other.id, words: text, mark });
  };
  const choose = (byPointer: boolean): void => {
    setAsked(true);
    if (!isInstant(part)) commit();
    wantsFocus.current = byPointer;
    if (byPointer) box.current?.focus();
  };
  const leave = (): void => {
    if (edited.current && !isInstant(part)) commit();
    if (text === "") setAsked(false);
  };
  if (part.other === null) return <ShownWords text={part.own} />;
  return (
    <div class="entry own" data-chosen={part.own !== ""}>
      <Opener part={part} round={round} shown={shown} chosen={part.own !== "" || asked} choose={choose} />
      {shown ? (
        <div class="own-box">
          <WordsBox
            boxRef={box}
            label={page.words.ownLabel}
            value={text}
            input={input}
            send={commit}
            leave={leave}
          />
          {text.trim() !== "" && text.trim() !== part.own.trim() ? (
            <button type="button" class="small" onClick={commit}>
              {isInstant(part) ? (part.other.form?.submit ?? page.words.useWords) : page.words.useWords}
            </button>
          ) : null}
        </div>
      ) : null}
    </div>
  );
}

interface OpenerProps {
  part: ChoicePart;
  round: string;
  /** The box is open. */
  shown: boolean;
  chosen: boolean;
  choose(byPointer: boolean): void;
}

/** A radio like the others; where one press settles everything, a button that opens the box. */
function Opener({ part, round, shown, chosen, choose }: OpenerProps) {
  const label = part.other?.label ?? "";
  if (isInstant(part)) {
    return (
      <button type="button" class="quiet" aria-expanded={shown} onClick={() => choose(true)}>
        {label}
      </button>
    );
  }
  return (
    <label class="own-label">
      <input
        type={part.multi ? "checkbox" : "radio"}
        name={`${round}-${part.target}`}
        checked={chosen}
        onClick={(event) => choose(event.detail > 0)}
      />
      <span class="label">{label}</span>
    </label>
  );
}

const ShownWords = ({ text }: { text: string }) => (
  <div class="entry shown" data-chosen="true">
    <span class="body" dir="auto">
      {text}
    </span>
  </div>
);
