/**
 * Blocks of a plan as HTML: one worker, one block at a time, a second for each. A block that takes longer is shown as
 * source; its worker is ended and the others go on in a new one.
 */
import type { Source } from "./markdown-worker.ts";
import { READY, renderedFrom } from "./wire.ts";

const LIMIT_MS = 1000;
const START_MS = 20_000;

type Done = (html: string | null) => void;

const cache = new Map<string, string | null>();
const queue: { raw: string; done: Done[] }[] = [];
let worker: Worker | null = null;
let isReady = false;
let busy = false;
let count = 0;

/** The HTML of a block, not sanitised; null where it has to be shown as source. Calls back at once when known. */
export function renderMarkdown(raw: string, done: Done): void {
  const known = cache.get(raw);
  const waiting = queue.find((job) => job.raw === raw);
  if (known !== undefined) {
    done(known);
    return;
  }
  if (waiting) waiting.done.push(done);
  else queue.push({ raw, done: [done] });
  next();
}

function next(): void {
  const job = queue[0];
  if (busy || job === undefined) return;
  busy = true;
  run(job.raw, (html) => {
    busy = false;
    queue.shift();
    cache.set(job.raw, html);
    for (const done of job.done) done(html);
    next();
  });
}

function run(raw: string, done: Done): void {
  worker ??= startWorker();
  const running = worker;
  count += 1;
  const id = count;
  const finish = (html: string | null, broken: boolean): void => {
    clearTimeout(timer);
    running.onmessage = null;
    running.onerror = null;
    if (broken) {
      running.terminate();
      worker = null;
      isReady = false;
    }
    done(html);
  };
  /** Its limit begins when the worker has started, which takes long on a busy machine. */
  const begin = (): void => {
    timer = setTimeout(() => finish(null, true), LIMIT_MS);
    running.postMessage({ id, raw } satisfies Source);
  };
  let timer: ReturnType<typeof setTimeout>;
  running.onmessage = (event) => {
    const rendered = renderedFrom(event);
    if (rendered.id === id) finish(rendered.html, false);
    if (rendered.id !== READY) return;
    isReady = true;
    clearTimeout(timer);
    begin();
  };
  running.onerror = () => finish(null, true);
  if (isReady) begin();
  else timer = setTimeout(() => finish(null, true), START_MS);
}

const startWorker = (): Worker => new Worker("/assets/markdown.js", { type: "module" });
