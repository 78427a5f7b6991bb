/** Where nodes are drawn: round as a wheel, unrolled as a table for narrow screens, or flat. */
import { joined, LATITUDES, longitudeOf, ringOf, RINGS, type Direction, type Graph } from "./nodes";

/** A place in the drawing, with the radius of what stands there. */
export interface Spot {
  readonly x: number;
  readonly y: number;
  readonly r: number;
}

/** Something written beside the board. */
interface Label {
  readonly x: number;
  readonly y: number;
  readonly text: string;
}

export interface Layout {
  readonly kind: "round" | "unrolled" | "flat";
  readonly viewBox: string;
  readonly spots: readonly Spot[];
  /** Nodes that are drawn a second time, where an unrolled board goes on. */
  readonly again: readonly { readonly node: number; readonly spot: Spot }[];
  /** By node: the outline of what is touched for it. */
  readonly areas: readonly string[];
  readonly lines: string;
  /** The nodes. */
  readonly dots: string;
  /** Where the board ends in the drawing and goes on at the other end. */
  readonly seams: string;
  readonly labels: readonly Label[];
  /** The ground, and the red area. */
  readonly ground: string;
  readonly red: string;
  /** Returns which way an arrow key leads from a node. */
  readonly key: (node: number, key: string) => Direction | undefined;
  /** Returns the drawing of a way. */
  readonly line: (path: readonly number[]) => string;
}

/** How high what is written on a board is at least, so that it can be read on a window of 800 pixels. */
export const SMALLEST = 19;

const KEYS = ["ArrowUp", "ArrowRight", "ArrowDown", "ArrowLeft"];
/** Where the arrow keys lead at the top of a wheel, in their order. */
const WHEEL: readonly Direction[] = ["outward", "on", "inward", "back"];
const OUTER = 505;
/** How far a wheel goes with the rim on which its longitudes are written. */
const EDGE = 560;
const PITCH = 60;
/** Rows of an unrolled round board that are drawn again at either end. */
const AGAIN = 2;

const round = (value: number): number => Math.round(value * 10) / 10;
const point = ({ x, y }: Spot): string => `${round(x)} ${round(y)}`;

/** Returns the radius of a ring; rings lie closer further in. */
export function radius(ring: number): number {
  return OUTER - 45 * ring + (16 / 18) * ring * (ring - 1);
}

/** Returns the wheel. `bottom` is the longitude (from 0) that is drawn at the bottom. */
export function wheel(graph: Graph, bottom: number): Layout {
  const { longitudes, names } = graph;
  const angle = (longitude: number): number => ((longitude - bottom) / longitudes) * 2 * Math.PI + Math.PI;
  const at = (turn: number, far: number): Spot => ({ x: far * Math.sin(turn), y: -far * Math.cos(turn), r: 0 });
  const half = (ring: number): number => (radius(ring) + radius(ring + 1)) / 2;
  const spots = names.map((_, node) => {
    const ring = ringOf(graph, node);
    const r = 0.47 * (ring < RINGS - 1 ? radius(ring) - radius(ring + 1) : radius(ring - 1) - radius(ring));
    return { ...at(angle(longitudeOf(graph, node)), radius(ring)), r };
  });
  const areas = names.map((_, node) => {
    const ring = ringOf(graph, node);
    const turn = angle(longitudeOf(graph, node));
    const wide = Math.PI / longitudes;
    const outer = ring === 0 ? OUTER + 22 : half(ring - 1);
    const inner = ring === RINGS - 1 ? radius(ring) - 16 : half(ring);
    const [a, b, c, d] = [
      at(turn - wide, outer),
      at(turn + wide, outer),
      at(turn + wide, inner),
      at(turn - wide, inner),
    ];
    return `M${point(a)}A${outer} ${outer} 0 0 1 ${point(b)}L${point(c)}A${inner} ${inner} 0 0 0 ${point(d)}Z`;
  });
  const circle = (far: number): string => `M0 ${-far}A${far} ${far} 0 1 1 0 ${far}A${far} ${far} 0 1 1 0 ${-far}Z`;
  const rings = Array.from({ length: RINGS }, (_, ring) => circle(round(radius(ring)))).join("");
  const spokes = Array.from({ length: longitudes }, (_, longitude) => {
    const turn = angle(longitude);
    return `M${point(at(turn, OUTER))}L${point(at(turn, radius(RINGS - 1)))}`;
  }).join("");
  const between = angle(bottom) + Math.PI / longitudes;
  return {
    kind: "round",
    viewBox: `${-EDGE} ${-EDGE} ${2 * EDGE} ${2 * EDGE}`,
    spots,
    again: [],
    areas,
    lines: rings + spokes,
    dots: spots.map(dot).join(""),
    seams: "",
    labels: [
      ...Array.from({ length: longitudes }, (_, longitude) => ({
        ...at(angle(longitude), OUTER + 40),
        text: String(longitude + 1),
      })),
      ...LATITUDES.split("").map((text, ring) => ({ ...at(between, radius(ring)), text })),
    ],
    ground: circle(EDGE - 2),
    red: circle(round(radius(RINGS - 1) - 26)),
    key(node, key) {
      const pressed = KEYS.indexOf(key);
      if (pressed < 0) return undefined;
      const outward = Math.round(angle(longitudeOf(graph, node)) / (Math.PI / 2));
      return WHEEL[(((pressed - outward) % 4) + 4) % 4];
    },
    line(path) {
      return path
        .map((node, index) => {
          const to = spots[node];
          const before = path[index - 1];
          if (to === undefined) return "";
          if (before === undefined) return `M${point(to)}`;
          const ring = ringOf(graph, node);
          if (ringOf(graph, before) !== ring || index === path.length - 1) return `L${point(to)}`;
          const on = (longitudeOf(graph, node) - longitudeOf(graph, before) + longitudes) % longitudes === 1;
          return `A${round(radius(ring))} ${round(radius(ring))} 0 0 ${on ? 1 : 0} ${point(to)}`;
        })
        .join("");
    },
  };
}

