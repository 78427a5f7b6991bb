/** Where the pieces of a square are drawn within it: from the top level down, and as large as so many can be. */
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
/** Three levels with a piece each step down from side to side: in a column each would be a third smaller. */
const STEPS: readonly Box[] = [0, 1, 2].map((step) => ({ x: step % 2 === 0 ? 2 : 50, y: step * 26, size: 48 }));
/** Four on three levels fill a square by two and two; their colours tell the levels. */
const QUARTERS: readonly Box[] = [0, 1, 2, 3].map((at) => ({
  x: 1 + (at % 2) * 49,
  y: 1 + (at >> 1) * 49,
  size: PAIR,
}));

/** Whether pieces step down from side to side, so that the lower right corner of their square is free. */
export function stepDown(places: readonly number[]): boolean {
  return places.length === STEPS.length && new Set(places.map(levelOf)).size === STEPS.length;
}

/** Returns the boxes of pieces given by their places, which are sorted from the top level down. */
export function boxesOf(places: readonly number[]): Box[] {
  const rows: number[][] = [];
  for (const [index, place] of places.entries()) {
    const last = rows.at(-1);
    const before = last?.[0];
    if (last !== undefined && before !== undefined && levelOf(places[before] ?? 0) === levelOf(place)) last.push(index);
    else rows.push([index]);
  }
  if (stepDown(places)) return [...STEPS];
  if (rows.length > 2 && places.length === QUARTERS.length) return [...QUARTERS];
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
