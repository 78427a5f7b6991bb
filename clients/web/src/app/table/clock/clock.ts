/** Clocks in words and in time. */
import { ClockSpec_Kind, type ClockSpec } from "@brettwerk/client/v1/record";
import type { ClockState } from "@brettwerk/client/v1/sessions";
import { t } from "../../text/text.svelte";
import { spanText } from "./span";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Returns what is left of a clock now, in milliseconds; `at` and `now` are the server's times of the update and of now. */
export function leftOf(clock: ClockState, at: number, now: number): number {
  const left = Number(clock.leftMs);
  const since = Math.max(at, Number(clock.vacationUntilMs));
  return clock.running ? Math.max(0, left - Math.max(0, now - since)) : left;
}

/** Returns for how long a clock still stands because its player is on vacation, in milliseconds. */
export function standsFor(clock: ClockState, now: number): number {
  return Math.max(0, Number(clock.vacationUntilMs) - now);
}

/** How much time is left when a player is warned, in seconds. */
const WARNINGS_S: readonly number[] = [60, 20, 10];

/** Returns when the warnings to come are due, in milliseconds from now, for a clock that has `left` milliseconds. */
export function warningsFor(left: number): { seconds: number; inMs: number }[] {
  return WARNINGS_S.filter((seconds) => left > seconds * 1000).map((seconds) => ({
    seconds,
    inMs: left - seconds * 1000,
  }));
}

/** Returns how pressing it is: not at all, soon (20 s), or now (10 s). */
export function urgency(left: number): "soon" | "now" | undefined {
  if (left <= 10_000) return "now";
  return left <= 20_000 ? "soon" : undefined;
}

/** Returns a time as players read it: 2 days 3 h, 1:02:03, 4:05, and tenths below ten seconds. */
export function timeText(ms: number): string {
  if (ms >= DAY) return spanText(ms);
  if (ms < 10_000) return (Math.floor(ms / 100) / 10).toFixed(1);
  const seconds = Math.floor(ms / 1000);
  const two = (number: number): string => String(number).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** Returns a time of a clock's settings in short. */
function settingText(ms: number): string {
  if (ms >= HOUR) return spanText(ms);
  return ms >= 60_000 && ms % 60_000 === 0 ? `${ms / 60_000} min` : `${ms / 1000} s`;
}

/** Returns a clock's settings in short (5 min + 3 s, 3 days, 3 days + 12 h ≤ 7 days); empty for none. */
export function clockText(clock: ClockSpec | undefined): string {
  if (clock === undefined || clock.kind === ClockSpec_Kind.UNSPECIFIED) return "";
  const base = settingText(Number(clock.timeMs));
  const full = clock.incrementMs > 0n ? `${base} + ${settingText(Number(clock.incrementMs))}` : base;
  const bound = clock.capMs > 0n ? `${full} ≤ ${settingText(Number(clock.capMs))}` : full;
  const parts = [bound, clock.restHours && t("clock.rest.short"), clock.claims && t("clock.claims.short")];
  return parts.filter((part) => part !== false).join(", ");
}
