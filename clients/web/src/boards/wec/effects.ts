/** The effects of an order on what stands on the board, as the rules tell them; none of them is worked out here. */
import type { Effect } from "@brettwerk/client/v1/games";
import type { Order } from "./orders";

type NumberOf<E extends Effect> = `${E}` extends `${infer N extends number}` ? N : never;
type Value = (typeof EFFECT)[keyof typeof EFFECT];

/** The values of the contract's enum, which the compiler compares: imported, it would be downloaded with the first page. */
const EFFECT = {
  TAKES: 1,
  CRASHES: 2,
  BLOCKED: 3,
  TAKES_OFF: 4,
  LANDS: 5,
  DIVES: 6,
  SURFACES: 7,
  ON_GROUND: 8,
  IN_AIR: 9,
  UNDER_WATER: 10,
} as const satisfies { [K in Exclude<keyof typeof Effect, "UNSPECIFIED">]: NumberOf<(typeof Effect)[K]> };

/** A change of level on the spot: the key of its words, and whether it leads up. */
interface Lift {
  readonly words: string;
  readonly up: boolean;
}

const LIFTS: readonly (readonly [Value, Lift])[] = [
  [EFFECT.TAKES_OFF, { words: "takes_off", up: true }],
  [EFFECT.SURFACES, { words: "surfaces", up: true }],
  [EFFECT.LANDS, { words: "lands", up: false }],
  [EFFECT.DIVES, { words: "dives", up: false }],
];
const ENDS: readonly (readonly [Value, string])[] = [
  [EFFECT.ON_GROUND, "ground"],
  [EFFECT.IN_AIR, "air"],
  [EFFECT.UNDER_WATER, "sub"],
];

function does({ choice }: Order, effect: Value): boolean {
  const effects: readonly number[] = choice.effects ?? [];
  return effects.includes(effect);
}

/** Returns whether an order takes what is on its target. */
export function takes(order: Order): boolean {
  return does(order, EFFECT.TAKES);
}

/** Returns the key of what goes wrong with an order as the board is: it crashes or does not get away; empty when nothing does. */
export function failureOf(order: Order): "" | "crashes" | "blocked" {
  return does(order, EFFECT.CRASHES) ? "crashes" : does(order, EFFECT.BLOCKED) ? "blocked" : "";
}

/** Returns how an order changes the level; undefined where it does not. */
export function liftOf(order: Order): Lift | undefined {
  return LIFTS.find(([effect]) => does(order, effect))?.[1];
}

/** Returns the key of the level on which an order ends; empty where it does not say. */
export function endOf(order: Order): string {
  return ENDS.find(([effect]) => does(order, effect))?.[1] ?? "";
}
