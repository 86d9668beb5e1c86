/**
 * What goes out to a platform, in one queue per place: one call at a time, what people wait for before bulk, and new posts
 * no faster than the platform likes. The clock is given, so that tests set it.
 */
import type { Clock } from "../../core/ports.ts";

export interface Pace {
  /** New posts that may go out at once in a place … */
  burst: number;
  /** … and how long it takes until one more may. */
  everyMs: number;
}

export interface Job<T> {
  /** Somebody waits for it: goes before what is bulk. */
  urgent: boolean;
  /** A new post, which the pace counts. */
  post: boolean;
  run(): Promise<T>;
}

interface Waiting {
  urgent: boolean;
  post: boolean;
  start(): Promise<void>;
  callOff(): void;
}

export class Outbox<T> {
  readonly #clock: Clock;
  readonly #pace: Pace;
  readonly #calledOff: T;
  readonly #queues = new Map<string, Queue>();
  #stopped = false;

  /** `calledOff`: what becomes of jobs that have not begun when everything stops. */
  constructor(clock: Clock, pace: Pace, calledOff: T) {
    this.#clock = clock;
    this.#pace = pace;
    this.#calledOff = calledOff;
  }

  /** Places of which the pace is not forgotten yet. */
  get places(): number {
    return this.#queues.size;
  }

  send(place: string, job: Job<T>): Promise<T> {
    if (this.#stopped) return Promise.resolve(this.#calledOff);
    const queue = this.#queues.get(place) ?? new Queue(this.#clock, this.#pace);
    this.#queues.set(place, queue);
    return new Promise((resolve, reject) => {
      const start = () => job.run().then(resolve, reject);
      const callOff = () => resolve(this.#calledOff);
      queue.idle = () => this.#queues.delete(place);
      queue.add({ urgent: job.urgent, post: job.post, start, callOff });
    });
  }

  /** What has begun ends; nothing else goes out. */
  stop(): void {
    this.#stopped = true;
    for (const queue of this.#queues.values()) queue.stop();
  }
}

class Queue {
  /** Called when nothing is left and the pace is forgotten. */
  idle = (): void => {};
  readonly #clock: Clock;
  readonly #pace: Pace;
  readonly #urgent: Waiting[] = [];
  readonly #bulk: Waiting[] = [];
  /** Posts that may still go out at once, as of `#countedAt`. */
  #left: number;
  #countedAt: number;
  #busy = false;
  #off = (): void => {};

  constructor(clock: Clock, pace: Pace) {
    this.#clock = clock;
    this.#pace = pace;
    this.#left = pace.burst;
    this.#countedAt = clock.now();
  }

  add(waiting: Waiting): void {
    (waiting.urgent ? this.#urgent : this.#bulk).push(waiting);
    this.#next();
  }

  stop(): void {
    this.#off();
    for (const { callOff } of [...this.#urgent.splice(0), ...this.#bulk.splice(0)]) callOff();
  }

  #next(): void {
    if (this.#busy) return;
    this.#off();
    this.#refill();
    const job = this.#take();
    if (job === undefined) this.#rest();
    else this.#start(job);
  }

  #start(job: Waiting): void {
    if (job.post) this.#left -= 1;
    this.#busy = true;
    void job.start().finally(() => {
      this.#busy = false;
      this.#next();
    });
  }

  /** The first that may go now. */
  #take(): Waiting | undefined {
    for (const list of [this.#urgent, this.#bulk]) {
      const at = list.findIndex(({ post }) => !post || this.#left >= 1);
      if (at !== -1) return list.splice(at, 1)[0];
    }
    return undefined;
  }

  #refill(): void {
    const { burst, everyMs } = this.#pace;
    const now = this.#clock.now();
    this.#left = Math.min(burst, this.#left + (now - this.#countedAt) / everyMs);
    this.#countedAt = now;
  }

  /** Until the next post may go, or until the pace is forgotten. */
  #rest(): void {
    const { burst, everyMs } = this.#pace;
    const waiting = this.#urgent.length + this.#bulk.length > 0;
    const wanted = waiting ? 1 : burst;
    if (this.#left >= wanted) {
      this.idle();
      return;
    }
    const when = this.#clock.now() + Math.ceil((wanted - this.#left) * everyMs);
    this.#off = this.#clock.at(when, () => this.#next());
  }
}
