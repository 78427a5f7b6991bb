/** Items that come faster than they are shown: the newest of them, at most once in a while. */
export class Throttle<Item> {
  readonly #everyMs: number;
  readonly #show: (item: Item) => void;
  #waiting: { item: Item } | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(everyMs: number, show: (item: Item) => void) {
    this.#everyMs = everyMs;
    this.#show = show;
  }

  /** Shows an item at once or, soon after another one, later; only the newest of those that wait is shown. */
  take(item: Item): void {
    if (this.#timer !== undefined) {
      this.#waiting = { item };
      return;
    }
    this.#show(item);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      const next = this.#waiting;
      this.#waiting = undefined;
      if (next !== undefined) this.take(next.item);
    }, this.#everyMs);
  }

  /** Shows nothing any more. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = this.#waiting = undefined;
  }
}
