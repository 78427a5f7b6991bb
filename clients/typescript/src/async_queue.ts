/** The items that a watch has told, for those who ask for one after the other. */
import type { Refusal } from "./generated/brettwerk/v1/errors_pb";
import { Refused } from "./refused";

export class AsyncQueue<Item> {
  readonly #waiting: Item[] = [];
  #refused: Refused | undefined;
  #wake: (() => void) | undefined;

  /** Keeps something until it is asked for. */
  put(item: Item): void {
    this.#waiting.push(item);
    this.#wake?.();
  }

  /** Tells why nothing comes any more. */
  end(refusal: Refusal): void {
    this.#refused = new Refused(refusal);
    this.#wake?.();
  }

  /** Returns the next one, as soon as there is one. Raises Refused when the watch has ended. */
  async next(): Promise<Item> {
    for (;;) {
      const item = this.#waiting.shift();
      if (item !== undefined) return item;
      if (this.#refused !== undefined) throw this.#refused;
      await new Promise<void>((wake) => (this.#wake = wake));
    }
  }
}
