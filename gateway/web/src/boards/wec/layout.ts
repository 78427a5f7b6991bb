/** Where the pieces of a square are drawn within it: one row for each level from the top down, up to two in a row. */
import { levelOf } from "./squares";

/** A box within a square of 100 by 100. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly size: number;
}

const ONE = 76;
const TWO = 62;
const PAIR = 49;
const THREE = 33;

/** Returns the boxes of pieces given by their places, which are sorted from the top level down. */
export function boxesOf(places: readonly number[]): Box[] {
  const rows: number[][] = [];
  for (const [index, place] of places.entries()) {
    const last = rows.at(-1);
    const before = last?.[0];
    if (last !== undefined && before !== undefined && levelOf(places[before] ?? 0) === levelOf(place)) last.push(index);
    else rows.push([index]);
  }
  const widest = Math.max(1, ...rows.map((row) => row.length));
  const size = rows.length > 2 ? THREE : rows.length > 1 ? PAIR : widest > 1 ? TWO : ONE;
  const boxes: Box[] = [];
  for (const [number, row] of rows.entries()) {
    const height = 100 / rows.length;
    const y = rows.length === 1 ? (widest > 1 ? 0 : 6) : number * height + (height - size) / 2;
    // Two on one level of a square that has no more stand aslant, so that each is as large as can be.
    const slant = rows.length === 1 && row.length > 1 ? 100 - size : 0;
    const step = row.length > 1 ? Math.min(size, 100 - size) : 0;
    const x = (100 - size - step) / 2;
    for (const [at, index] of row.entries()) boxes[index] = { x: x + at * step, y: y + at * slant, size };
  }
  return boxes;
}
