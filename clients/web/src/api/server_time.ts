/**
 * The server's time as this device can know it, for clocks that must tick alike everywhere.
 *
 * It is counted by a clock that nobody sets: the device's time of day may be wrong, and may be put right in the middle of a turn.
 */

export class ServerTime {
  readonly #elapsed: () => number;
  /** Is told whenever the time turns out to be another. */
  onCorrected: () => void = () => undefined;
  #lead: number | undefined;

  /** @param elapsed returns the milliseconds since some moment. */
  constructor(elapsed: () => number = () => performance.now()) {
    this.#elapsed = elapsed;
  }

  /**
   * Takes note of a server's time that has just arrived, in milliseconds since 1970.
   *
   * The message that was the quickest tells the most: the smallest difference that was ever seen is kept.
   */
  note(serverMs: number): void {
    const lead = this.#elapsed() - serverMs;
    if (this.#lead !== undefined && lead >= this.#lead) return;
    this.#lead = lead;
    this.onCorrected();
  }

  /** The server's time now, in milliseconds since 1970; by the device's own clock before anything was noted. */
  get now(): number {
    return this.#lead === undefined ? Date.now() : Math.round(this.#elapsed() - this.#lead);
  }
}
