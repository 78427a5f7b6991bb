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

/** A name where it is written; shortened where there is no room for all of it. */
export interface Written extends Box {
  readonly text: string;
}

/** How many letters a shortened name has, from the longest to the shortest. */
const SHORTENED = [8, 6, 4, 3];

/**
 * Returns where names are written: beside their pill, on nothing that is written already where there is such a place. Names that
 * do not fit are shortened. Where even that does not fit, what is left of a name lies on as little as possible, or is undefined
 * where names are not wanted at any price. `widthOf` measures a text, in units of the map.
 */
export function placeNames(
  pills: readonly Box[],
  names: readonly string[],
  widthOf: (text: string) => number,
  height: number,
  atAnyPrice: boolean,
): (Written | undefined)[] {
  const taken: Box[] = [...pills];
  const found: (Written | undefined)[] = pills.map(() => undefined);
  const write = (index: number, text: string, always: boolean): void => {
    const pill = pills[index];
    if (pill === undefined || found[index] !== undefined) return;
    const places = placesBeside(pill, { width: widthOf(text), height }).map((box) => ({
      box,
      lies: covered(box, taken),
    }));
    const free = places.find(({ lies }) => lies === 0);
    const [best] = free ? [free] : always ? places.sort((one, other) => one.lies - other.lies) : [];
    if (best === undefined) return;
    found[index] = { ...best.box, text };
    taken.push(best.box);
  };
  names.forEach((name, index) => write(index, name, false));
  for (const letters of SHORTENED) {
    names.forEach((name, index) => write(index, shortened(name, letters), atAnyPrice && letters === SHORTENED.at(-1)));
  }
  return found;
}

/** Returns a name in at most that many letters and a point. */
function shortened(name: string, letters: number): string {
  return name.length <= letters + 1 ? name : `${name.slice(0, letters).trimEnd()}.`;
}

/** Returns the places beside a pill, the best first: below and above it, then to both sides. */
function placesBeside(pill: Box, { width, height }: Size): Box[] {
  const down = (pill.height + height) / 2;
  const right = (pill.width + width) / 2;
  const aside = Math.abs(pill.width - width) / 2;
  return [
    [0, down],
    [0, -down],
    [right, 0],
    [-right, 0],
    [aside, down],
    [-aside, down],
    [aside, -down],
    [-aside, -down],
    [right, down],
    [-right, down],
    [right, -down],
    [-right, -down],
  ].map(([x = 0, y = 0]) => ({ x: pill.x + x, y: pill.y + y, width, height }));
}

/** Returns on how much a box would lie. */
function covered(box: Box, taken: readonly Box[]): number {
  // Boxes that only touch are beside each other, however the numbers were rounded.
  const touching = 0.98;
  let area = 0;
  for (const other of taken) {
    const across = ((box.width + other.width) * touching) / 2 - Math.abs(box.x - other.x);
    const down = ((box.height + other.height) * touching) / 2 - Math.abs(box.y - other.y);
    if (across > 0 && down > 0) area += across * down;
  }
  return area;
}
