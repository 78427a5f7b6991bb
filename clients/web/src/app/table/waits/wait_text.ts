/** Waits in words: no finer than anybody can know. */
import type { Key } from "../../text/text.svelte";
import type { WaitStatus } from "./waits.svelte";

type Say = (key: Key, args?: Record<string, string>) => string;

/** Returns the key of what is said of a seat that is to act. */
export function turnKey(status: WaitStatus | undefined): Key {
  if (status === undefined) return "seat.acts";
  return status.state === "thinks" ? "wait.thinks" : "wait.waits";
}

/** Returns a number of things of which only about that many are known: small ones as they are, others with two digits. */
export function roughly(count: number): number {
  if (count <= 20) return count;
  const unit = Math.max(5, 10 ** (Math.floor(Math.log10(count)) - 1));
  return Math.round(count / unit) * unit;
}

/** Returns how long something takes: "about 20 s", in minutes from 90 seconds on and in hours from 90 minutes on. */
export function durationText(ms: number, t: Say): string {
  const seconds = ms / 1000;
  const step = seconds <= 30 ? 5 : 10;
  const rounded = Math.max(1, Math.ceil(seconds / step)) * step;
  if (rounded < 90) return t("wait.seconds", { count: String(rounded) });
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return t("wait.minutes", { count: String(minutes) });
  return t("wait.hours", { count: String(Math.round(minutes / 60)) });
}

/**
 * Returns the state of a computer's move as a sentence.
 *
 * @param seat the name of its seat.
 * @param number returns a number as it is written.
 */
export function waitText(status: WaitStatus, seat: string, t: Say, number: (count: number) => string = String): string {
  const { state, before, waitMs } = status;
  if (state === "none") return t("wait.none");
  if (state === "thinks") return `${seat} ${t("wait.thinks")}`;
  const place = before === 0 ? t("wait.next") : t("wait.before", { count: number(roughly(before)) });
  const facts = waitMs === undefined ? place : `${place}, ${durationText(waitMs, t)}`;
  return `${t("wait.computer", { seat })}: ${facts}`;
}
