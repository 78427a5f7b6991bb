/** The server's time as this device can know it, for clocks that must tick alike everywhere. */

export class ServerTime {
  readonly #now: () => number;
  #lead: number | undefined;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /**
   * Takes note of a server's time that has just arrived, in milliseconds since 1970.
   *
   * The message that was the quickest tells the most: the smallest difference that was ever seen is kept.
   */
  note(serverMs: number): void {
    const lead = this.#now() - serverMs;
    if (this.#lead === undefined || lead < this.#lead) this.#lead = lead;
  }

  /** The server's time now, in milliseconds since 1970; the device's own before anything was noted. */
  get now(): number {
    return this.#now() - (this.#lead ?? 0);
  }
}
