/** The words of the player's tables and of news about them. */
import { settings } from "../settings.svelte";
import { speaker } from "../text/text.svelte";
import en from "./en.json";

export const say = speaker("news", en);

/** Returns how long ago a moment was, in milliseconds since 1970, as the player's language says it. */
export function ago(ms: number, now: number): string {
  const format = new Intl.RelativeTimeFormat(settings.language, { numeric: "auto" });
  const minutes = Math.max(0, Math.round((now - ms) / 60_000));
  if (minutes < 60) return format.format(-minutes, "minute");
  if (minutes < 48 * 60) return format.format(-Math.round(minutes / 60), "hour");
  return format.format(-Math.round(minutes / 1440), "day");
}
