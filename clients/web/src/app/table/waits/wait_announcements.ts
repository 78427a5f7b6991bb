/** The words on waits for those who do not see them: that one begins, and that it is over, but not how it becomes shorter. */
import type { WaitStatus } from "./waits.svelte";

/** For how long the same is not said again, in milliseconds: a turn of many actions may wait before each of them. */
export const SAID_MS = 20_000;

export class WaitAnnouncements {
  #what = "";
  #said = "";
  #saidAt = 0;

  /** Takes how a move stands at a time; undefined when nobody waits. Returns whether that is to be said, or nothing any more. */
  hear(status: WaitStatus | undefined, now: number): "say" | "silence" | "keep" {
    const what = status === undefined ? "" : `${status.seat} ${status.state}`;
    if (what === this.#what) return "keep";
    const waited = this.#what === `${status?.seat ?? ""} waits` || this.#what === `${status?.seat ?? ""} none`;
    this.#what = what;
    // Most waits are over before they could be announced.
    if (status === undefined || (status.state === "thinks" && !waited)) return "silence";
    if (what === this.#said && now - this.#saidAt < SAID_MS) return "silence";
    this.#said = what;
    this.#saidAt = now;
    return "say";
  }
}
