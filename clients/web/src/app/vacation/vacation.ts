/** Vacation in slow games: until when a seat has it, and how much it has left. */
import type { ClockState } from "@brettwerk/client/v1/sessions";
import { standsFor } from "../table/clock/clock";

const DAY = 86_400_000;

interface Vacation {
  /** Until when the seat is on vacation, in milliseconds since 1970; undefined when it is not. */
  readonly until: number | undefined;
  /** For how many days it can go on vacation from now; of the last one it may get a part. */
  readonly days: number;
}

export interface SeatVacation extends Vacation {
  readonly seat: number;
}

/** Returns a seat's vacation; `now` is the server's time. What remains of one that goes on can be taken again. */
export function vacationOf(clock: ClockState, now: number): Vacation {
  const rest = standsFor(clock, now);
  return {
    until: rest > 0 ? Number(clock.vacationUntilMs) : undefined,
    days: Math.ceil((Number(clock.vacationLeftMs) + rest) / DAY),
  };
}

/** Returns until when the first of some seats to come back is on vacation; undefined when one of them is not. */
export function vacationUntil(vacations: readonly Vacation[]): number | undefined {
  const found = vacations.flatMap(({ until }) => (until === undefined ? [] : [until]));
  return found.length > 0 && found.length === vacations.length ? Math.min(...found) : undefined;
}
