/** The nodes of a board and the lines between them, as the contract numbers them: latitude * longitudes + longitude - 1. */

export const LATITUDES = "ABCDEFGHIJK";
export const RINGS = LATITUDES.length;

/** The four ways from a node along its lines: outward and inward on the spoke, on and back along the ring. */
export type Direction = "outward" | "on" | "inward" | "back";

/** A board: how many longitudes it has, whether they go around, and which numbers are no nodes. */
export interface Graph {
  readonly longitudes: number;
  readonly round: boolean;
  readonly red: ReadonlySet<number>;
  /** The names of all numbers, A1 first. */
  readonly names: readonly string[];
}

/** Returns the board of that many numbers. */
export function graphOf(count: number, round: boolean, red: readonly number[]): Graph {
  const longitudes = Math.round(count / RINGS);
  const names = Array.from(
    { length: longitudes * RINGS },
    (_, node) => `${LATITUDES.charAt(Math.floor(node / longitudes))}${(node % longitudes) + 1}`,
  );
  return { longitudes, round, red: new Set(red), names };
}

export const ringOf = (graph: Graph, node: number): number => Math.floor(node / graph.longitudes);
export const longitudeOf = (graph: Graph, node: number): number => node % graph.longitudes;

/** Returns the node beside another one, or undefined where no line leads. */
export function beside(graph: Graph, node: number, direction: Direction): number | undefined {
  const { longitudes, round, red } = graph;
  let ring = ringOf(graph, node);
  let longitude = longitudeOf(graph, node);
  if (direction === "outward") ring -= 1;
  else if (direction === "inward") ring += 1;
  else longitude += direction === "on" ? 1 : -1;
  if (round) longitude = (longitude + longitudes) % longitudes;
  if (ring < 0 || ring >= RINGS || longitude < 0 || longitude >= longitudes) return undefined;
  const found = ring * longitudes + longitude;
  return red.has(found) ? undefined : found;
}

export const DIRECTIONS: readonly Direction[] = ["outward", "on", "inward", "back"];

/** Returns the nodes that a line joins to a node. */
export function joined(graph: Graph, node: number): number[] {
  return DIRECTIONS.flatMap((direction) => beside(graph, node, direction) ?? []);
}

/** Returns how many lines lie between two nodes on an empty board. */
export function distance(graph: Graph, from: number, to: number): number {
  const known = new Map([[from, 0]]);
  const queue = [from];
  for (const node of queue) {
    const steps = known.get(node) ?? 0;
    if (node === to) return steps;
    for (const other of joined(graph, node)) {
      if (known.has(other)) continue;
      known.set(other, steps + 1);
      queue.push(other);
    }
  }
  return 0;
}

/** Returns the nodes that are named in a text, in order, and the number that is left at its end; undefined for other texts. */
export function nodesIn(graph: Graph, text: string): { nodes: number[]; steps: number | undefined } | undefined {
  const found = /^\s*((?:[a-k]\s?\d{1,2}[\s,.x#-]*)+)(?:[/:]\s*(\d{1,2}))?\s*$/i.exec(text);
  if (!found) return undefined;
  const named = found[1]?.toUpperCase().match(/[A-K]\s?\d{1,2}/g) ?? [];
  const nodes = named.map((name) => graph.names.indexOf(name.replace(/\s/, "")));
  if (nodes.some((node) => node < 0 || graph.red.has(node))) return undefined;
  return { nodes, steps: found[2] === undefined ? undefined : Number(found[2]) };
}
