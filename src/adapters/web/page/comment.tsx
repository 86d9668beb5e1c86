/** What somebody said on a block or on the whole, and the box in which it is written and changed. */
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Comment } from "../../../core/card.ts";
import { usePage } from "./context.ts";
import { ConfirmDialog } from "./dialog.tsx";
import { WordsBox } from "./words-box.tsx";

export function Comments({ comments, round }: { comments: Comment[]; round: string }) {
  if (comments.length === 0) return null;
  return (
    <ul class="comments">
      {comments.map((comment) => (
        <CommentItem key={comment.id} comment={comment} round={round} />
      ))}
    </ul>
  );
}

function CommentItem({ comment, round }: { comment: Comment; round: string }) {
  const page = usePage();
  const { edit, id } = comment;
  const draft = `${round}/edit/${id}`;
  const [editing, setEditing] = useState(page.drafts.read(draft) !== "");
  const [removing, setRemoving] = useState(false);
  const change = (words: string): void => {
    if (edit !== null) page.press({ button: edit, words, mark: { kind: "edit", round, comment: id, words } });
  };
  if (editing && edit !== null) {
    return (
      <li class="comment">
        <Composer
          draft={draft}
          initial={comment.text}
          label={page.words.edit}
          submit={page.words.save}
          close={() => setEditing(false)}
          save={change}
        />
      </li>
    );
  }
  return (
    <li class="comment" data-unsent={comment.by === ""}>
      <p class="said" dir="auto">
        {comment.text}
      </p>
      <p class="row">
        <span class="by">{comment.by === "" ? page.words.unsent : <bdi>{comment.by}</bdi>}</span>
        {edit === null ? null : (
          <>
            <button type="button" class="quiet" onClick={() => setEditing(true)}>
              {page.words.edit}
            </button>
            <button type="button" class="quiet" onClick={() => setRemoving(true)}>
              {page.words.remove}
            </button>
          </>
        )}
      </p>
      {removing ? (
        <ConfirmDialog
          text={comment.text}
          decline={page.words.back}
          action={page.words.remove}
          act={() => {
            page.drafts.drop(draft);
            change("");
          }}
          close={() => setRemoving(false)}
        />
      ) : null}
    </li>
  );
}

interface ComposerProps {
  draft: string;
  initial: string;
  label: string;
  submit: string;
  save(words: string): void;
  close(): void;
}

/** Closing keeps what was written; discarding does not. */
export function Composer({ draft, initial, label, submit, save, close }: ComposerProps) {
  const page = usePage();
  const [text, setText] = useState(page.drafts.read(draft) || initial);
  const box = useRef<HTMLTextAreaElement>(null);
  const restored = useRef(page.drafts.read(draft) !== "");
  // Before anything is painted: who types at once must not type into nothing.
  useLayoutEffect(() => {
    if (!restored.current) box.current?.focus();
  }, []);
  const send = (): void => {
    if (text.trim() === "") return;
    page.drafts.drop(draft);
    if (text.trim() !== initial.trim()) save(text);
    close();
  };
  const discard = (): void => {
    page.drafts.drop(draft);
    close();
  };
  return (
    <div class="composer">
      <WordsBox
        boxRef={box}
        label={label}
        value={text}
        input={(value) => {
          setText(value);
          page.drafts.write(draft, value);
        }}
        send={send}
      />
      <p class="row">
        <button type="button" class="small" onClick={send} disabled={text.trim() === ""}>
          {submit}
        </button>
        <button type="button" class="quiet" onClick={discard}>
          {text === initial ? page.words.close : page.words.discard}
        </button>
      </p>
    </div>
  );
}
