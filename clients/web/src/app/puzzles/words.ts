/** The words of puzzles. */
import { settings } from "../settings.svelte";
import { speaker } from "../text/text.svelte";
import en from "./en.json";

export const say = speaker("puzzles", en);

/** Returns a day (2026-11-26) as it is written in the player's language. */
export function dayText(day: string, style: "long" | "medium" = "long"): string {
  return new Intl.DateTimeFormat(settings.language, { dateStyle: style, timeZone: "UTC" }).format(Date.parse(day));
}

/** Returns a share (0 to 1) in percent, so that less than all is never written as all. */
export function percent(share: number): number {
  return share < 1 ? Math.min(99, Math.round(share * 100)) : 100;
}
