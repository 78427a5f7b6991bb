/** Spans of days and hours in words. */
import { t } from "../../text/text.svelte";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Returns a span of time by its two largest parts, down to minutes: 2 days 3 h. What is shorter than a minute counts as one. */
export function spanText(ms: number): string {
  const rounded = Math.max(MINUTE, ms);
  const [days, hours, minutes] = [
    Math.floor(rounded / DAY),
    Math.floor(rounded / HOUR) % 24,
    Math.floor(rounded / MINUTE) % 60,
  ];
  const parts = [
    days > 0 ? t("span.days", { count: days }) : "",
    hours > 0 ? t("span.hours", { count: hours }) : "",
    minutes > 0 && days === 0 ? t("span.minutes", { count: minutes }) : "",
  ];
  return parts.filter((part) => part !== "").join(" ");
}