/**
 * Returns the board with a ring a column and a longitude a row; of a round board the ends are drawn twice. `bottom` is the longitude
 * (from 0) that is drawn in the middle of a round board; a flat one is turned by half or not.
 */
export function unrolled(graph: Graph, bottom: number, turned = false): Layout {
  const { longitudes, names } = graph;
  const again = graph.round ? AGAIN : 0;
  // The part that is looked at first is in the middle: the upper half is on a phone at once, and the ends are far from there.
  const first = graph.round ? (bottom + Math.ceil(longitudes / 2)) % longitudes : 0;
  const place = (column: number, row: number): Spot => ({ x: column * PITCH, y: row * PITCH, r: 0.45 * PITCH });
  const turnedRow = (row: number): number => (turned ? longitudes - 1 - row : row);
  const columnOf = (ring: number): number => (turned ? RINGS - 1 - ring : ring);
  const rowOf = (node: number): number => turnedRow((longitudeOf(graph, node) - first + longitudes) % longitudes);
  const spots = names.map((_, node) => place(columnOf(ringOf(graph, node)), rowOf(node)));
  const twice = names.flatMap((_, node) => {
    const row = rowOf(node);
    const rows = [...(row < again ? [row + longitudes] : []), ...(row >= longitudes - again ? [row - longitudes] : [])];
    return rows.map((other) => ({ node, spot: place(ringOf(graph, node), other) }));
  });
  // Nodes beyond an end are drawn at the other end, too.
  const seam = (row: number): string => `M-30 ${row * PITCH}H${(RINGS - 1) * PITCH + 30}`;
  const top = -again * PITCH;
  const height = (longitudes - 1 + 2 * again) * PITCH;
  const rows = Array.from({ length: longitudes + 2 * again }, (_, index) => index - again);
  return {
    kind: "unrolled",
    viewBox: `-86 ${top - 62} ${(RINGS - 1) * PITCH + 86 + (graph.round ? 62 : 36)} ${height + 62 + 36}`,
    spots,
    again: twice,
    areas: spots.map(square),
    lines: table(graph, spots) + twice.map(({ spot }) => cross(spot)).join(""),
    dots: [...free(graph, spots), ...twice.map(({ spot }) => spot)].map(dot).join(""),
    seams: graph.round ? [-0.5, longitudes - 0.5].map(seam).join("") : "",
    labels: [
      ...LATITUDES.split("").map((text, ring) => ({ x: columnOf(ring) * PITCH, y: top - 44, text })),
      ...rows.map((row) => ({
        x: -66,
        y: row * PITCH,
        text: String(((turnedRow(row) + first + longitudes) % longitudes) + 1),
      })),
    ],
    ground: `M-30 ${top - 30}H${(RINGS - 1) * PITCH + 30}V${top + height + 30}H-30Z`,
    red: graph.round
      ? `M${(RINGS - 1) * PITCH + 34} ${top - 30}h22v${height + 60}h-22Z`
      : [...graph.red].map((node) => square(spots[node] ?? place(0, 0))).join(""),
    key: (_, key) => wayOfKey(["back", "inward", "on", "outward"], key, turned),
    line: (path) => broken(path, spots, twice),
  };
}

