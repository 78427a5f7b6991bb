/** Squares, levels and directions as the contract numbers them, and where they are drawn. */

export const SIZE = 10;
export const SQUARES = SIZE * SIZE;

export const GROUND = 0;
export const AIR = 1;
export const SUB = 2;
/** The levels from the top down, as they lie above one another. */
export const LEVELS: readonly number[] = [AIR, GROUND, SUB];
/** Keys of the levels' words, by number. */
export const LEVEL_KEYS: readonly string[] = ["ground", "air", "sub"];
const SIGNS: readonly string[] = ["", "^", "v"];

/** The eight directions as steps of row and column. */
export const DIRECTIONS: readonly (readonly [number, number])[] = [
  [1, -1],
  [1, 0],
  [1, 1],
  [0, -1],
  [0, 1],
  [-1, -1],
  [-1, 0],
  [-1, 1],
];

/** Returns the square of a place. */
export function squareOf(place: number): number {
  return place % SQUARES;
}

/** Returns the level of a place. */
export function levelOf(place: number): number {
  return Math.floor(place / SQUARES);
}

/** Returns a square by the name that the notation gives it: (3,4). */
export function nameOf(square: number): string {
  return `(${Math.floor(square / SIZE) + 1},${(square % SIZE) + 1})`;
}

/** Returns a place by its name in the notation: ^(3,4). */
export function placeName(place: number): string {
  return `${SIGNS[levelOf(place)] ?? ""}${nameOf(squareOf(place))}`;
}

/** Returns the names of a square's places on all levels, with spaces in between. */
export function spotsOf(square: number): string {
  return LEVELS.map((level) => placeName(level * SQUARES + square)).join(" ");
}

/** Returns the place that a name of the notation means, or undefined. */
export function placeNamed(name: string): number | undefined {
  const found = /^([v^]?)\((\d{1,2}),(\d{1,2})\)$/.exec(name);
  if (found === null) return undefined;
  const [, sign = "", row = "", column = ""] = found;
  const [r, c] = [Number(row), Number(column)];
  if (r < 1 || r > SIZE || c < 1 || c > SIZE) return undefined;
  return SIGNS.indexOf(sign) * SQUARES + (r - 1) * SIZE + c - 1;
}

/** Returns the square one step in a direction, or undefined beyond the edge. */
export function neighbour(square: number, direction: number): number | undefined {
  const [down, right] = DIRECTIONS[direction] ?? [0, 0];
  const row = Math.floor(square / SIZE) + down;
  const column = (square % SIZE) + right;
  return row >= 0 && row < SIZE && column >= 0 && column < SIZE ? row * SIZE + column : undefined;
}

/** Returns the direction from a square to one next to it; -1 for one that is not. */
export function wayTo(square: number, next: number): number {
  return DIRECTIONS.findIndex((_, direction) => neighbour(square, direction) === next);
}

/**
 * Returns where a square is drawn: row and column from the top left.
 *
 * Seen from Black's side row 1 is at the bottom and column 1 at the left; `turned` is the other side's sight.
 */
export function drawnAt(square: number, turned: boolean): { row: number; column: number } {
  const row = Math.floor(square / SIZE);
  const column = square % SIZE;
  return turned ? { row, column: SIZE - 1 - column } : { row: SIZE - 1 - row, column };
}

/** Returns the square that is drawn at a row and column from the top left. */
export function squareAt(row: number, column: number, turned: boolean): number {
  return turned ? row * SIZE + SIZE - 1 - column : (SIZE - 1 - row) * SIZE + column;
}

/** Returns the angle in degrees, clockwise from up, of a direction on the screen. */
export function angleOf(direction: number, turned: boolean): number {
  const [down, right] = DIRECTIONS[direction] ?? [1, 0];
  const angle = (Math.atan2(right, down) * 180) / Math.PI;
  return turned ? angle + 180 : angle;
}
