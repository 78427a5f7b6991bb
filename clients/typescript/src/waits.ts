/** Waits that end with their client. */
export class Waits {
  readonly #timers = new Set<ReturnType<typeof setTimeout>>();

  /** Returns after so many milliseconds; never when all waits have ended before. */
  after(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#timers.delete(timer);
        resolve();
      }, ms);
      this.#timers.add(timer);
    });
  }

  /** Ends all waits. */
  end(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }
}
