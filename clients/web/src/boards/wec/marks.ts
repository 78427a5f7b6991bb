/** How squares are marked: who can act, who does, and where that can go. */
import type { WecView } from "@brettwerk/client/v1/wec";
import type { Order } from "./orders";
import { failureOf, liftOf, takes } from "./effects";
import { squareOf } from "./squares";

/**
 * A kind of square: that of a piece that can act or does, the latter also where it can go up or down on the spot; a target; one
 * where something is taken, or one where nothing but a failure is to be had.
 */
export type Mark = "candidate" | "moving" | "rises" | "sinks" | "target" | "capture" | "warning";

/** The state of choosing. */
export interface Chosen {
  readonly view: WecView;
  /** The pieces that can act, and the one that does; 0 for none. */
  readonly able: ReadonlySet<number>;
  readonly actor: number;
  /** The orders that can be given next. */
  readonly aims: readonly Order[];
  /** The squares that can still be chosen to be dozed along, and those that are. */
  readonly dozable: Iterable<number>;
  readonly dozed: Iterable<number>;
}

/** Returns whether a square with this mark has the piece that acts. */
export function acts(mark: Mark | undefined): boolean {
  return mark === "moving" || mark === "rises" || mark === "sinks";
}

/** Returns the marks by square. */
export function marksOf({ view, able, actor, aims, dozable, dozed }: Chosen): ReadonlyMap<number, Mark> {
  const found = new Map<number, Mark>();
  for (const { id, place } of view.pieces) if (able.has(id)) found.set(squareOf(place), "candidate");
  const targets = new Map<number, Order[]>();
  for (const order of aims) {
    if (order.target === undefined) continue;
    const square = squareOf(order.target);
    targets.set(square, [...(targets.get(square) ?? []), order]);
  }
  for (const [square, orders] of targets) found.set(square, targetMark(orders));
  for (const square of dozable) found.set(square, "target");
  for (const square of dozed) found.set(square, "moving");
  for (const { id, place } of view.pieces) {
    if (id === actor) found.set(squareOf(place), ownMark(targets.get(squareOf(place)) ?? []));
  }
  return found;
}

function targetMark(orders: readonly Order[]): Mark {
  if (orders.some(takes)) return "capture";
  return orders.every((order) => failureOf(order) !== "") ? "warning" : "target";
}

/** The piece's own square can be a target, too: straight up or down. */
function ownMark(orders: readonly Order[]): Mark {
  const lift = orders.map(liftOf).find((each) => each !== undefined);
  return lift === undefined ? "moving" : lift.up ? "rises" : "sinks";
}

/** Returns the marks of the squares where one of `able` can be called in. */
export function callsOf(reserves: ReadonlyMap<number, number>, able: ReadonlySet<number>): ReadonlyMap<number, Mark> {
  return new Map([...reserves].filter(([, id]) => able.has(id)).map(([square]) => [square, "target"]));
}
