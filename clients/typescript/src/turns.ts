/** When a bot is asked. */
import { Session_State, Update_Field, type Update } from "./generated/brettwerk/v1/sessions_pb";

/**
 * Says when a bot is to be asked: once for each update in which it may act, and not for those from before its own action.
 *
 * A server that lost what came after an update shows that again: the bot's own action may be among what was lost.
 */
export class Turns {
  #acted = 0n;
  #seen = 0n;
  readonly #hasLists: boolean;

  /** Takes the parts that updates lack: without lists of actions it goes by whose turn it is. */
  constructor(leaveOut: readonly Update_Field[] = []) {
    this.#hasLists = !leaveOut.includes(Update_Field.ACTIONS);
  }

  /** Returns whether the bot of this seat is to choose now. */
  wants(update: Update, seat = -1): boolean {
    if (update.version < this.#seen) this.#acted = 0n;
    this.#seen = update.version;
    const isItsTurn = update.session?.state === Session_State.RUNNING && update.toAct.includes(seat);
    return (this.#hasLists ? update.actions.length > 0 : isItsTurn) && update.version >= this.#acted;
  }

  /** Notes the version that the bot's own action has made. */
  acted(version: bigint): void {
    this.#acted = version;
  }
}
