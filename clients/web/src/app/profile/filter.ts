/** The search among one's finished games: kept in the page's address, so that it can be gone back to. */
import { GameResult } from "@brettwerk/client/v1/profiles";
import type { RequestOf } from "@brettwerk/client/wire";

export interface Filter {
  readonly game: string;
  /** A part of a name. */
  readonly opponent: string;
  /** A player, or a computer's level: somebody in particular. */
  readonly player: string;
  readonly level: string;
  readonly result: string;
  /** The first and the last day, as 2026-01-31. */
  readonly from: string;
  readonly until: string;
}

export const NOTHING: Filter = { game: "", opponent: "", player: "", level: "", result: "", from: "", until: "" };

export const RESULTS: Readonly<Record<string, GameResult>> = {
  won: GameResult.WON,
  lost: GameResult.LOST,
  drawn: GameResult.DRAWN,
  abandoned: GameResult.ABANDONED,
  unfinished: GameResult.UNFINISHED,
};

const KEYS = ["game", "opponent", "player", "level", "result", "from", "until"] as const;

/** Returns what the part of an address behind its # asks for; what it does not know is left out. */
export function readFilter(hash: string): Filter {
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  return { ...NOTHING, ...Object.fromEntries(KEYS.map((key) => [key, given.get(key) ?? ""])) };
}

/** Returns the address of the games that a filter finds. */
export function addressOf(filter: Partial<Filter>): string {
  const given = KEYS.flatMap((key) => (filter[key] ? [[key, filter[key]]] : []));
  return given.length === 0 ? "/results" : `/results#${new URLSearchParams(given).toString()}`;
}

/** Returns whether a filter leaves anything out. */
export function isNarrow(filter: Filter): boolean {
  return KEYS.some((key) => filter[key] !== "");
}

/** Returns the request of a page of what a filter finds. Days are those of this device. */
export function requestOf(filter: Filter, pageToken: string): RequestOf<"listResults"> {
  return {
    game: filter.game,
    opponent: filter.opponent.trim(),
    opponentId: filter.player,
    level: filter.level,
    result: RESULTS[filter.result] ?? GameResult.UNSPECIFIED,
    fromMs: BigInt(beginOf(filter.from, 0)),
    untilMs: BigInt(beginOf(filter.until, 1)),
    pageToken,
  };
}

/** Returns when the day begins that is that many days after a given one, in milliseconds since 1970; 0 where none is given. */
function beginOf(day: string, after: number): number {
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day);
  if (match === null) return 0;
  const [year, month, date] = match.slice(1).map(Number);
  const begin = new Date(year ?? 0, (month ?? 1) - 1, (date ?? 1) + after).getTime();
  return Number.isNaN(begin) ? 0 : Math.max(0, begin);
}
