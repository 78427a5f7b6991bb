/** The squares of the board and what is on them, as the contract numbers both. */
import type { EinsteinMoved, EinsteinPosition } from "@brettwerk/client/v1/einstein";

export const SIZE = 5;

/** The names of the squares, A1 to E5, row by row. */
export const SQUARES: readonly string[] = Array.from(
  { length: SIZE * SIZE },
  (_, square) => `${"ABCDE".charAt(square % SIZE)}${Math.floor(square / SIZE) + 1}`,
);

/** A stone on the board. Its seat is 0 for White and 1 for Black. */
export interface Stone {
  readonly seat: number;
  readonly number: number;
  readonly square: number;
}

/** Returns the stones of a position. */
export function stonesOf(position: EinsteinPosition): Stone[] {
  return position.squares.flatMap((code, square) => {
    if (code === 0) return [];
    return [code <= 6 ? { seat: 1, number: code, square } : { seat: 0, number: code - 6, square }];
  });
}

/** Returns the middle of a square in the drawing, where a square is 100 wide. */
export function middle(square: number): { x: number; y: number } {
  return { x: (square % SIZE) * 100 + 50, y: Math.floor(square / SIZE) * 100 + 50 };
}

/** Returns the last move among events, if there is one. */
export function lastMove(events: readonly unknown[]): EinsteinMoved | undefined {
  for (const event of events as readonly { kind?: { case?: string; value?: unknown } }[]) {
    if (event.kind?.case === "moved") return event.kind.value as EinsteinMoved;
  }
  return undefined;
}
