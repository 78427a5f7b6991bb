/** Who touches more than this while nothing happens does not mean each touch. */
const MOST = 8;

/** What was touched while it was not known what can be done: it is done in its order once that is known, so no touch is lost. */
export class Touches {
  #waiting: (() => void)[] = [];

  later(touch: () => void): void {
    if (this.#waiting.length < MOST) this.#waiting.push(touch);
  }

  forget(): void {
    this.#waiting = [];
  }

  /** Does what waits, as long as it may go on. */
  make(mayGoOn: () => boolean): void {
    while (this.#waiting.length > 0 && mayGoOn()) this.#waiting.shift()?.();
  }
}
