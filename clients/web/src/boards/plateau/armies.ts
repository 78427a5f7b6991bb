/** The armies on the board, and what the server tells beside them, read from a view. */
import type { PlateauGuide, PlateauView } from "@brettwerk/client/v1/plateau";
import { graphOf, type Graph } from "./nodes";

/** An army: whose it is, which kind (1 a two, 2 a four, 3 a six, 4 the emblem), and where it stands. */
export interface Army {
  readonly seat: number;
  readonly kind: number;
  readonly node: number;
}

export const EMBLEM = 4;
/** More than the numbers of the contract for what stands on a node. */
const CODES = 32;
/** By kind: its name in the catalogue. */
export const KINDS: readonly string[] = ["", "two", "four", "six", "emblem"];
/** By kind: what is written on it. */
export const MARKS: readonly string[] = ["", "2", "4", "6", "E"];

/** Returns seat and kind of a number of the contract that is not 0. */
function armyOf(code: number): { seat: number; kind: number } {
  return { seat: Math.floor((code - 1) / EMBLEM), kind: ((code - 1) % EMBLEM) + 1 };
}

const alike = new Map<number, Army>();

/** Returns the armies of a view. One that stands where it stood is the same object, so that it is not drawn again. */
export function armiesOf(view: PlateauView): Army[] {
  return (view.position?.nodes ?? []).flatMap((code, node) => {
    if (code === 0) return [];
    const key = node * CODES + code;
    const army = alike.get(key) ?? { ...armyOf(code), node };
    alike.set(key, army);
    return [army];
  });
}

/** Returns the board of a view. A flat board has a red area among its numbers, a round one has none. */
export function boardOf(view: PlateauView): Graph {
  const red = view.guide?.red ?? [];
  return graphOf(view.position?.nodes.length ?? 0, red.length === 0, red);
}

/** Tells whether a set of nodes that came as bytes has a node. */
export function has(nodes: Uint8Array | undefined, node: number): boolean {
  return (((nodes?.[node >> 3] ?? 0) >> (node & 7)) & 1) === 1;
}

/** Returns the ways of a guide as nodes. */
export function waysOf(guide: PlateauGuide | undefined, what: "ways" | "threats"): number[][] {
  return (guide?.[what] ?? []).map((way) => [...way.nodes]);
}
