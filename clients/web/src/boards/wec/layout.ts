/** Where what is on a square is drawn within it: pieces from the top level down, as large as so many can be. */
import { levelOf } from "./squares";

/** A box within a square of 100 by 100. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly size: number;
  /** On which side another piece is beside it: what tells of it stands where that is not. */
  readonly side: "left" | "right" | undefined;
}

/** Where the middle of something smaller is, and how large it is. */
export interface Spot {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

/** All that is on a square. */
export interface Layout {
  readonly pieces: readonly Box[];
  readonly articles: readonly Spot[];
  readonly shots: readonly Spot[];
}

const ONE = 76;
const TWO = 62;
const PAIR = 49;
const THREE = 33;
/** Three levels with a piece each step down from side to side: in a column each would be a third smaller. */
const STEPS: readonly Box[] = [
  { x: 2, y: 0, size: 48, side: "left" },
  { x: 50, y: 26, size: 48, side: "right" },
  { x: 2, y: 52, size: 48, side: "left" },
];
/** Four on three levels fill a square by two and two; signs beside them tell the levels. */
const QUARTERS: readonly Box[] = [0, 1, 2, 3].map((at) => ({
  x: 1 + (at % 2) * 49,
  y: 1 + (at >> 1) * 49,
  size: PAIR,
  side: at % 2 === 0 ? "left" : "right",
}));
/** How much is left to the pieces of a square that has a strip at its foot. */
const ABOVE = 0.74;

/** Whether pieces step down from side to side, so that the lower right corner of their square is free. */
export function stepDown(places: readonly number[]): boolean {
  return places.length === STEPS.length && new Set(places.map(levelOf)).size === STEPS.length;
}

/** Returns where all of a square is: the pieces by their places, sorted from the top level down, so many articles and projectiles. */
export function layoutOf(places: readonly number[], articles: number, shots: number): Layout {
  const boxes = boxesOf(places);
  if (places.length === 0) return { pieces: boxes, articles: lying(articles, shots), shots: flying(shots, articles) };
  if (shots > 0 || (articles > 0 && places.length > 2 && !stepDown(places))) {
    const pieces = boxes.map(({ x, y, size, side }) => ({
      x: 50 * (1 - ABOVE) + x * ABOVE,
      y: y * ABOVE,
      size: size * ABOVE,
      side,
    }));
    const strip = rowOf(articles + shots, 87, 26);
    return { pieces, articles: strip.slice(0, articles), shots: strip.slice(articles) };
  }
  // A single piece makes room for what lies at its feet.
  const pieces =
    articles > 0 && boxes.length === 1 ? boxes.map((box) => ({ ...box, x: box.x + 4, y: box.y - 4 })) : boxes;
  const levels = new Set(places.map(levelOf)).size;
  const [first, second] = stepDown(places) ? [62, 88] : levels > 1 ? [14, 86] : [16, 42];
  return { pieces, articles: [first, second].slice(0, articles).map((x) => ({ x, y: 87, scale: 0.82 })), shots: [] };
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
    for (const [at, index] of row.entries()) {
      const side = rows.length === 1 || row.length === 1 ? undefined : at === 0 ? "left" : "right";
      boxes[index] = { x: x + at * step, y: y + at * slant, size, side };
    }
  }
  return boxes;
}

/** Articles on a square where nobody stands: in its middle, or below what flies over it. */
function lying(articles: number, shots: number): Spot[] {
  const [y, scale] = shots > 0 ? [70, 1.2] : [50, 1.45];
  return Array.from({ length: articles }, (_, index) => ({
    x: articles === 1 ? 50 : 27 + index * 46,
    y,
    scale,
  }));
}

/** Projectiles over a square where nobody stands: side by side, as many rows as columns. */
function flying(shots: number, articles: number): Spot[] {
  if (articles > 0) return rowOf(shots, 24, 34);
  const columns = Math.ceil(Math.sqrt(shots));
  const rows = Math.ceil(shots / columns);
  return Array.from({ length: rows }, (_, row) =>
    rowOf(Math.min(columns, shots - row * columns), ((row + 0.5) * 100) / rows, Math.min(46, 100 / columns)),
  ).flat();
}

/** So many in a row, `apart` at most. */
function rowOf(count: number, y: number, apart: number): Spot[] {
  const step = Math.min(apart, 100 / count);
  return Array.from({ length: count }, (_, index) => ({
    x: 50 + (index - (count - 1) / 2) * step,
    y,
    scale: Math.min(1, step / 42),
  }));
}
