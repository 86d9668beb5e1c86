/**
 * The gate itself, inside the bot: opens rounds, lets commands wait for them, streams cards, and takes what people do.
 * The asynchronous part of core is this file with the three it is made of: `opening`, `keeper`, `poster`.
 */
import { cards } from "./cards.ts";
import type { Answer } from "./effect.ts";
import { AskgateError } from "./error.ts";
import { type Event, parseButton } from "./event.ts";
import { Frames } from "./frames.ts";
import type * as gates from "./gate.ts";
import { Hearing } from "./hearing.ts";
import { heldRounds } from "./held.ts";
import { Keeper } from "./keeper.ts";
import { openQuestion } from "./opening.ts";
import type { Opening } from "./opening-put.ts";
import { result } from "./outcome.ts";
import type * as ports from "./ports.ts";
import { Poster } from "./poster.ts";
import { refusals, troubles } from "./refused.ts";
import { sessionIdOf } from "./round.ts";
import type { Session } from "./session.ts";
import { summary } from "./summary.ts";
import { inboxOf, isOver, roundOf, unknown, waited } from "./waited.ts";
import { Waiters } from "./waiters.ts";
import { current, fitting } from "./which.ts";
import { words } from "./words.ts";

/** Starts the engine on a store: what was open is open again, what time did meanwhile is caught up on. */
export async function createEngine(parts: ports.EngineParts): Promise<ports.Engine> {
  const engine = new GateEngine(parts);
  await engine.start();
  return engine;
}

class GateEngine implements ports.Engine {
  readonly #parts: ports.EngineParts;
  readonly #opening = new Map<string, Promise<unknown>>();
  /** Sessions that somebody looks at, once for each who does. */
  readonly #watched: { session: string; surface: gates.View["surface"] }[] = [];
  #parted: { keeper: Keeper; poster: Poster; waiters: Waiters; hearing: Hearing } | null = null;

  constructor(parts: ports.EngineParts) {
    this.#parts = parts;
  }

  async start(): Promise<void> {
    const keeper = await Keeper.open(this.#parts, {
      prepare: (session) => this.#parted?.poster.prepare(session) ?? session,
      onChange: (session) => void this.#parted?.poster.bring(session),
    });
    const waiters = new Waiters(this.#parts.clock, keeper);
    const hearing = new Hearing(this.#parts, keeper, (id, event) => this.#take(id, event));
    this.#parted = { keeper, poster: new Poster(this.#parts, keeper), waiters, hearing };
    const away = await this.#hearing.wake();
    for (const surface of this.#parts.surfaces) {
      await surface.start(this.#hearing);
      if (away !== null) await this.#hearing.away({ surface: surface.name, ...away }, () => true);
    }
    void this.#parted.poster.resume([...keeper.known()].filter(({ inChat }) => inChat).map(({ id }) => id));
  }

  get #running() {
    if (this.#parted === null) throw new AskgateError("internal", "the engine has not started");
    return this.#parted;
  }

  get #keeper(): Keeper {
    return this.#running.keeper;
  }

  get #waiters(): Waiters {
    return this.#running.waiters;
  }

