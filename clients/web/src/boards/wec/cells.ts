/** The squares of the big board as they are drawn and spoken, row by row from the top. */
import { stableList } from "./stable_values";
import type { Mark } from "./marks";
import type { Reached } from "./reach.svelte";
import { nameOf, SIZE, squareAt } from "./squares";

/** A square with everything that can change about it. */
export interface Cell {
  readonly square: number;
  readonly name: string;
  /** The corner at the top left, in the units of the drawing. */
  readonly x: number;
  readonly y: number;
  readonly dark: boolean;
  readonly label: string;
  readonly mark: Mark | undefined;
  readonly reached: Reached | undefined;
  /** Whether the pieces that are looked at stand here. */
  readonly looked: boolean;
  /** Whether the focus comes here when it comes to the board. */
  readonly focused: boolean;
}

/** The values that cells are made of. */
export interface Shown {
  readonly labels: readonly string[];
  readonly marks: ReadonlyMap<number, Mark>;
  readonly reach: ReadonlyMap<number, Reached> | undefined;
  readonly looked: number | undefined;
  readonly focused: number;
  readonly turned: boolean;
}

const COUNT = Array.from({ length: SIZE }, (_, index) => index);

/** Returns the cells in their rows; those in which nothing has changed are the objects of before. */
export function rowsOf(shown: Shown, before: readonly (readonly Cell[])[] = []): readonly (readonly Cell[])[] {
  const { labels, marks, reach, looked, focused, turned } = shown;
  const cell = (row: number, column: number): Cell => {
    const square = squareAt(row, column, turned);
    return {
      square,
      name: nameOf(square),
      x: column * 100,
      y: row * 100,
      dark: (Math.floor(square / SIZE) + (square % SIZE)) % 2 === 1,
      label: labels[square] ?? "",
      mark: marks.get(square),
      reached: reach?.get(square),
      looked: square === looked,
      focused: square === focused,
    };
  };
  return COUNT.map((row) =>
    stableList(
      before[row] ?? [],
      COUNT.map((column) => cell(row, column)),
    ),
  );
}
