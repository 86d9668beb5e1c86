/**
 * Blocks of a plan as HTML: one worker, one block at a time, a second for each. A block that takes longer is shown as
 * source; its worker is ended and the others go on in a new one.
 */
import type { Source } from "./markdown-worker.ts";
import { renderedFrom } from "./wire.ts";

const LIMIT_MS = 1000;

type Done = (html: string | null) => void;

const cache = new Map<string, string | null>();
const queue: { raw: string; done: Done[] }[] = [];
let worker: Worker | null = null;
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
  worker ??= new Worker("/assets/markdown.js", { type: "module" });
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
    }
    done(html);
  };
  const timer = setTimeout(() => finish(null, true), LIMIT_MS);
  running.onmessage = (event) => {
    const rendered = renderedFrom(event);
    if (rendered.id === id) finish(rendered.html, false);
  };
  running.onerror = () => finish(null, true);
  running.postMessage({ id, raw } satisfies Source);
}
