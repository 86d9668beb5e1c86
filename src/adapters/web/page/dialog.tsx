/** What is asked before something is done: is that sure, or the words that go with it. */
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Field, Form } from "../../../core/effect.ts";
import { usePage } from "./context.ts";
import type { Mark } from "./state.ts";
import { WordsBox } from "./words-box.tsx";

function Dialog({ label, close, children }: { label: string; close(): void; children: ComponentChildren }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const shown = dialog.current;
    const opener = document.activeElement;
    shown?.showModal();
    return () => {
      shown?.close();
      if (opener instanceof HTMLElement) opener.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
    >
      {children}
    </dialog>
  );
}

interface ConfirmProps {
  text: string;
  decline: string;
  action: string;
  act(): void;
  close(): void;
}

export function ConfirmDialog({ text, decline, action, act, close }: ConfirmProps) {
  const confirm = (): void => {
    act();
    close();
  };
  return (
    <Dialog label={action} close={close}>
      <p class="asked" dir="auto">
        {text}
      </p>
      <p class="row">
        <button type="button" class="danger" onClick={confirm}>
          {action}
        </button>
        <button type="button" onClick={close}>
          {decline}
        </button>
      </p>
    </Dialog>
  );
}

/** A form of the bot. Its first text is the words, its first select the value; what is typed stays until it is sent. */
export function FormDialog({ form, mark, close }: { form: Form; mark: Mark; close(): void }) {
  const page = usePage();
  const draft = `${mark.round}/form/${"verb" in mark ? mark.verb : mark.kind}`;
  const given = form.fields.find((field) => field.kind === "text");
  const [text, setText] = useState(page.drafts.read(draft) || (given?.value ?? ""));
  const [value, setValue] = useState(firstEntry(form.fields));
  const missing = given?.required === true && text.trim() === "";
  const send = (): void => {
    if (missing) return;
    page.drafts.drop(draft);
    page.press({
      button: form.button,
      values: value === null ? [] : [value],
      words: given ? text : null,
      mark,
    });
    close();
  };
  return (
    <Dialog label={form.title} close={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <h2 dir="auto">{form.title}</h2>
        {form.fields.map((field) =>
          field.kind === "text" ? (
            <WordsBox
              key={field.label}
              label={field.label}
              labelled
              value={text}
              input={(words) => {
                setText(words);
                page.drafts.write(draft, words);
              }}
              send={send}
            />
          ) : (
            <label key={field.label} class="box-label">
              {field.label}
              <select value={value ?? ""} onChange={(event) => setValue(event.currentTarget.value)}>
                {field.entries.map((entry) => (
                  <option key={entry.value} value={entry.value}>
                    {entry.label}
                  </option>
                ))}
              </select>
            </label>
          ),
        )}
        <p class="row">
          <button type="submit" class="primary" disabled={missing}>
            {form.submit}
          </button>
          <button type="button" onClick={close}>
            {page.words.close}
          </button>
        </p>
      </form>
    </Dialog>
  );
}

function firstEntry(fields: Field[]): string | null {
  const select = fields.find((field) => field.kind === "select");
  return select?.entries[0]?.value ?? null;
}
