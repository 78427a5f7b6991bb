/**
 * The moves of computers that are waited for, as a player sees them.
 *
 * The server tells nothing of those that have moved in a moment; what it told is shown a little later still, so that nothing
 * flashes up that is over, and holds until the next version.
 */
import type { ComputerWait } from "@brettwerk/client/v1/play";

/** How long a wait lasts before it is shown, in milliseconds. */
export const MOMENT_MS = 300;
/** The wait that a player may find long, in milliseconds. */
export const LONG_MS = 5000;

/** How the move of one computer stands. */
export interface WaitStatus {
  readonly seat: number;
  /** The computer thinks; it waits for its turn to think; or there is none that could. */
  readonly state: "thinks" | "waits" | "none";
  /** How many moves of others come before. */
  readonly before: number;
  /** In how many milliseconds its turn comes; undefined where that is not known. The server tells when that changes. */
  readonly waitMs: number | undefined;
  /** Whether the wait is a long one, by what the server said or by the time that has passed; once it is, it stays so. */
  readonly long: boolean;
}

interface Seen {
  readonly since: number;
  long: boolean;
}

export class Waiting {
  /** The moves that are waited for, once that takes more than a moment. */
  statuses = $state.raw<readonly WaitStatus[]>([]);
  #waits: readonly ComputerWait[] = [];
  /** The version that the waits are for. */
  #version = 0n;
  /** The newest version that is known. */
  #newest = 0n;
  readonly #seen = new Map<number, Seen>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** The server tells all the waits at a version; those of an earlier version than is known are over. */
  update(waits: readonly ComputerWait[], version: bigint): void {
    if (version < this.#newest) return;
    const now = performance.now();
    this.#waits = waits;
    this.#version = version;
    const seats = new Set(waits.map(({ seat }) => seat));
    for (const seat of this.#seen.keys()) if (!seats.has(seat)) this.#seen.delete(seat);
    for (const seat of seats) if (!this.#seen.has(seat)) this.#seen.set(seat, { since: now, long: false });
    this.#show();
  }

  /** There is a new version: what was waited for before it is over. */
  arrived(version: bigint): void {
    if (version > this.#newest) this.#newest = version;
    if (this.#version < this.#newest) this.#clear();
  }

  /** The session is watched from the start again, from a version that may be an earlier one. */
  begun(version: bigint): void {
    this.#newest = version;
    this.#clear();
  }

  /** Ends all waiting. */
  leave(): void {
    this.#clear();
  }

  #clear(): void {
    clearTimeout(this.#timer);
    this.#waits = [];
    this.#seen.clear();
    if (this.statuses.length > 0) this.statuses = [];
  }

  #show(): void {
    clearTimeout(this.#timer);
    const now = performance.now();
    let next = Infinity;
    const statuses: WaitStatus[] = [];
    for (const wait of this.#waits) {
      const seen = this.#seen.get(wait.seat);
      if (seen === undefined) continue;
      const passed = now - seen.since;
      if (passed < LONG_MS) next = Math.min(next, (passed < MOMENT_MS ? MOMENT_MS : LONG_MS) - passed);
      if (passed >= MOMENT_MS) statuses.push(waitStatus(wait, seen, passed));
    }
    this.statuses = statuses;
    if (next < Infinity) this.#timer = setTimeout(() => this.#show(), next);
  }
}

function waitStatus(wait: ComputerWait, seen: Seen, passed: number): WaitStatus {
  const { seat, before } = wait;
  const state = wait.thinks ? "thinks" : wait.noComputer ? "none" : "waits";
  const waitMs = state === "waits" && wait.waitMs > 0 ? wait.waitMs : undefined;
  seen.long ||= state === "none" || Math.max(waitMs ?? 0, passed) >= LONG_MS;
  return { seat, state, before, waitMs, long: seen.long && state !== "thinks" };
}
