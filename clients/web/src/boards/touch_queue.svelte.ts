/** TouchQueue while it is not known what can be done: no touch of a player is lost. */
import { untrack } from "svelte";

/** A player who touches more than this while nothing happens does not mean each touch. */
const MAX_WAITING = 8;

/** How things stand. */
interface Now {
  /** Whether it is not known what can be done: an action is on its way, or the rest of the list. */
  readonly waits: boolean;
  /** Whether nothing can be done any more. */
  readonly over: boolean;
}

/** The touches made meanwhile; they are done in their order as soon as that is known. To be made where a component begins. */
export class TouchQueue {
  #waiting: (() => void)[] = [];

  constructor(now: () => Now) {
    $effect(() => {
      const { waits, over } = now();
      if (waits) return;
      if (over) this.forget();
      untrack(() => {
        while (this.#waiting.length > 0 && !now().waits) this.#waiting.shift()?.();
      });
    });
  }

  later(touch: () => void): void {
    if (this.#waiting.length < MAX_WAITING) this.#waiting.push(touch);
  }

  forget(): void {
    this.#waiting = [];
  }
}
