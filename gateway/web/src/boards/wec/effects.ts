/** What the rules say that a deed does to what stands on the board; nothing of it is worked out here. */
import { Effect } from "@brettwerk/client/v1/games";
import type { Deed } from "./deeds";

/** A change of level on the spot: the key of its words, and whether it leads up. */
export interface Lift {
  readonly words: string;
  readonly up: boolean;
}

const LIFTS: readonly (readonly [Effect, Lift])[] = [
  [Effect.TAKES_OFF, { words: "takes_off", up: true }],
  [Effect.SURFACES, { words: "surfaces", up: true }],
  [Effect.LANDS, { words: "lands", up: false }],
  [Effect.DIVES, { words: "dives", up: false }],
];
const ENDS: readonly (readonly [Effect, string])[] = [
  [Effect.ON_GROUND, "ground"],
  [Effect.IN_AIR, "air"],
  [Effect.UNDER_WATER, "sub"],
];

function does({ choice }: Deed, effect: Effect): boolean {
  return choice.effects?.includes(effect) ?? false;
}

/** Returns whether a deed takes what is on its target. */
export function takes(deed: Deed): boolean {
  return does(deed, Effect.TAKES);
}

/** Returns the key of what goes wrong with a deed as the board is: it crashes or does not get away; empty when nothing does. */
export function failureOf(deed: Deed): "" | "crashes" | "blocked" {
  return does(deed, Effect.CRASHES) ? "crashes" : does(deed, Effect.BLOCKED) ? "blocked" : "";
}

/** Returns how a deed changes the level; undefined where it does not. */
export function liftOf(deed: Deed): Lift | undefined {
  return LIFTS.find(([effect]) => does(deed, effect))?.[1];
}

/** Returns the key of the level on which a deed ends; empty where it does not say. */
export function endOf(deed: Deed): string {
  return ENDS.find(([effect]) => does(deed, effect))?.[1] ?? "";
}