  get #hearing(): Hearing {
    return this.#running.hearing;
  }

  async open(request: gates.OpenRequest): Promise<gates.Opened> {
    const given = {
      parts: this.#parts,
      keeper: this.#keeper,
      isWaiting: (id: string) => this.#waiters.has(id),
    };
    const opening = await this.#oneByOne(request.project, () => openQuestion(given, request));
    return this.#opened(opening.kind === "round" ? await this.#posted(opening) : opening, request);
  }

  /** A round that no place would show is over at once; one that some places refused says so. */
  async #posted(opening: Extract<Opening, { kind: "round" }>): Promise<Opening> {
    await this.#parted?.poster.bring(opening.session);
    const { id } = opening.round;
    const session = await this.#session(opening.session.id);
    const refused = refusals(session, id);
    const reasons = refused.map(({ place, reason }) => `${place.surface} ${place.label}: ${reason}`);
    const notes = [...opening.notes, ...reasons];
    const lost = refused.filter(({ fatal }) => fatal).length;
    if (lost === 0 || lost < session.places.length) return { ...opening, session, notes };
    await this.#keeper.take(session.id, { type: "unreachable", round: id, reason: reasons.join("; ") });
    const ended = await this.#session(session.id);
    return { kind: "round", session: ended, round: roundOf(ended, id), attached: opening.attached, notes };
  }

  /** Two commands that ask the same at once must meet: openings of one project happen one by one. */
  #oneByOne<T>(project: string, task: () => Promise<T>): Promise<T> {
    const run = (this.#opening.get(project) ?? Promise.resolve()).then(task, task);
    const settled = run
      .catch(() => {})
      .then(() => {
        if (this.#opening.get(project) === settled) this.#opening.delete(project);
      });
    this.#opening.set(project, settled);
    return run;
  }

  #opened({ session, round, notes, ...opening }: Opening, request: gates.OpenRequest): gates.Opened {
    const ended = opening.kind === "result" || round?.outcome != null;
    const value = opening.kind === "result" ? opening.result : null;
    const shown = session !== null && !ended;
    const page = shown && request.via.includes("web") ? this.#pageOf(session) : [];
    const posts = shown && round !== null ? this.#hearing.links(session, round.id) : [];
    return {
      round: round?.id ?? "",
      session: session?.id ?? "",
      attached: opening.kind === "round" && opening.attached,
      result: session !== null && round?.outcome != null ? result(session, round) : value,
      links: [...posts, ...page],
      notes,
    };
  }

  /** The link to a session's page; there is nothing to open where somebody has it open. */
  #pageOf({ id, locale }: Session): gates.Link[] {
    const link = this.#parts.page?.(id, locale);
    if (link === undefined) return [];
    const isOpen = this.#watched.some(({ session, surface }) => session === id && surface === "web");
    return [isOpen ? { ...link, open: null } : link];
  }

  async wait(id: string, ms: number, past: boolean, signal?: AbortSignal): Promise<gates.Waited> {
    const session = sessionIdOf(id);
    await this.#waiters.until(session, { ms, signal }, (now) => isOver(roundOf(now, id), past));
    return waited(await this.#session(session), id, past);
  }

  async #session(id: string): Promise<Session> {
    const session = await this.#keeper.load(id);
    if (session === undefined) throw unknown(id);
    return session;
  }

  async acknowledge(id: string, carries: gates.Waited["carries"]): Promise<void> {
    const stepped = await this.#keeper.take(id, { type: "acknowledge", ...carries });
    if (!stepped.ok && stepped.code === "not_saved") throw new AskgateError("store_failed", stepped.text);
  }

  async cancel(id: string, elsewhere = false): Promise<void> {
    const by = elsewhere ? { ...this.#parts.local, surface: "terminal" as const } : null;
    const stepped = await this.#keeper.take(sessionIdOf(id), { type: "cancel", round: id, by });
    if (!stepped.ok && stepped.code === "unknown_round") throw unknown(id);
  }

  held(selector: gates.Selector, prefix: string): Promise<gates.Held[]> {
    return heldRounds(this.#keeper, selector, prefix);
  }

  async down(selector: Parameters<gates.Gate["down"]>[0]): Promise<{ session: string } | null> {
    const { since = Number.POSITIVE_INFINITY } = selector;
    const candidates = fitting(this.#keeper.known(), selector);
    const done = candidates.find(({ ended }) => ended?.how === "down" && ended.at > since);
    if (done !== undefined) return { session: done.id };
    const session = this.#meant(candidates);
    if (session === null) return null;
    await this.#keeper.take(session, { type: "down" });
    return { session };
  }

  /** The running session of these that is meant, or null. Throws `usage` where that is not clear. */
  #meant(candidates: ReturnType<typeof fitting>): string | null {
    const choice = current(candidates, (id) => this.#waiters.has(id));
    if (choice.kind !== "several") return choice.kind === "none" ? null : choice.id;
    const help = "Say which one with --session.";
    throw new AskgateError("usage", `several sessions are waited for: ${choice.ids.join(", ")}`, { help });
  }

  async inbox(selector: gates.Selector): Promise<gates.Inbox> {
    const session = this.#meant(fitting(this.#keeper.known(), selector));
    return inboxOf(session === null ? null : await this.#session(session));
  }

  async say(selector: gates.Selector, text: string): Promise<{ session: string } | null> {
    if (text.trim() === "") throw new AskgateError("usage", "there is nothing to say");
    const session = this.#meant(fitting(this.#keeper.known(), selector));
    if (session === null) return null;
    const stepped = await this.#keeper.take(session, { type: "say", text: text.trim() });
    if (!stepped.ok) throw new AskgateError("store_failed", stepped.text || "The note could not be saved.");
    return { session };
  }

  async list(project: string | null): Promise<gates.SessionSummary[]> {
    const mine = [...this.#keeper.known()].filter((known) => project === null || known.project === project);
    const last = mine.sort((a, b) => b.usedAt - a.usedAt).slice(0, 200);
    const sessions = await Promise.all(last.map(({ id }) => this.#keeper.load(id).catch(() => undefined)));
    return sessions.flatMap((session) => (session === undefined ? [] : [summary(session)]));
  }

  async show(id: string): Promise<Record<string, unknown>> {
    const session = await this.#session(id.startsWith("r_") ? sessionIdOf(id) : id);
    const { posts: _posts, tells: _tells, seen: _seen, edits: _edits, ...shown } = session;
    const outcomes = session.rounds.map((round) =>
      result(session, round, round.lateAt === null ? "pending" : "timeout"),
    );
    return { ...summary(session), ...shown, outcomes, troubles: troubles(session) };
  }

  async *watch(id: string, view: gates.View, signal: AbortSignal): AsyncGenerator<gates.Frame> {
    const frames = new Frames((session) =>
      cards(session, {
        place: { surface: view.surface, direct: true },
        limits: view.limits,
        locale: view.locale,
      }),
    );
    const off = this.#keeper.listen(id, (session) => frames.put(session));
    const watcher = { session: id, surface: view.surface };
    this.#watched.push(watcher);
    try {
      frames.put(await this.#session(id));
      yield* frames.read(signal);
    } finally {
      this.#watched.splice(this.#watched.indexOf(watcher), 1);
      off();
    }
  }

  async act(id: string, press: gates.LocalPress): Promise<Answer> {
    const { surface, ...rest } = press;
    const actor = { ...this.#parts.local, kind: "local" as const, inPlace: true };
    return this.#take(id, { ...rest, type: "press", place: { surface, id: "", direct: true }, actor });
  }

  async #take(id: string, event: Event): Promise<Answer> {
    if (event.type === "press") {
      const button = parseButton(event.button);
      const code = button !== null && button.store !== this.#parts.storeId ? "other_store" : "unknown_button";
      const ours = button?.store === this.#parts.storeId && sessionIdOf(button.round) === id;
      if (!ours) return { kind: "word", code, text: words("").unknownButton };
    }
    const stepped = await this.#keeper.take(id, event);
    if (stepped.ok) return stepped.answer;
    if (stepped.code === "duplicate") return { kind: "done" };
    const { code, text, pointers } = stepped;
    return { kind: "word", code, text, ...(pointers === undefined ? {} : { pointers }) };
  }

  figures(): ReturnType<ports.Engine["figures"]> {
    const all = [...this.#keeper.known()];
    return {
      sessions: all.filter(({ ended }) => ended === null).length,
      open: all.reduce((sum, { open }) => sum + open, 0),
      waiting: this.#waiters.count(),
      watching: this.#watched.length,
    };
  }

  async stop(): Promise<void> {
    for (const surface of this.#parts.surfaces) await surface.stop();
    await this.#parted?.hearing.stop();
    await this.#parted?.poster.stop();
    await this.#keeper.stop();
  }
}
