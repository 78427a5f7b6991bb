/** The review of a finished game: a computer is asked about every position, a few at a time. */
import { Reason, type Refusal } from "@brettwerk/client/v1/errors";
import { refusalOf } from "@brettwerk/client/wire";
import { server } from "../../server.svelte";
import type { Answer } from "./chances";

const AT_ONCE = 2;
const MAX_REVIEWS = 8;
/** How often one position is asked about while the server says that it was asked too much, and when to come back. */
const MAX_ATTEMPTS = 30;

export class Review {
  /** The computer's answers, by version. */
  answers = $state.raw<ReadonlyMap<bigint, Answer>>(new Map());
  running = $state(false);
  /** Why it stopped before its end. */
  refusal = $state.raw<Refusal | undefined>();
  readonly #session: string;
  #round = 0;
  /** Functions that end the waiting for a time to ask again. */
  readonly #pauses = new Set<() => void>();

  constructor(session: string) {
    this.#session = session;
  }

  /** Returns what was answered about a version. */
  answer(version: bigint | undefined): Answer | undefined {
    return version === undefined ? undefined : this.answers.get(version);
  }

  /** Asks about all of `versions` that are not known; returns when all is answered, refused or stopped. */
  async run(versions: readonly bigint[], seatToken: string): Promise<void> {
    const round = ++this.#round;
    const left = versions.filter((version) => !this.answers.has(version));
    this.running = true;
    this.refusal = undefined;
    const one = async (): Promise<void> => {
      for (let version = left.shift(); version !== undefined && round === this.#round; version = left.shift()) {
        await this.#answered(version, seatToken, round);
      }
    };
    try {
      await Promise.all(Array.from({ length: AT_ONCE }, one));
    } catch (error) {
      left.length = 0;
      if (round === this.#round) this.refusal = refusalOf(error);
    }
    if (round === this.#round) this.running = false;
  }

  /** Asks no more; what was answered stays. */
  stop(): void {
    this.#round++;
    for (const end of this.#pauses) end();
    this.running = false;
  }

  /** Asks about a version, again where the server says when; a long game has more positions than may be asked about at once. */
  async #answered(version: bigint, seatToken: string, round: number): Promise<void> {
    for (let attempts = 1; round === this.#round; attempts++) {
      try {
        await this.#ask(version, seatToken);
        return;
      } catch (error) {
        const { reason, retryAfterMs } = refusalOf(error);
        if (reason !== Reason.TOO_MANY_REQUESTS || retryAfterMs === 0 || attempts === MAX_ATTEMPTS) throw error;
        await this.#pause(retryAfterMs);
      }
    }
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#pauses.delete(end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      this.#pauses.add(end);
    });
  }

  async #ask(version: bigint, seatToken: string): Promise<void> {
    try {
      const { winChance, hints } = await server.call("getHint", {
        sessionId: this.#session,
        seatToken,
        atVersion: version,
      });
      this.answers = new Map(this.answers).set(version, { version, chance: winChance, hints });
    } catch (error) {
      // Nobody was to act there, so there is nothing to be known.
      if (refusalOf(error).reason !== Reason.GAME_OVER) throw error;
    }
  }
}

const reviews = new Map<string, Review>();

/** Returns the review of a session; those of the last few sessions are kept as long as the page lives. */
export function reviewOf(session: string): Review {
  let review = reviews.get(session);
  if (review === undefined) {
    review = new Review(session);
    reviews.set(session, review);
    const [oldest] = reviews.keys();
    if (reviews.size > MAX_REVIEWS && oldest !== undefined) reviews.delete(oldest);
  }
  return review;
}
