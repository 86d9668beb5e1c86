/**
 * One person at the terminal of the command that waits: draws the cards that the bot streams, sends back what is typed.
 * It knows no rules; whether something counts, the gate says.
 */
import { randomUUID } from "node:crypto";
import type { Field, Form } from "../../core/effect.ts";
import type { Gate } from "../../core/gate.ts";
import { Board } from "./board.ts";
import { newsOf } from "./news.ts";
import { type Intent, parseLine } from "./parse.ts";
import { choiceOf, nextOpen, type Picture, sameAnswers } from "./picture.ts";
import * as draw from "./render.ts";
import type { Look } from "./text.ts";
import { type Input, type Output, Teletype } from "./wire.ts";
import { type Words, words } from "./words.ts";

/** How long a press waits for the change that it made; one that changes nothing brings none. */
const ECHO_MS = 300;

export interface Part {
  gate: Pick<Gate, "watch" | "act">;
  session: string;
  /** The round that the command waits for; others of the session belong to their own commands. */
  round: string;
  locale: string;
  input: Input;
  output: Output;
  /** The command's wait is over. */
  signal: AbortSignal;
}

/** Resolves when the round is settled, the signal aborts, or the person leaves. */
export async function takePart(part: Part): Promise<void> {
  const sitting = new Sitting(part);
  try {
    await Promise.race([sitting.follow(), sitting.talk()]);
  } finally {
    sitting.end();
  }
}

type Press = Extract<Intent, { kind: "press" }>;

class Sitting {
  private readonly part: Part;
  private readonly tty: Teletype;
  private readonly board: Board;
  private readonly over = new AbortController();
  private readonly say: Words;
  /** The decision that is drawn; null: the summary, or cards without decisions. */
  private at: string | null = null;
  /** Calls off the line that is being asked for; null while none is. */
  private standing: AbortController | null = null;

  constructor(part: Part) {
    this.part = part;
    this.say = words(part.locale);
    this.tty = new Teletype(part.input, part.output);
    this.board = new Board(part.round, (before, after) => this.notice(before, after));
    part.signal.addEventListener("abort", () => this.end(), { once: true });
    if (part.signal.aborted) this.end();
  }

  end(): void {
    this.over.abort();
    this.standing?.abort();
    this.tty.close();
    this.board.release();
  }

  follow(): Promise<void> {
    return this.board.follow(this.part, this.over.signal);
  }

  async talk(): Promise<void> {
    const picture = await this.firstPicture();
    if (picture === null) return;
    const blocks = picture.blocks.flatMap((block) => draw.drawBlock(block, this.look));
    this.tty.print([...draw.drawHead(picture, this.look), ...blocks]);
    this.at = nextOpen(picture, null)?.target ?? null;
    for (let next = "draw"; next !== "leave" && !this.over.signal.aborted; ) {
      if (next === "draw") this.draw();
      next = await this.turn();
    }
  }

  private async firstPicture(): Promise<Picture | null> {
    while (this.board.picture === null && !this.over.signal.aborted)
      await this.board.change(Number.POSITIVE_INFINITY);
    return this.board.picture;
  }

  private get look(): Look {
    return { columns: this.tty.columns, colour: this.tty.colour, locale: this.part.locale };
  }

  private draw(): void {
    const { picture } = this.board;
    if (picture === null) return;
    const choice = choiceOf(picture, this.at);
    if (choice !== undefined) this.tty.print(draw.drawChoice(choice, picture, this.look));
    else if (picture.choices.length > 0) this.tty.print(draw.drawSummary(picture, this.look));
    else this.tty.print(draw.drawControls(picture, this.look));
  }

  /** One line of the person, and what comes of it. */
  private async turn(): Promise<"draw" | "ask" | "leave"> {
    const typed = await this.ask("  > ");
    const { picture } = this.board;
    if (typed === "off" || picture === null) return this.goOn();
    if (typed === "end") return this.leave();
    return this.obey(this.understand(typed, picture), picture);
  }

  /** Only words may have several lines; of anything else the first one counts. */
  private understand(typed: string[], picture: Picture): Intent {
    const where = { picture, at: this.at, locale: this.part.locale };
    const first = parseLine({ ...where, line: typed[0] ?? "" });
    const hasWords = first.kind === "press" && first.words !== null;
    return hasWords ? parseLine({ ...where, line: typed.join("\n") }) : first;
  }