/** Returns a flat board with a longitude a column and a latitude a row, turned by half or not. */
export function flat(graph: Graph, turned = false): Layout {
  const { longitudes, names } = graph;
  const columnOf = (longitude: number): number => (turned ? longitudes - 1 - longitude : longitude);
  const rowOf = (ring: number): number => (turned ? RINGS - 1 - ring : ring);
  const spots = names.map((_, node) => ({
    x: columnOf(longitudeOf(graph, node)) * PITCH,
    y: rowOf(ringOf(graph, node)) * PITCH,
    r: 0.45 * PITCH,
  }));
  const [width, height] = [(longitudes - 1) * PITCH, (RINGS - 1) * PITCH];
  return {
    kind: "flat",
    viewBox: `-86 -86 ${width + 140} ${height + 140}`,
    spots,
    again: [],
    areas: spots.map(square),
    lines: table(graph, spots),
    dots: free(graph, spots).map(dot).join(""),
    seams: "",
    labels: [
      ...LATITUDES.split("").map((text, ring) => ({ x: -66, y: rowOf(ring) * PITCH, text })),
      ...Array.from({ length: longitudes }, (_, longitude) => ({
        x: columnOf(longitude) * PITCH,
        y: -62,
        text: String(longitude + 1),
      })),
    ],
    ground: `M-30-30H${width + 30}V${height + 30}H-30Z`,
    red: [...graph.red].map((node) => square(spots[node] ?? { x: 0, y: 0, r: 0 })).join(""),
    key: (_, key) => wayOfKey(["outward", "on", "inward", "back"], key, turned),
    line: (path) => broken(path, spots, []),
  };
}

/** Returns where an arrow key leads: up, right, down or left, and the other way on a board that is turned. */
function wayOfKey(ways: readonly Direction[], key: string, turned: boolean): Direction | undefined {
  const pressed = KEYS.indexOf(key);
  return pressed < 0 ? undefined : ways[(pressed + (turned ? 2 : 0)) % 4];
}

function square({ x, y }: Spot): string {
  return `M${x - PITCH / 2} ${y - PITCH / 2}h${PITCH}v${PITCH}h${-PITCH}Z`;
}

/** Returns the spots of the nodes that are none of the red area. */
function free(graph: Graph, spots: readonly Spot[]): Spot[] {
  return spots.filter((_, node) => !graph.red.has(node));
}

function dot({ x, y, r }: Spot): string {
  const small = round(r * 0.2);
  return `M${round(x - small)} ${round(y)}a${small} ${small} 0 1 0 ${2 * small} 0a${small} ${small} 0 1 0 ${-2 * small} 0Z`;
}

function cross({ x, y }: Spot): string {
  return `M${x - PITCH / 2} ${y}h${PITCH}M${x} ${y - PITCH / 2}v${PITCH}`;
}

function table(graph: Graph, spots: readonly Spot[]): string {
  return spots
    .flatMap((spot, node) => {
      if (graph.red.has(node)) return [];
      return joined(graph, node).flatMap((other) => {
        const to = spots[other];
        if (other < node || to === undefined || Math.abs(to.y - spot.y) > PITCH || Math.abs(to.x - spot.x) > PITCH)
          return [];
        return [`M${point(spot)}L${point(to)}`];
      });
    })
    .join("");
}

/** Returns a way, taken up again at the other end where it leaves the table. */
function broken(path: readonly number[], spots: readonly Spot[], again: Layout["again"]): string {
  let drawn = "";
  for (const [index, node] of path.entries()) {
    const to = spots[node];
    const before = path[index - 1];
    const from = before === undefined ? undefined : spots[before];
    if (to === undefined) continue;
    if (from === undefined) drawn += `M${point(to)}`;
    else if (Math.abs(to.y - from.y) <= PITCH) drawn += `L${point(to)}`;
    else {
      const near = (of: number | undefined, spot: Spot): Spot =>
        again.find((each) => each.node === of && Math.abs(each.spot.y - spot.y) <= PITCH)?.spot ?? spot;
      drawn += `L${point(near(node, from))}M${point(near(before, to))}L${point(to)}`;
    }
  }
  return drawn;
}
