/** Tallies as figures: what is drawn, and what the table behind the drawing says. Pure: words and names are given. */
import type { Tally, TallySheet } from "@brettwerk/client/v1/statistics";

/** One bar: a share (0 to 1) with the half of its error bar, and what it was counted from. */
export interface Bar {
  readonly key: string;
  readonly label: string;
  readonly share: number;
  readonly error: number;
  readonly count: number;
  readonly of: number;
}

export interface Figure {
  readonly kind: string;
  readonly title: string;
  readonly bars: readonly Bar[];
  /** The share that would be no advantage; absent where there is none. */
  readonly even: number | undefined;
  /** Whether the bars are shares of wins; otherwise they are shares of all games. */
  readonly wins: boolean;
}

/** The words for kinds and keys. */
export interface Words {
  readonly title: (kind: string) => string | undefined;
  readonly label: (kind: string, key: string) => string;
}

/** Kinds whose bars are shares of all games, in the order of their keys as numbers. */
const OF_ALL: ReadonlySet<string> = new Set(["length", "end"]);
const ORDER: readonly string[] = ["seat", "level", "against", "continent", "leader", "length", "end"];

/** Returns a share and half of its error bar: Wilson's interval at two standard errors. */
export function wilson(count: number, of: number): { readonly share: number; readonly error: number } {
  if (of === 0) return { share: 0, error: 0 };
  const z2 = 4;
  const share = count / of;
  const middle = (share + z2 / (2 * of)) / (1 + z2 / of);
  const half = (2 * Math.sqrt((share * (1 - share)) / of + z2 / (4 * of * of))) / (1 + z2 / of);
  return { share, error: half + Math.abs(middle - share) };
}

/** Returns how many games a sheet has: all of them, and those that somebody won. */
export function games(sheet: TallySheet): { readonly all: number; readonly decided: number } {
  const all = sheet.tallies.find(({ kind }) => kind === "all");
  return { all: Number(all?.games ?? 0n), decided: Number(all?.wins ?? 0n) };
}

/** Returns the figures of a sheet, in a fixed order; kinds that nobody has a title for are left out. */
export function figures(sheet: TallySheet, words: Words): Figure[] {
  const kinds = [...new Set(sheet.tallies.map(({ kind }) => kind))].filter((kind) => kind !== "all");
  const place = (kind: string): number => (ORDER.includes(kind) ? ORDER.indexOf(kind) : ORDER.length);
  kinds.sort((one, other) => place(one) - place(other) || one.localeCompare(other));
  return kinds.flatMap((kind) => {
    const title = words.title(kind);
    if (title === undefined) return [];
    const tallies = sheet.tallies.filter((tally) => tally.kind === kind).sort(byKey);
    return [figure(kind, title, tallies, sheet, words)];
  });
}

function figure(kind: string, title: string, tallies: readonly Tally[], sheet: TallySheet, words: Words): Figure {
  const { all } = games(sheet);
  const ofAll = OF_ALL.has(kind);
  const bars = tallies.map((tally): Bar => {
    const count = Number(ofAll ? tally.games : tally.wins);
    const of = ofAll ? all : Number(tally.games);
    return { key: tally.key, label: words.label(kind, tally.key), ...wilson(count, of), count, of };
  });
  return { kind, title, bars, even: ofAll || sheet.seats === 0 ? undefined : 1 / sheet.seats, wins: !ofAll };
}

function byKey(one: Tally, other: Tally): number {
  const [a, b] = [Number(one.key), Number(other.key)];
  return one.key !== "" && other.key !== "" && !Number.isNaN(a - b) ? a - b : one.key.localeCompare(other.key);
}

/** Returns a share in percent, with one decimal where that says something. */
export function percent(share: number, language: string): string {
  const digits = share > 0 && share < 0.1 ? 1 : 0;
  return new Intl.NumberFormat(language, {
    style: "percent",
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(share);
}
