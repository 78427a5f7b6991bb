/** When a bot is asked. */
import type { Update } from "./generated/brettwerk/v1/sessions_pb";

/**
 * Says when a bot is to be asked: once for each update in which it may act, and not for those from before its own action.
 *
 * A server that lost what came after an update shows that again: the bot's own action may be among what was lost.
 */
export class Turns {
  #acted = 0n;
  #seen = 0n;

  /** Returns whether the bot is to choose now. */
  wants(update: Update): boolean {
    if (update.version < this.#seen) this.#acted = 0n;
    this.#seen = update.version;
    return update.actions.length > 0 && update.version >= this.#acted;
  }

  /** Notes the version that the bot's own action has made. */
  acted(version: bigint): void {
    this.#acted = version;
  }
}
