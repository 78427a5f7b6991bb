/** The updates of a watch, for whoever asks for one after the other. */
import type { Refusal } from "./generated/brettwerk/v1/errors_pb";
import type { Update } from "./generated/brettwerk/v1/sessions_pb";
import { Refused } from "./refused";
import type { Watcher } from "./watch";

export class Updates implements Watcher {
  readonly session: string;
  readonly seatToken: string;
  readonly #waiting: Update[] = [];
  #refused: Refused | undefined;
  #wake: (() => void) | undefined;

  constructor(session: string, seatToken: string) {
    this.session = session;
    this.seatToken = seatToken;
  }

  updated(update: Update): void {
    this.#waiting.push(update);
    this.#wake?.();
  }

  ended(refusal: Refusal): void {
    this.#refused = new Refused(refusal);
    this.#wake?.();
  }

  /** Returns the next update, as soon as there is one. Raises Refused when the watch has ended. */
  async next(): Promise<Update> {
    for (;;) {
      const update = this.#waiting.shift();
      if (update !== undefined) return update;
      if (this.#refused !== undefined) throw this.#refused;
      await new Promise<void>((wake) => (this.#wake = wake));
    }
  }
}
