/** The watch of what concerns the player at any table: passes all news on once and in order, whatever the connection does. */
import type { Refusal } from "./generated/brettwerk/v1/errors_pb";
import {
  NewsResync_Cause,
  type News,
  type NewsResync,
  type WatchPlayerResponse,
} from "./generated/brettwerk/v1/news_pb";
import type { ConnectResponse } from "./generated/brettwerk/v1/play_pb";
import type { Question } from "./connection";
import type { Followed, Verdict } from "./watch";

/** The recipient of the news. */
export interface NewsWatcher {
  /** The next news. */
  received(news: News): void;
  /** A fresh start, with the kept news that was not delivered yet, oldest first. ListSessions shows the state of the sessions. */
  begun(news: readonly News[], cause: NewsResync_Cause): void;
  /** There was a sign of life. */
  heard?(): void;
  /** The server ended the watch, and trying again would not help. */
  ended(refusal: Refusal): void;
}

export class NewsWatch implements Followed {
  readonly isOfPlayer = true;
  readonly quietMs = 15_000;
  readonly #watcher: NewsWatcher;
  #last: bigint;

  /** @param after the version of the last news that is known; 0 for none. */
  constructor(watcher: NewsWatcher, after = 0n) {
    this.#watcher = watcher;
    this.#last = after;
  }

  get question(): Question {
    return { case: "watchPlayer", value: { afterVersion: this.#last } };
  }

  timeIn({ kind }: ConnectResponse): bigint | undefined {
    return kind.case === "player" && kind.value.kind.case === "heartbeat" ? kind.value.kind.value.atMs : undefined;
  }

  hear({ kind }: ConnectResponse): Verdict | undefined {
    return kind.case === "player" ? this.take(kind.value) : undefined;
  }

  end(refusal: Refusal): void {
    this.#watcher.ended(refusal);
  }

  /** Takes a message. Returns "again" when something is missing, so that the watch must be requested again. */
  take({ kind }: WatchPlayerResponse): Verdict {
    this.#watcher.heard?.();
    if (kind.case === "news") return this.#next(kind.value);
    if (kind.case === "resync") this.#begin(kind.value);
    return "well";
  }

  #next(news: News): Verdict {
    if (news.version <= this.#last) return "well";
    if (news.version > this.#last + 1n) return "again";
    this.#last = news.version;
    this.#watcher.received(news);
    return "well";
  }

  #begin({ news, headVersion, cause }: NewsResync): void {
    // A server that does not know the last version starts counting again.
    const known = cause === NewsResync_Cause.AHEAD ? 0n : this.#last;
    this.#last = headVersion;
    this.#watcher.begun(
      news.filter(({ version }) => version > known),
      cause,
    );
  }
}
