/** Series of tournaments in words. */
import { Series_Points, type Series } from "@brettwerk/client/v1/series";
import { number } from "../text/text.svelte";
import { say } from "./words";

const [DAY, WEEK] = [1, 7];

/** Returns how often there is a tournament, by the days from one to the next. */
function oftenText(everyDays: number): string {
  if (everyDays === DAY) return say("series.daily");
  return everyDays === WEEK ? say("series.weekly") : say("series.days", { days: number(everyDays) });
}

/** Returns how often a series has a tournament, how many there are, and which of them count. */
export function seriesText({ everyDays, count, best }: Pick<Series, "everyDays" | "count" | "best">): string {
  const found = [oftenText(everyDays), say("series.facts", { count: number(count) })];
  if (best > 0 && best < count) found.push(say("series.counting", { best: number(best) }));
  return found.join(" · ");
}

/** Returns what a tournament of a series counts. */
export function countingText(points: Series_Points): string {
  return `${say("series.points")} ${say(points === Series_Points.SUM ? "series.points.1" : "series.points.2")}`;
}
