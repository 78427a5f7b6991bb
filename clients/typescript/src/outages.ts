/** The waits of a bot that lives on a server: until trouble that may pass by itself is over, for as long as that takes. */
import { backoff, type BackoffRange } from "./backoff";
import { Refused, mayPass } from "./refused";

/**
 * Is told what a bot waits for whenever that changes, and why: sessions and challenges by their ids, `NEWS` and `GAMES`. Nothing at
 * all means that the bot is well.
 */
export type WaitsListener = (waits: ReadonlyMap<string, Refused>) => void;

/** The stream of news. */
export const NEWS = "news";
/** The lists of games and challenges. */
export const GAMES = "games";

export class Outages {
  readonly #pauses: BackoffRange;
  readonly #report: WaitsListener | undefined;
  readonly #waits = new Map<string, Refused>();
  readonly #attempts = new Map<string, number>();

  constructor(pauses: BackoffRange, report: WaitsListener | undefined) {
    this.#pauses = pauses;
    this.#report = report;
  }

  /** Waits before something is tried again at a place. Rejects with what was thrown if that does not pass. */
  async wait(place: string, thrown: unknown): Promise<void> {
    if (!(thrown instanceof Refused) || !mayPass(thrown.refusal)) throw thrown;
    const attempts = this.#attempts.get(place) ?? 0;
    this.#attempts.set(place, attempts + 1);
    if (!this.#waits.has(place)) {
      console.warn(`waiting for ${place}: ${thrown.message}`);
      this.#waits.set(place, thrown);
      this.#tell();
    }
    const pause = backoff(attempts, this.#pauses, () => Math.random());
    await new Promise((resolve) => setTimeout(resolve, Math.max(thrown.refusal.retryAfterMs, pause)));
  }

  /** Notes that a place is well. */
  over(place: string): void {
    this.#attempts.delete(place);
    if (!this.#waits.delete(place)) return;
    console.warn(`${place} is well again`);
    this.#tell();
  }

  #tell(): void {
    this.#report?.(new Map(this.#waits));
  }
}
