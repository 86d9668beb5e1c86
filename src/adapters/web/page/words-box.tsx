/** A box for words that grows with them. Ctrl+Enter sends, Enter is a new line. */
import type { Ref } from "preact";
import { useId } from "preact/hooks";

/** Beyond this the bot's limit for one request would come into sight. */
const MOST = 30_000;

interface WordsBoxProps {
  label: string;
  value: string;
  input(value: string): void;
  send(): void;
  leave?(): void;
  boxRef?: Ref<HTMLTextAreaElement>;
  /** The label is there for everybody, not only for screen readers. */
  labelled?: boolean;
}

export function WordsBox({ label, value, input, send, leave, boxRef, labelled = false }: WordsBoxProps) {
  const id = useId();
  return (
    <>
      <label for={id} class={labelled ? "box-label" : "unseen"}>
        {label}
      </label>
      <textarea
        id={id}
        ref={boxRef ?? null}
        dir="auto"
        rows={2}
        maxLength={MOST}
        value={value}
        onInput={(event) => input(event.currentTarget.value)}
        onBlur={() => leave?.()}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          send();
        }}
      />
    </>
  );
}
