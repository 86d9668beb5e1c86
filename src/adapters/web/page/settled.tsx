/** A round that is over: how it ended, with its answers or its plan to unfold. */
import { useState } from "preact/hooks";
import { headlineOf, questionsOf, type RoundView, singleOf } from "../render.ts";
import { Bar } from "./bar.tsx";
import { usePage } from "./context.ts";
import { Plan } from "./plan.tsx";
import { Text, Times } from "./round.tsx";
import type { State } from "./state.ts";

interface SettledProps {
  round: RoundView;
  state: State;
  /** It ended last and nothing is open: its end is what the page shows. */
  prominent: boolean;
}

export function Settled({ round, state, prominent }: SettledProps) {
  const { title } = headlineOf(round);
  if (prominent) {
    return (
      <section class="settled prominent" id={round.id}>
        <h1 tabIndex={-1} dir="auto">
          {title}
        </h1>
        <Times round={round} />
        {round.items.map((item) =>
          item.kind === "text" && item.tone === "quiet" ? <Text key={item.text} part={item} /> : null,
        )}
        <Content round={round} state={state} />
        <Bar round={round} state={state} />
      </section>
    );
  }
  return <Folded round={round} state={state} title={title} />;
}

function Folded({ round, state, title }: { round: RoundView; state: State; title: string }) {
  const [open, setOpen] = useState(false);
  return (
    <details class="settled" id={round.id} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span class="name" dir="auto">
          {title}
        </span>
        <Times round={round} />
      </summary>
      {open ? <Content round={round} state={state} /> : null}
    </details>
  );
}

function Content({ round, state }: { round: RoundView; state: State }) {
  const questions = questionsOf(round);
  return (
    <>
      {questions.length > 0 ? (
        <dl class="answers">
          {questions.map((part) => (
            <div key={part.target}>
              <dt dir="auto" class={singleOf(round) === null ? "" : "unseen"}>
                {part.question}
              </dt>
              <dd dir="auto">{part.answer || "–"}</dd>
            </div>
          ))}
        </dl>
      ) : null}
      {round.blocks.length > 0 ? <Plan round={round} state={state} /> : null}
      <LostWords round={round.id} />
    </>
  );
}

/** What somebody was still writing when it ended. It is not sent, and not thrown away. */
function LostWords({ round }: { round: string }) {
  const page = usePage();
  const [, redraw] = useState(0);
  const drafts = page.drafts.all(`${round}/`);
  if (drafts.length === 0) return null;
  return (
    <ul class="comments lost">
      {drafts.map(({ name, text }) => (
        <li key={name} class="comment" data-unsent="true">
          <p class="said" dir="auto">
            {text}
          </p>
          <p class="row">
            <span class="by">{page.words.unsent}</span>
            <button
              type="button"
              class="quiet"
              onClick={() => {
                page.drafts.drop(name);
                redraw((count) => count + 1);
              }}
            >
              {page.words.discard}
            </button>
          </p>
        </li>
      ))}
    </ul>
  );
}