  private async obey(intent: Intent, picture: Picture): Promise<"draw" | "ask" | "leave"> {
    switch (intent.kind) {
      case "leave":
        return this.leave();
      case "help":
        this.tty.print(draw.drawHelp(picture, this.look));
        return "ask";
      case "unclear":
        return this.word(intent.text);
      case "go":
        this.at = intent.to;
        return "draw";
      case "next":
        return this.goOn();
      case "show": {
        const block = picture.blocks.find(({ number }) => number === intent.block);
        this.tty.print(block === undefined ? [] : draw.drawBlock(block, this.look));
        return "ask";
      }
      case "fill":
        return (await this.agree(intent.confirm)) ? this.fill(intent.form) : "ask";
      case "press":
        return (await this.agree(intent.confirm)) ? this.press(intent) : "ask";
    }
  }

  private leave(): "leave" {
    this.tty.print(draw.drawWord(this.say.left, this.look));
    return "leave";
  }

  private word(text: string): "ask" {
    this.tty.print(draw.drawWord(text, this.look));
    return "ask";
  }

  /** To the next open decision, or to the summary when there is none. */
  private goOn(): "draw" | "ask" {
    const { picture } = this.board;
    if (picture === null || picture.choices.length === 0) return "ask";
    this.at = nextOpen(picture, this.at)?.target ?? null;
    return "draw";
  }

  private async agree(question: string | null): Promise<boolean> {
    if (question === null) return true;
    this.tty.print(draw.drawWord(question, this.look));
    const typed = await this.ask(`  ${this.say.sure} > `);
    if (Array.isArray(typed) && /^y(es)?$/i.test((typed[0] ?? "").trim())) return true;
    this.word(this.say.nothingSent);
    return false;
  }

  /** Asks for what a form wants, then presses its button with it. */
  private async fill(form: Form): Promise<"draw" | "ask" | "leave"> {
    const values: string[] = [];
    let given: string | null = null;
    for (const field of form.fields) {
      this.tty.print(draw.drawField(form, field, this.look));
      const typed = await this.ask(`  ${field.kind === "text" ? this.say.words : "1 …"} > `);
      if (typed === "off") return this.goOn();
      if (typed === "end") return this.leave();
      const answer = fieldAnswer(field, typed);
      if (answer === null) return this.word(this.say.nothingSent);
      if (field.kind === "text") given = answer;
      else values.push(answer);
    }
    return this.press({ kind: "press", button: form.button, values, words: given, confirm: null });
  }

  private async press({ button, values, words: typed }: Press): Promise<"draw" | "ask" | "leave"> {
    const { gate, session, locale } = this.part;
    const before = this.board.picture;
    const surface = "terminal" as const;
    const press = { id: `t-${randomUUID()}`, surface, button, values, words: typed, locale };
    try {
      const answer = await gate.act(session, press);
      if (answer.kind === "form") return await this.fill(answer.form);
      if (answer.kind === "word") return this.refused(answer.text, typed);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      return this.refused(this.say.notSaved(why), typed);
    }
    if (this.board.picture === before) await this.board.change(ECHO_MS);
    return this.goOn();
  }

  /** The gate did not take it: says why, gives the words back, and asks what is still open. */
  private refused(why: string, typed: string | null): "draw" | "ask" {
    this.word(why);
    if (typed) this.word(`${this.say.yourWords}\n${typed}`);
    const { picture } = this.board;
    if (picture === null || this.at !== null || picture.choices.length === 0) return "ask";
    return this.goOn();
  }

  /** A line of the person, "off" when the question does not stand any more, "end" when no more input comes. */
  private async ask(prompt: string): Promise<string[] | "off" | "end"> {
    if (this.over.signal.aborted) return "off";
    const standing = new AbortController();
    this.standing = standing;
    const reply = await this.tty.ask(prompt, standing.signal);
    this.standing = null;
    if (reply.kind === "lines") return reply.lines;
    return reply.kind === "end" && !this.over.signal.aborted ? "end" : "off";
  }

  /** Says what changed, and calls off a question that is not the same any more. */
  private notice(before: Picture, after: Picture): void {
    if (after.settled || this.over.signal.aborted) return;
    this.tty.print(newsOf(before, after).map((line) => draw.drawNews(line, this.look)));
    const was = choiceOf(before, this.at);
    const is = choiceOf(after, this.at);
    const moved = was === undefined ? !sameAnswers(before, after) : was.answer !== is?.answer;
    if (was !== undefined && is === undefined) this.tty.print(draw.drawWord(this.say.gone, this.look));
    if (moved) this.standing?.abort();
  }
}

/** What was typed for a field; null where something was needed and nothing usable came. */
function fieldAnswer(field: Field, typed: string[]): string | null {
  const text = typed.join("\n").trim();
  if (field.kind === "select") return field.entries[Number(text) - 1]?.value ?? null;
  return text === "" && field.required ? null : text;
}
