/** All that is followed over one connection: requested again on every socket, and whenever something is missing. */
import type { Refusal } from "./generated/brettwerk/v1/errors_pb";
import type { ConnectResponse } from "./generated/brettwerk/v1/play_pb";
import { refusalIn, type Asker, type Connection } from "./connection";
import type { Followed } from "./watch";

interface Following extends Asker {
  readonly followed: Followed;
}

/** The tasks that followings leave to their client. */
export interface FollowingEvents {
  /** The server has sent its time, in milliseconds since 1970. */
  timeReceived?(atMs: number): void;
  /** Returns when something that was refused may be asked for again; undefined when that would not help. */
  mayAskAgain(refusal: Refusal, followed: Followed): Promise<void> | undefined;
}

export class Followings {
  readonly #connection: Connection;
  readonly #events: FollowingEvents;
  readonly #all = new Set<Following>();

  constructor(connection: Connection, events: FollowingEvents) {
    this.#connection = connection;
    this.#events = events;
  }

  /** Follows something until the returned function is called. */
  follow(followed: Followed): () => void {
    const following: Following = {
      followed,
      quietMs: followed.quietMs,
      heard: (response) => this.#heard(response, following),
    };
    this.#all.add(following);
    this.#ask(following);
    return () => {
      this.#all.delete(following);
      this.#leave(following);
    };
  }

  /** Asks for everything: a new socket is open. */
  askForAll(): void {
    for (const following of this.#all) this.#ask(following);
  }

  /** Ends everything. */
  endAll(refusal: Refusal): void {
    for (const following of this.#all) this.#end(following, refusal);
  }

  #ask(following: Following): void {
    if (this.#connection.state === "open" && this.#all.has(following))
      this.#connection.ask(following.followed.question, following);
  }

  #leave(following: Following): void {
    for (const id of this.#connection.askedBy(following)) {
      this.#connection.forget(id);
      if (this.#connection.state === "open") this.#connection.ask({ case: "unwatch", value: { watchId: id } });
    }
  }

  #end(following: Following, refusal: Refusal): void {
    if (this.#all.delete(following)) following.followed.end(refusal);
  }

  #heard(response: ConnectResponse, following: Following): void {
    const { followed } = following;
    const atMs = followed.timeIn(response);
    if (atMs !== undefined) this.#events.timeReceived?.(Number(atMs));
    const verdict = followed.hear(response);
    if (verdict !== undefined) this.#connection.proved();
    if (verdict === "again") {
      this.#leave(following);
      this.#ask(following);
    }
    const refusal = verdict === undefined ? refusalIn(response) : undefined;
    if (refusal === undefined) return;
    this.#connection.forget(response.id);
    const again = this.#events.mayAskAgain(refusal, followed);
    if (again === undefined) this.#end(following, refusal);
    else
      again.then(
        () => this.#ask(following),
        () => this.#end(following, refusal),
      );
  }
}
