/**
 * One watch of a session: passes every version on once and in order, whatever the connection does.
 *
 * A version that comes twice is dropped. A gap makes the watch begin again after the last version it has; the server then sends
 * what is missing, or a whole picture (Resync).
 */
import type { Refusal } from "./generated/brettwerk/v1/errors_pb";
import { Resync_Cause, type ComputerWait, type ConnectResponse, type WatchResponse } from "./generated/brettwerk/v1/play_pb";
import type { Update, Update_Field } from "./generated/brettwerk/v1/sessions_pb";
import type { Talk } from "./generated/brettwerk/v1/talk_pb";
import type { WatchedViewing } from "./generated/brettwerk/v1/viewings_pb";
import type { Question } from "./connection";

/** How an update came: as the next version, or as a whole picture after which earlier ones do not matter. */
export type Arrival = "next" | Resync_Cause;

/** The watcher of a session. */
export interface Watcher {
  /** The session. */
  readonly session: string;
  /** The token of the seat whose view is wanted; empty for a spectator's. */
  readonly seatToken: string;
  /** A new version. */
  updated(update: Update, arrival: Arrival): void;
  /** The seats whose persons are connected. Told again with every sign of life. */
  present?(seats: readonly number[]): void;
  /** Which computers' moves are waited for at a version. Told again with every sign of life, always all of them. */
  waiting?(waits: readonly ComputerWait[], version: bigint): void;
  /** How many people watch who do not sit at the table, and the names of those who show theirs. Told with every sign of life. */
  watched?(people: number, names: readonly string[]): void;
  /** The talk at the table; it is only requested if this is present. */
  talked?(talk: Talk): void;
  /** The viewing that the player takes part in (`startViewing`), with what is told of it. */
  readonly viewing?: { readonly id: string; received(message: WatchedViewing): void };
  /** Whether others may see the player's name among those who watch. */
  readonly showName?: boolean;
  /** Whether the player merely looks in, and is not counted at a public table. */
  readonly inPassing?: boolean;
  /** The fields that updates need not have, so that they are smaller. */
  readonly leaveOut?: readonly Update_Field[];
  /** The server ended the watch, and trying again would not help. */
  ended(refusal: Refusal): void;
}

/** The next step after a message. */
export type Verdict = "well" | "again";

/** Something that the connection delivers from a version on, for as long as it is wanted. */
export interface Followed {
  /** Whether only a player can follow it: nobody becomes one for its sake. */
  readonly isOfPlayer: boolean;
  /** How far apart the server's signs of life are, in milliseconds. */
  readonly quietMs: number;
  /** The question to the server, from here on. */
  readonly question: Question;
  /** Returns the server's time in a response that has just been sent; undefined for none. */
  timeIn(response: ConnectResponse): bigint | undefined;
  /** Takes a response; undefined for one that is none of its messages. */
  hear(response: ConnectResponse): Verdict | undefined;
  /** The server ended it, and trying again would not help. */
  end(refusal: Refusal): void;
}

export class Watch implements Followed {
  readonly isOfPlayer = false;
  readonly quietMs = 5000;
  readonly watcher: Watcher;
  #last = 0n;
  #lastAt = 0n;
  /** The head that a heartbeat named while this watch was behind it. */
  #missed = 0n;

  constructor(watcher: Watcher) {
    this.watcher = watcher;
  }

  /** The last version that was passed on; 0 before the first. */
  get last(): bigint {
    return this.#last;
  }

  /** When that version was made: a server that lost it makes another of its number. */
  get lastAt(): bigint {
    return this.#lastAt;
  }

  get question(): Question {
    const { session, seatToken } = this.watcher;
    const { showName = false, inPassing = false, leaveOut = [], viewing } = this.watcher;
    const begin = { sessionId: session, seatToken, afterVersion: this.#last, afterAtMs: this.#lastAt };
    const value = {
      ...begin,
      withTalk: this.watcher.talked !== undefined,
      showName,
      inPassing,
      leaveOut: [...leaveOut],
      viewingId: viewing?.id ?? "",
    };
    return { case: "watch", value };
  }

  timeIn({ kind }: ConnectResponse): bigint | undefined {
    const message = kind.case === "watch" ? kind.value.kind : undefined;
    if (message?.case === "heartbeat") return message.value.atMs;
    // The first updates may be old ones.
    return message?.case === "update" && this.#last > 0n ? message.value.atMs : undefined;
  }

  hear({ kind }: ConnectResponse): Verdict | undefined {
    return kind.case === "watch" ? this.take(kind.value) : undefined;
  }

  end(refusal: Refusal): void {
    this.watcher.ended(refusal);
  }

  /** Takes a message. Returns "again" when something is missing, so that the watch must be requested again. */
  take(response: WatchResponse): Verdict {
    const { kind } = response;
    switch (kind.case) {
      case "update":
        return this.#next(kind.value);
      case "resync":
        if (kind.value.update !== undefined) this.#begin(kind.value.update, kind.value.cause);
        return "well";
      case "heartbeat":
        this.watcher.present?.(kind.value.presentSeats);
        this.watcher.waiting?.(kind.value.computerWaits, kind.value.headVersion);
        this.watcher.watched?.(kind.value.watchers, kind.value.watcherNames);
        return this.#compare(kind.value.headVersion);
      case "talk":
        this.watcher.talked?.(kind.value);
        return "well";
      case "viewing":
        this.watcher.viewing?.received(kind.value);
        return "well";
      default:
        return "well";
    }
  }

  #next(update: Update): Verdict {
    if (update.version <= this.#last) return "well";
    if (this.#last > 0n && update.version > this.#last + 1n) return "again";
    this.#pass(update, "next");
    return "well";
  }

  #begin(update: Update, cause: Resync_Cause): void {
    // The same picture again tells nothing new, unless it is the picture of somebody else.
    if (update.version === this.#last && update.atMs === this.#lastAt && cause !== Resync_Cause.SEAT) return;
    this.#pass(update, cause);
  }

  #pass(update: Update, arrival: Arrival): void {
    this.#last = update.version;
    this.#lastAt = update.atMs;
    this.watcher.updated(update, arrival);
  }

  /** A heartbeat may overtake an update that is on its way; only the second one that finds the same hole counts. */
  #compare(head: bigint): Verdict {
    const behind = head > this.#last;
    const twice = behind && this.#missed > this.#last;
    this.#missed = behind && !twice ? head : 0n;
    return twice ? "again" : "well";
  }
}
