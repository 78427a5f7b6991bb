/** How squares are marked: who can act, who does, and where that can go. */
import type { WecView } from "@brettwerk/client/v1/wec";
import type { Deed } from "./deeds";
import { squareOf } from "./squares";

export type Mark = "candidate" | "moving" | "target" | "capture";

/** What is being chosen. */
export interface Chosen {
  readonly view: WecView;
  /** The pieces that can act, and the one that does; 0 for none. */
  readonly able: ReadonlySet<number>;
  readonly actor: number;
  /** What can be done next. */
  readonly aims: readonly Deed[];
  /** The squares that can still be chosen to be dozed along, and those that are. */
  readonly dozable: Iterable<number>;
  readonly dozed: Iterable<number>;
}

/** Returns the marks by square. */
export function marksOf({ view, able, actor, aims, dozable, dozed }: Chosen): ReadonlyMap<number, Mark> {
  const found = new Map<number, Mark>();
  for (const { id, place } of view.pieces) if (able.has(id)) found.set(squareOf(place), "candidate");
  for (const { target, aimed } of aims) {
    if (target === undefined) continue;
    const hits = aimed > 0 || view.pieces.some((piece) => piece.place === target && piece.seat !== view.eye);
    found.set(squareOf(target), hits ? "capture" : "target");
  }
  for (const square of dozable) found.set(square, "target");
  for (const square of dozed) found.set(square, "moving");
  for (const { id, place } of view.pieces) if (id === actor) found.set(squareOf(place), "moving");
  return found;
}

/** Returns the marks of the squares where one of `able` can be called in. */
export function callsOf(reserves: ReadonlyMap<number, number>, able: ReadonlySet<number>): ReadonlyMap<number, Mark> {
  return new Map([...reserves].filter(([, id]) => able.has(id)).map(([square]) => [square, "target"]));
}
