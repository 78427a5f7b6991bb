/** The clock of a new table: what the form holds, and what is sent to the server. */
import type { MessageInitShape } from "@bufbuild/protobuf";
import { ClockSpec_Kind, type ClockSpecSchema } from "@brettwerk/client/v1/record";

export interface ClockForm {
  readonly kind: "none" | "turn" | "days" | "total" | "bank";
  /** The time of a turn, in seconds, where the players stay at the table. */
  readonly turnSeconds: number;
  /** The time of a turn, in minutes, where they come back to it over days. */
  readonly turnMinutes: number;
  /** The days that a time bank begins with, the hours that each finished turn adds, and up to how many days. */
  readonly bankDays: number;
  readonly bankHours: number;
  readonly bankCapDays: number;
  /** How many days of vacation each seat has, where a slow game has a day or more. */
  readonly vacationDays: number;
  /** Whether vacation begins by itself before time runs out. */
  readonly automaticVacation: boolean;
  /** Whether a time bank that is empty ends no game until an opponent claims that. */
  readonly claims: boolean;
  /** Whether nights and weekends of each player do not count in a slow game. */
  readonly restHours: boolean;
  /** The time of the whole game, in minutes. */
  readonly totalMinutes: number;
  /** The time that each finished turn adds to it, in seconds. */
  readonly incrementSeconds: number;
}

/** The fields that are numbers. */
export type NumberField = {
  [Key in keyof ClockForm]: ClockForm[Key] extends number ? Key : never;
}[keyof ClockForm];

export const NO_CLOCK: ClockForm = {
  kind: "none",
  turnSeconds: 60,
  turnMinutes: 3 * 24 * 60,
  bankDays: 3,
  bankHours: 12,
  bankCapDays: 7,
  vacationDays: 14,
  automaticVacation: true,
  claims: false,
  restHours: false,
  totalMinutes: 5,
  incrementSeconds: 3,
};

/** Minutes as days, hours and minutes. */
interface Span {
  readonly days: number;
  readonly hours: number;
  readonly minutes: number;
}

/** Returns minutes as days, hours and minutes. */
export function spanOf(minutes: number): Span {
  return { days: Math.floor(minutes / 1440), hours: Math.floor(minutes / 60) % 24, minutes: minutes % 60 };
}

/** Returns how many whole minutes a span has, from one minute to thirty days; what is no number counts as nothing. */
export function minutesOf({ days, hours, minutes }: Span): number {
  const whole = (value: number): number => (Number.isFinite(value) ? Math.max(0, Math.round(value)) : 0);
  return Math.min(30 * 1440, Math.max(1, whole(days) * 1440 + whole(hours) * 60 + whole(minutes)));
}

const HOUR_S = 3600;
const DAY_S = 24 * HOUR_S;

function milliseconds(value: number, least: number, most: number): bigint {
  const bounded = Number.isFinite(value) ? Math.min(most, Math.max(least, value)) : least;
  return BigInt(Math.round(bounded * 1000));
}

/** Returns whether games with such a clock last days. */
export function isSlow({ kind, turnMinutes }: ClockForm): boolean {
  return kind === "bank" || (kind === "days" && turnMinutes >= 1440);
}

/** Returns what is said of slow games alone. */
function slowParts(form: ClockForm): MessageInitShape<typeof ClockSpecSchema> {
  const vacationDays = Math.min(60, Math.max(0, Math.round(form.vacationDays || 0)));
  return { vacationDays, automaticVacation: form.automaticVacation && vacationDays > 0, restHours: form.restHours };
}

/** Returns the clock as it is sent to the server, with numbers brought within their bounds; undefined for none. */
export function clockSpec(form: ClockForm): MessageInitShape<typeof ClockSpecSchema> | undefined {
  switch (form.kind) {
    case "none":
      return undefined;
    case "turn":
      return { kind: ClockSpec_Kind.PER_TURN, timeMs: milliseconds(form.turnSeconds, 1, HOUR_S) };
    case "days":
      return {
        kind: ClockSpec_Kind.PER_TURN,
        timeMs: milliseconds(form.turnMinutes * 60, 60, 30 * DAY_S),
        ...(isSlow(form) && slowParts(form)),
      };
    case "bank": {
      const timeMs = milliseconds(form.bankDays * DAY_S, DAY_S, 30 * DAY_S);
      const capMs = milliseconds(form.bankCapDays * DAY_S, Number(timeMs) / 1000, 30 * DAY_S);
      const incrementMs = milliseconds(form.bankHours * HOUR_S, 0, DAY_S);
      return { kind: ClockSpec_Kind.TOTAL, timeMs, incrementMs, capMs, claims: form.claims, ...slowParts(form) };
    }
    case "total":
      return {
        kind: ClockSpec_Kind.TOTAL,
        timeMs: milliseconds(form.totalMinutes * 60, 1, 30 * DAY_S),
        incrementMs: milliseconds(form.incrementSeconds, 0, DAY_S),
      };
  }
}
