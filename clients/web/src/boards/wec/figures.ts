/** Figures of the rules page as grids of signs, the piece `o` in the middle; those of paths are read from the page itself. */
import type { Language } from "../rules_pictures";

export type Grid = readonly (readonly string[])[];

const SIGNS = /^[.o0-9xmab](?: [.o0-9xmab])+$/;

/** Returns the grid that a text of the page draws, or undefined for other texts. */
export function gridIn(text: string): Grid | undefined {
  const lines = text.trimEnd().split("\n");
  if (lines.some((line) => !SIGNS.test(line))) return undefined;
  const rows = lines.map((line) => line.split(" "));
  return rows.every((row) => row.length === rows.length) ? rows : undefined;
}

/** Returns a grid as a left-handed piece has it. */
export function mirrored(grid: Grid): Grid {
  return grid.map((row) => [...row].reverse());
}

/** Whether both hands have the same. */
export function isSymmetrical(grid: Grid): boolean {
  return grid.every((row) => row.join("") === [...row].reverse().join(""));
}

/** Returns grids of one size laid over one another: the lower step stands where two have one. */
export function together(...grids: readonly Grid[]): Grid {
  const [first = []] = grids;
  return first.map((row, y) =>
    row.map((_, x) => {
      const signs = grids.map((grid) => grid[y]?.[x] ?? ".").filter((sign) => sign !== ".");
      return signs.sort()[0] ?? ".";
    }),
  );
}

/** Returns a grid with a sign for each square, by columns to the right and rows forward of the piece. */
export function gridOf(reach: number, sign: (right: number, forward: number) => string): Grid {
  const steps = Array.from({ length: 2 * reach + 1 }, (_, index) => index - reach);
  return steps.map((row) => steps.map((column) => (row === 0 && column === 0 ? "o" : sign(column, -row))));
}

/** Whether a square lies in one of the eight directions. */
const isStraight = (right: number, forward: number): boolean =>
  right === 0 || forward === 0 || Math.abs(right) === Math.abs(forward);

const far = (right: number, forward: number): number => Math.max(Math.abs(right), Math.abs(forward));

/** Returns what is hit in all directions within a range, and what only an option lets be hit. */
export function rays(reach: number, range: number, most: number): Grid {
  return gridOf(reach, (right, forward) => {
    if (!isStraight(right, forward)) return ".";
    return far(right, forward) <= range ? "h" : far(right, forward) <= most ? "l" : ".";
  });
}

/** Returns all squares within a range. */
export function around(reach: number, range: number): Grid {
  return gridOf(reach, (right, forward) => (far(right, forward) <= range ? "s" : "."));
}

/** Returns a projectile's flight straight on, by Turns, to the first piece. */
export function flight(reach: number): Grid {
  return gridOf(reach, (right, forward) => {
    if (right !== 0 || forward < 1) return ".";
    return forward === reach ? "E" : String(forward);
  });
}

const MEANING: Readonly<Record<string, { readonly en: string; readonly de: string }>> = {
  m: { en: "moves to", de: "zieht nach" },
  x: { en: "jumps to", de: "springt nach" },
  a: { en: "takes on", de: "schlägt auf" },
  b: { en: "moves to and takes on", de: "zieht nach und schlägt auf" },
  h: { en: "hits", de: "trifft" },
  l: { en: "hits by option", de: "trifft nach Option" },
  s: { en: "within range", de: "in Reichweite" },
  e: { en: "enemy on", de: "Gegner auf" },
  E: { en: "explodes on", de: "explodiert auf" },
};

/** Returns in words which squares are marked: columns to the right and rows forward of the piece. */
export function placesIn(grid: Grid, language: Language): string {
  const middle = (grid.length - 1) / 2;
  const found = new Map<string, string[]>();
  for (const [y, row] of grid.entries()) {
    for (const [x, sign] of row.entries()) {
      if (sign !== "." && sign !== "o") found.set(sign, [...(found.get(sign) ?? []), `(${x - middle}, ${middle - y})`]);
    }
  }
  const step = { en: "step", de: "Schritt" }[language];
  const head = { en: "Columns to the right and rows forward", de: "Spalten nach rechts und Reihen vorwärts" }[language];
  const parts = [...found]
    .sort()
    .map(([sign, at]) => `${MEANING[sign]?.[language] ?? `${step} ${sign}`} ${at.join(" ")}`);
  return `${head}: ${parts.join("; ")}`;
}
