/** Where the places of a board are drawn: every board names them in its drawing (`data-place`; `data-spot` where their marks belong, if elsewhere). */

/** A point of the drawing in which marks are shown. */
export interface Spot {
  readonly x: number;
  readonly y: number;
  /** How large the place is there. */
  readonly size: number;
}

/** Returns the middle of a place, seen from a corner; undefined where it is not drawn. */
export function spotOf(board: Element, place: string, corner: DOMRect): Spot | undefined {
  const name = CSS.escape(place);
  const drawn = board.querySelector(`[data-spot~="${name}"]`) ?? board.querySelector(`[data-place="${name}"]`);
  const box = drawn?.getBoundingClientRect();
  if (box === undefined || box.width === 0) return undefined;
  const size = Math.min(box.width, box.height);
  return { x: box.x + box.width / 2 - corner.x, y: box.y + box.height / 2 - corner.y, size };
}

/** Returns the place at a point of the window; undefined where there is none. */
export function placeAt(board: Element, x: number, y: number): string | undefined {
  for (const element of document.elementsFromPoint(x, y)) {
    const place = board.contains(element) ? element.closest<HTMLElement | SVGElement>("[data-place]") : null;
    if (place) return place.dataset["place"];
  }
  return undefined;
}

/** Returns the path of an arrow between two places, from the edge of one almost to the middle of the other. */
export function arrowPath(from: Spot, to: Spot): string {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const [x, y] = [(to.x - from.x) / length, (to.y - from.y) / length];
  const size = Math.max(14, Math.min(from.size, to.size, 70));
  const [begin, end, head] = [Math.min(size * 0.3, length / 3), size * 0.1, Math.min(size * 0.4, length / 2)];
  const [x1, y1] = [from.x + x * begin, from.y + y * begin];
  const [x2, y2] = [to.x - x * end, to.y - y * end];
  const wing = (side: number): string =>
    `${round(x2 - x * head + side * y * head * 0.6)} ${round(y2 - y * head - side * x * head * 0.6)}`;
  return `M${round(x1)} ${round(y1)}L${round(x2)} ${round(y2)}M${wing(-1)}L${round(x2)} ${round(y2)}L${wing(1)}`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
