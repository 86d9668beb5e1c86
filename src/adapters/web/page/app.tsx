/** The whole page: what is open first, what is over folded below. */
import { useEffect, useRef } from "preact/hooks";
import { headlineOf, layOut, type RoundView } from "../render.ts";
import { Banner, Notices } from "./banner.tsx";
import { PageContext, usePage, usePageState } from "./context.ts";
import { FormDialog } from "./dialog.tsx";
import { Landing, Mark } from "./landing.tsx";
import { withMarks } from "./pending.ts";
import { Round } from "./round.tsx";
import type { PageSession } from "./session.ts";
import { Settled } from "./settled.tsx";
import type { State } from "./state.ts";

export function App({ page }: { page: PageSession }) {
  const state = usePageState(page);
  const rounds = layOut(withMarks(state.cards, [...state.taken, ...state.waiting.map(({ mark }) => mark)]));
  const open = rounds.filter(({ settled }) => !settled);
  const over = rounds.filter(({ settled }) => settled).sort((one, other) => endOf(other) - endOf(one));
  useTitle(open, over);
  useHeading([...open, ...over][0]);
  if (rounds.length === 0) return <Landing words={page.words} kind={landing(state)} />;
  return (
    <PageContext.Provider value={page}>
      <Top rounds={rounds} open={open} />
      <main>
        <Banner state={state} />
        <Notices notices={state.notices.filter(({ round }) => !open.some(({ id }) => id === round))} />
        {open.map((round) => (
          <Round key={round.id} round={round} state={state} />
        ))}
        {open.length === 0 ? <Resting last={over[0]} state={state} /> : null}
        <Earlier rounds={open.length === 0 ? over.slice(1) : over} state={state} />
      </main>
      {state.form ? <FormDialog {...state.form} close={page.closeForm} /> : null}
      <p class="unseen" role="status" aria-live="polite">
        {state.spoken}
      </p>
    </PageContext.Provider>
  );
}

/** When a round ended; the one that ended last comes first. */
const endOf = ({ times }: RoundView): number => Math.max(0, ...times.map(({ at }) => at ?? 0));

const landing = ({ presence }: State) =>
  presence === "barred" ? "closed" : presence === "away" ? "away" : "opening";

/** Where it comes from, and a way to each open round where there are several. */
function Top({ rounds, open }: { rounds: RoundView[]; open: RoundView[] }) {
  const origin = rounds.find(({ title }) => title?.origin)?.title?.origin ?? "";
  return (
    <header class="top">
      <p class="origin">
        <Mark />
        <span dir="auto">{origin || "askgate"}</span>
      </p>
      {open.length > 1 ? (
        <nav>
          {open.map((round) => (
            <a key={round.id} href={`#${round.id}`} dir="auto">
              {headlineOf(round).title}
            </a>
          ))}
        </nav>
      ) : null}
    </header>
  );
}

/** Nothing is open: the end of the last round stands out, and the next one will stand here by itself. */
function Resting({ last, state }: { last: RoundView | undefined; state: State }) {
  const { words } = usePage();
  return (
    <>
      {last === undefined ? null : <Settled key={last.id} round={last} state={state} prominent />}
      <p class="resting">{state.ended ? words.ended : words.restingText}</p>
    </>
  );
}

function Earlier({ rounds, state }: { rounds: RoundView[]; state: State }) {
  const { words } = usePage();
  if (rounds.length === 0) return null;
  return (
    <section class="earlier" aria-label={words.earlier}>
      <h2>{words.earlier}</h2>
      {rounds.map((round) => (
        <Settled key={round.id} round={round} state={state} prominent={false} />
      ))}
    </section>
  );
}

/** The tab's title says what is open. */
function useTitle(open: RoundView[], over: RoundView[]): void {
  const first = open[0];
  const round = first ?? over[0];
  const name = round === undefined ? "" : headlineOf(round).title;
  const more = open.length > 1 ? `(${open.length}) ` : "";
  const title = first === undefined ? `✓ ${name}` : [first.progress?.text, name].filter(Boolean).join(" · ");
  useEffect(() => {
    document.title = name === "" ? "askgate" : `${more}${title} — askgate`;
  }, [more, title, name]);
}

/** When another round, or its end, comes to the top and nobody is writing, it gets the focus, so that reading goes on there. */
function useHeading(round: RoundView | undefined): void {
  const top = round === undefined ? undefined : `${round.id} ${round.settled}`;
  const last = useRef(top);
  useEffect(() => {
    const before = last.current;
    last.current = top;
    if (before === undefined || before === top || document.activeElement !== document.body) return;
    const heading = document.querySelector<HTMLElement>("main h1");
    scrollTo({ top: 0 });
    heading?.focus({ preventScroll: true });
  }, [top]);
}
