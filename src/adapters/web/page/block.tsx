/** A block of a plan: drawn from its Markdown, with its comments and a box for one more. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { BlockPart } from "../../../core/card.ts";
import { Comments, Composer } from "./comment.tsx";
import { usePage } from "./context.ts";
import { renderMarkdown } from "./markdown.ts";
import { sanitise } from "./sanitise.ts";
import type { State } from "./state.ts";

interface BlockProps {
  part: BlockPart;
  round: string;
  definitions: string;
  state: State;
}

export function Block({ part, round, definitions }: BlockProps) {
  const page = usePage();
  const draft = `${round}/${part.target}/comment`;
  const [writing, setWriting] = useState(page.drafts.read(draft) !== "");
  const opener = useRef<HTMLButtonElement>(null);
  const { comment } = part;
  const close = (): void => {
    setWriting(false);
    opener.current?.focus();
  };
  return (
    <article class="block" id={`${round}-${part.target}`} aria-label={page.words.paragraph(part.number)}>
      <Markdown raw={part.raw} definitions={definitions} />
      {comment === null ? (
        <span class="pilcrow">¶{part.number}</span>
      ) : (
        <button
          ref={opener}
          type="button"
          class="pilcrow"
          aria-label={comment.label}
          title={comment.label}
          aria-expanded={writing}
          data-count={part.comments.length}
          onClick={() => setWriting(true)}
        >
          ¶{part.number}
          <span class="plus" aria-hidden="true">
            +
          </span>
        </button>
      )}
      <Comments comments={part.comments} round={round} />
      {writing && comment !== null ? (
        <Composer
          draft={draft}
          initial=""
          label={comment.label}
          submit={comment.form?.submit ?? page.words.save}
          close={close}
          save={(words) =>
            page.press({
              button: comment.form?.button ?? comment.id,
              words,
              mark: { kind: "comment", round, target: part.target, words },
            })
          }
        />
      ) : null}
    </article>
  );
}

/** Drawn by a worker and sanitised; as source until it is there, and for good where it takes too long. */
function Markdown({ raw, definitions }: { raw: string; definitions: string }) {
  const { words } = usePage();
  const frame = useRef<HTMLDivElement>(null);
  const [look, setLook] = useState<"waiting" | "drawn" | "source">("waiting");
  useEffect(() => {
    let current = true;
    const source = definitions === "" ? raw : `${definitions}\n\n${raw}`;
    renderMarkdown(source, (html) => {
      if (!current) return;
      if (html !== null) frame.current?.replaceChildren(sanitise(html, words));
      setLook(html === null ? "source" : "drawn");
    });
    return () => {
      current = false;
    };
  }, [raw, definitions]);
  return (
    <div class="markdown">
      <div ref={frame} dir="auto" hidden={look !== "drawn"} />
      {look === "drawn" ? null : (
        <div class="source" data-look={look}>
          {look === "source" ? <p class="hint">{words.source}</p> : null}
          <pre>{raw}</pre>
        </div>
      )}
    </div>
  );
}
