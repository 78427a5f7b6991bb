/**
 * Gathers what comes in quick succession, so that it is taken in one go: computers act up to a hundred times a second, and a page
 * that redraws itself after each of their actions has no time left for a click.
 */

/** The calls of a gathering. */
interface BatchEvents<T> {
  /** Returns for how long what follows is gathered, in milliseconds from when something was taken last. */
  readonly waitMs: () => number;
  /** Takes what has come since, in order; at least one. */
  readonly take: (all: readonly T[]) => void;
}

export class Batches<T> {
  readonly #events: BatchEvents<T>;
  #waiting: T[] = [];
  #takenAt = -Infinity;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(events: BatchEvents<T>) {
    this.#events = events;
  }

  /** Takes an item at once where nothing was taken just before, and later otherwise. */
  add(item: T): void {
    this.#waiting.push(item);
    if (this.#timer !== undefined) return;
    const waitMs = this.#takenAt + this.#events.waitMs() - performance.now();
    if (waitMs <= 0) this.flush();
    else this.#timer = setTimeout(() => this.flush(), waitMs);
  }

  /** Takes at once what waits. */
  flush(): void {
    const all = this.#waiting;
    this.drop();
    if (all.length === 0) return;
    this.#events.take(all);
    this.#takenAt = performance.now();
  }

  /** Forgets what waits. */
  drop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waiting = [];
  }
}
