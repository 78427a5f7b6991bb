/** The pills with armies: as large at every zoom, and moved apart where they would lie on each other. */
import type { Point } from "./world";

/** A pill's size, in units of the map. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

const ROUNDS = 40;

/**
 * Returns where pills are drawn so that they do not lie on each other, each as near to its place as may be.
 *
 * Pairs that overlap push each other apart along the axis where less is needed, round by round; where there is no room for all,
 * what is left overlaps a little.
 */
export function spread(places: readonly Point[], sizes: readonly Size[]): Point[] {
  const found = places.map(({ x, y }) => ({ x, y }));
  for (let round = 0; round < ROUNDS; round++) {
    let moved = false;
    for (const [i, one] of found.entries()) {
      for (let j = i + 1; j < found.length; j++) {
        const other = found[j];
        const [a, b] = [sizes[i], sizes[j]];
        if (other === undefined || a === undefined || b === undefined) continue;
        const right = (a.width + b.width) / 2 - Math.abs(one.x - other.x);
        const down = (a.height + b.height) / 2 - Math.abs(one.y - other.y);
        if (right <= 0 || down <= 0) continue;
        moved = true;
        if (right < down) {
          const step = ((one.x <= other.x ? 1 : -1) * right) / 2;
          one.x -= step;
          other.x += step;
        } else {
          const step = ((one.y <= other.y ? 1 : -1) * down) / 2;
          one.y -= step;
          other.y += step;
        }
      }
    }
    if (!moved) break;
  }
  return found;
}

/** Returns a number of armies in at most five characters. */
export function short(armies: number): string {
  if (armies < 10_000) return String(armies);
  if (armies < 1_000_000) return `${Math.floor(armies / 1000)}k`;
  return `${Math.floor(armies / 1_000_000)}M`;
}

/** A box by its middle and its size, in units of the map. */
export type Box = Point & Size;
