/** Rankings with the levels of computers in their places, and the weeks they are of. */
import type { Leader, LevelRating } from "@brettwerk/client/v1/profiles";

/** A line of a ranking: somebody, or what a computer's level is worth. */
export type Line =
  { readonly kind: "player"; readonly leader: Leader } | { readonly kind: "level"; readonly level: LevelRating };

/**
 * Returns a ranking with the levels between those who are stronger and those who are weaker. Whose rating is provisional stands
 * behind them all. While further pages may bring ranks, levels below the last one wait.
 */
export function withLevels(leaders: readonly Leader[], levels: readonly LevelRating[], hasMore: boolean): Line[] {
  const ranked = leaders.filter(({ rank }) => rank > 0);
  const provisional = leaders.filter(({ rank }) => rank === 0);
  const isOpen = hasMore && provisional.length === 0;
  const shown = levels.filter(({ rating }) => !isOpen || ranked.some((leader) => leader.rating < rating));
  const rating = (line: Line): number => (line.kind === "player" ? line.leader.rating : line.level.rating);
  const lines: Line[] = [
    ...ranked.map((leader) => ({ kind: "player", leader }) as const),
    ...shown.map((level) => ({ kind: "level", level }) as const),
  ];
  // Sorting keeps the order of equals, so persons stand before a level that is worth the same.
  lines.sort((one, other) => rating(other) - rating(one));
  return [...lines, ...provisional.map((leader) => ({ kind: "player", leader }) as const)];
}

const WEEK_MS = 7 * 24 * 3600 * 1000;

/** Returns a moment of the week that is that many weeks before that of `now`; 0 for all time. */
export function weekOf(period: string, now: number): number {
  if (period === "week") return now;
  return period === "last" ? now - WEEK_MS : 0;
}
