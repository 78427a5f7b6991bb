/** The updates of a watch, for whoever asks for one after the other. */
import type { Refusal } from "./generated/brettwerk/v1/errors_pb";
import { Resync_Cause } from "./generated/brettwerk/v1/play_pb";
import type { Update, Update_Field } from "./generated/brettwerk/v1/sessions_pb";
import { AsyncQueue } from "./async_queue";
import type { Arrival, Watcher } from "./watch";

export interface Arrived {
  readonly update: Update;
  /** Whether it is a spectator's though nobody has taken the seat: its token has become void. */
  readonly hasVoidToken: boolean;
  /** Whether the seat has changed hands since the watch began. */
  readonly hasLostSeat: boolean;
}

export class Updates implements Watcher {
  readonly session: string;
  readonly seatToken: string;
  readonly leaveOut: readonly Update_Field[];
  readonly #queue = new AsyncQueue<Arrived>();
  #lastAt: bigint | undefined;
  #hasLostSeat = false;

  constructor(session: string, seatToken: string, leaveOut: readonly Update_Field[] = []) {
    this.session = session;
    this.seatToken = seatToken;
    this.leaveOut = leaveOut;
  }

  updated(update: Update, arrival: Arrival): void {
    // Everybody perceives that a seat changes hands, and so something newer than the last update, unless that is told later.
    const isDelayed = (update.session?.spectatorDelay ?? 0) > 0;
    const isNewer = this.#lastAt === undefined || update.atMs > this.#lastAt || isDelayed;
    this.#lastAt = update.atMs;
    const isOfSeat = arrival === Resync_Cause.SEAT;
    // A table that settled may deal another seat.
    if (isOfSeat) this.#hasLostSeat = update.viewerSeat === undefined;
    this.#queue.put({ update, hasVoidToken: isOfSeat && !isNewer, hasLostSeat: this.#hasLostSeat });
  }

  ended(refusal: Refusal): void {
    this.#queue.end(refusal);
  }

  /** Returns the next update, as soon as there is one. Raises Refused when the watch has ended. */
  next(): Promise<Arrived> {
    return this.#queue.next();
  }
}
