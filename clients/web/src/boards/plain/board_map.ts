/** The drawing of a board whose places lie on a map: outlines, ways between neighbours, and where arrow keys lead. */

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A board as far as it is drawn: a message of the contract, or the same in JSON. */
export interface MapBoard {
  readonly places: readonly MapPlace[];
  readonly groups: readonly { readonly colour: string; readonly places: readonly number[] }[];
  readonly width: number;
  readonly height: number;
}

interface MapPlace {
  readonly number: number;
  readonly name: string;
  readonly x?: number | undefined;
  readonly y?: number | undefined;
  readonly neighbours: readonly number[];
  readonly outlines: readonly { readonly points: readonly number[] }[];
}

/** A place as it is drawn. */
export interface Drawn extends Point {
  readonly number: number;
  readonly name: string;
  /** Its outlines as a path; empty where it has none. */
  readonly path: string;
  /** The colour of the group that it is in; empty where that has none. */
  readonly colour: string;
}

/** Returns whether a board can be drawn as a map: every place has a position, and one at least an outline. */
export function isMap({ places, width, height }: MapBoard): boolean {
  const placed = places.every(({ x, y }) => x !== undefined && y !== undefined);
  return width > 0 && height > 0 && placed && places.some(({ outlines }) => outlines.length > 0);
}

/** Returns the places as they are drawn. */
export function drawnOf({ places, groups }: MapBoard): Drawn[] {
  return places.map((place) => ({
    ...middleOf(place),
    number: place.number,
    name: place.name,
    path: place.outlines.map(({ points }) => pathOf(points)).join(""),
    colour: groups.find((group) => group.colour !== "" && group.places.includes(place.number))?.colour ?? "",
  }));
}

/** Returns the ways between neighbours, each once, as one path; those around the edge of the map leave it at both sides. */
export function waysOf({ places, width }: MapBoard): string {
  const lines: (readonly [Point, Point])[] = [];
  // A board with a hole lacks some numbers.
  const byNumber = new Map(places.map((place) => [place.number, place]));
  for (const place of places)
    for (const number of place.neighbours) {
      const other = byNumber.get(number);
      if (other === undefined || number < place.number) continue;
      const [from, to] = [middleOf(place), middleOf(other)];
      if (Math.abs(to.x - from.x) <= width / 2) lines.push([from, to]);
      else {
        const shift = from.x < to.x ? -width : width;
        lines.push([from, { x: to.x + shift, y: to.y }], [{ x: from.x - shift, y: from.y }, to]);
      }
    }
  return lines.map(([from, to]) => `M${from.x} ${from.y}L${to.x} ${to.y}`).join("");
}

/** Returns the number of the place that an arrow key leads to, the nearest one there; undefined where none is, or for other keys. */
export function nearestBy(places: readonly Point[], from: number, key: string): number | undefined {
  const here = places[from];
  const [right, down] = DIRECTIONS[key] ?? [0, 0];
  if (here === undefined || (right === 0 && down === 0)) return undefined;
  let [found, least]: [number | undefined, number] = [undefined, Infinity];
  for (const [index, { x, y }] of places.entries()) {
    const along = (x - here.x) * right + (y - here.y) * down;
    const aside = Math.abs((x - here.x) * down) + Math.abs((y - here.y) * right);
    if (along <= aside / 2) continue;
    const far = along + 2 * aside;
    if (far < least) [found, least] = [index, far];
  }
  return found;
}

const DIRECTIONS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
};

function middleOf({ x = 0, y = 0 }: MapPlace): Point {
  return { x, y };
}

function pathOf(points: readonly number[]): string {
  const pairs: string[] = [];
  for (let at = 0; at + 1 < points.length; at += 2) pairs.push(`${rounded(points[at])} ${rounded(points[at + 1])}`);
  return pairs.length === 0 ? "" : `M${pairs.join("L")}Z`;
}

function rounded(value: number | undefined): number {
  return Math.round((value ?? 0) * 10) / 10;
}
