/** The two rules that people stumble over, as little boards: columns across, rows down, from 0. */
import type { Army } from "./armies";

/** A place on a little board. */
export type Place = readonly [column: number, row: number];

export interface Example {
  readonly id: string;
  readonly columns: number;
  readonly rows: number;
  readonly armies: readonly (Pick<Army, "seat" | "kind"> & { readonly at: Place })[];
  /** The army that moves (its number in `armies`), and its ways, shown one after the other. */
  readonly moves: number;
  readonly ways: readonly (readonly Place[])[];
  /** Places that it cannot take, whatever the way. */
  readonly not: readonly Place[];
}

export const EXAMPLES: readonly Example[] = [
  {
    id: "two",
    columns: 5,
    rows: 4,
    armies: [
      { seat: 0, kind: 1, at: [1, 2] },
      { seat: 1, kind: 1, at: [2, 1] },
      { seat: 1, kind: 3, at: [3, 2] },
      { seat: 1, kind: 1, at: [0, 2] },
    ],
    moves: 0,
    ways: [
      [
        [1, 2],
        [2, 2],
        [2, 1],
      ],
      [
        [1, 2],
        [1, 1],
        [2, 1],
      ],
    ],
    not: [
      [3, 2],
      [0, 2],
    ],
  },
  {
    id: "four",
    columns: 5,
    rows: 4,
    armies: [
      { seat: 0, kind: 2, at: [0, 2] },
      { seat: 0, kind: 1, at: [1, 2] },
      { seat: 1, kind: 3, at: [2, 1] },
    ],
    moves: 0,
    ways: [
      [
        [0, 2],
        [1, 2],
        [2, 2],
        [3, 2],
        [4, 2],
      ],
      [
        [0, 2],
        [1, 2],
        [2, 2],
        [2, 1],
      ],
    ],
    not: [[2, 2]],
  },
];
