/** Ratings, their changes and kinds of play in words. */
import type { Game } from "@brettwerk/client/v1/games";
import { PlayKind } from "@brettwerk/client/v1/profiles";
import type { ProfileKey } from "./words";

const whole = (value: number, language: string): string =>
  new Intl.NumberFormat(language, { maximumFractionDigits: 0, useGrouping: false }).format(value);

/** Returns a rating without fractions, which it does not know. */
export function ratingText(rating: number, language: string): string {
  return whole(rating, language);
}

/** Returns a rating with two deviations: the strength is within them with a chance of 95 %. */
export function rangeText(rating: number, deviation: number, language: string): string {
  return `${whole(rating, language)} ± ${whole(2 * deviation, language)}`;
}

/** Returns what was gained or lost with its sign; what comes to nothing has none. */
export function changeText(change: number, language: string): string {
  const sign = Math.round(change) === 0 ? "±" : change > 0 ? "+" : "−";
  return `${sign}${whole(Math.abs(change), language)}`;
}

/** Returns the kinds of play of a game that are rated: by the number of its seats, and apart on other boards than the usual one. */
export function kindsOf(game: Game | undefined): readonly PlayKind[] {
  const isMany = (game?.seats.length ?? 2) > 2;
  const isApart = game?.options.some(({ ratedApart }) => ratedApart) ?? false;
  return [
    PlayKind.TWO,
    ...(isMany ? [PlayKind.MANY] : []),
    ...(isApart ? [PlayKind.APART_TWO] : []),
    ...(isApart && isMany ? [PlayKind.APART_MANY] : []),
  ];
}

/** Returns the key of the name of a kind of play. */
export function kindKey(kind: PlayKind): ProfileKey {
  if (kind === PlayKind.ARENA_TWO) return "kind.arena.two";
  if (kind === PlayKind.ARENA_MANY) return "kind.arena.many";
  if (kind === PlayKind.APART_TWO) return "kind.apart.two";
  if (kind === PlayKind.APART_MANY) return "kind.apart.many";
  return kind === PlayKind.MANY ? "kind.many" : "kind.two";
}
