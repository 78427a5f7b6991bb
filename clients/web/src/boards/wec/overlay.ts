/**
 * Moving things are drawn over the board, in boxes of their own.
 *
 * When something within a drawing moves, a browser lays the drawing out and paints it again with every frame that it looks at; a box
 * of its own is only put elsewhere.
 */

/** The part of the drawing that is seen. */
export interface Seen {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Returns what is seen through a view box. */
export function seenThrough(viewBox: string): Seen {
  const [left = 0, top = 0, width = 1, height = 1] = viewBox.split(" ").map(Number);
  return { left, top, width, height };
}

/** Returns the style of a box over a square whose upper left corner is there in the drawing. */
export function over({ left, top, width, height }: Seen, x: number, y: number): string {
  const part = (value: number, whole: number): string => `${((value / whole) * 100).toFixed(3)}%`;
  return `left:${part(x - left, width)};top:${part(y - top, height)};width:${part(100, width)};height:${part(100, height)}`;
}
