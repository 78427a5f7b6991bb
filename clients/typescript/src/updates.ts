/** The updates of a watch, for whoever asks for one after the other. */
import type { Refusal } from "./generated/brettwerk/v1/errors_pb";
import { Resync_Cause } from "./generated/brettwerk/v1/play_pb";
import type { Update, Update_Field } from "./generated/brettwerk/v1/sessions_pb";
import { AsyncQueue } from "./async_queue";
import type { Arrival, Watcher } from "./watch";

export class Updates implements Watcher {
  readonly session: string;
  readonly seatToken: string;
  readonly leaveOut: readonly Update_Field[];
  /** Whether the seat has changed hands since the watch began. */
  hasLostSeat = false;
  readonly #queue = new AsyncQueue<Update>();

  constructor(session: string, seatToken: string, leaveOut: readonly Update_Field[] = []) {
    this.session = session;
    this.seatToken = seatToken;
    this.leaveOut = leaveOut;
  }

  updated(update: Update, arrival: Arrival): void {
    // A table that settled may deal another seat.
    if (arrival === Resync_Cause.SEAT) this.hasLostSeat = update.viewerSeat === undefined;
    this.#queue.put(update);
  }

  ended(refusal: Refusal): void {
    this.#queue.end(refusal);
  }

  /** Returns the next update, as soon as there is one. Raises Refused when the watch has ended. */
  next(): Promise<Update> {
    return this.#queue.next();
  }
}
