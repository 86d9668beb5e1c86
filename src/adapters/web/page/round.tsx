/** One open round: what is asked, and the row of buttons that settles it, which stays in reach while one reads. */
import { headlineOf, type RoundView, singleOf, type TextPart, withTime } from "../render.ts";
import { Bar } from "./bar.tsx";
import { Choice } from "./choice.tsx";
import { usePage } from "./context.ts";
import { Plan } from "./plan.tsx";
import type { State } from "./state.ts";

export function Round({ round, state }: { round: RoundView; state: State }) {
  const isSmall = round.progress === null && round.blocks.length === 0;
  const isSingle = singleOf(round) !== null;
  // What explains a single question comes between its words, which are the heading, and its options.
  const items = isSingle ? [...round.items].sort(textFirst) : round.items;
  return (
    <section
      class="round"
      id={round.id}
      aria-labelledby={`${round.id}-title`}
      data-small={isSmall}
      data-single={isSingle}
    >
      <Head round={round} />
      {items.map((item) =>
        item.kind === "text" ? (
          <Text key={item.text} part={item} />
        ) : (
          <Choice key={item.part.target} question={item} round={round.id} state={state} depth={0} />
        ),
      )}
      {round.blocks.length > 0 ? <Plan round={round} state={state} /> : null}
      <Bar round={round} state={state} />
    </section>
  );
}

const textFirst = (one: RoundView["items"][number], other: RoundView["items"][number]): number =>
  Number(one.kind !== "text") - Number(other.kind !== "text");

function Head({ round }: { round: RoundView }) {
  const { people } = round;
  const { title, subtitle } = headlineOf(round);
  return (
    <header class="head">
      <h1 id={`${round.id}-title`} tabIndex={-1} dir="auto">
        {title}
      </h1>
      {subtitle === "" ? null : (
        <p class="subtitle" dir="auto">
          {subtitle}
        </p>
      )}
      <Times round={round} />
      {people.length > 0 ? (
        <ul class="people">
          {people.map(({ name, state }) => (
            <li key={name}>
              <bdi>{name}</bdi> <span>{state}</span>
            </li>
          ))}
        </ul>
      ) : null}
    </header>
  );
}

/** By when, that the agent went on, how it ended. */
export function Times({ round }: { round: RoundView }) {
  const { locale } = usePage();
  return (
    <>
      {round.times.map((time) => (
        <p key={time.text} class={`time ${time.tone}`} dir="auto">
          {withTime(time, Date.now(), locale)}
        </p>
      ))}
    </>
  );
}

export function Text({ part }: { part: TextPart }) {
  if (part.tone === "code") {
    return (
      <pre class="text code" dir="ltr">
        <code>{part.text}</code>
      </pre>
    );
  }
  return (
    <p class={`text ${part.tone}`} dir="auto">
      {part.text}
    </p>
  );
}
