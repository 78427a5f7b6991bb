/** The kinds of what a scene has, by the numbers of the contract. */
import type { Effect, Scene, Shape, Thing, Tiling } from "@brettwerk/client/v1/games";
import type { Choice } from "../board";

type NumberOf<E extends Effect | Shape | Tiling> = `${E}` extends `${infer N extends number}` ? N : never;

/** Values of the contract's enums, which the compiler compares: imported, these would be downloaded with the first page. */
const HEXAGONS = 1 satisfies NumberOf<Tiling.HEXAGONS>;
const DIE = 1 satisfies NumberOf<Shape.DIE>;
const CARD = 2 satisfies NumberOf<Shape.CARD>;
const TAKES = 1 satisfies NumberOf<Effect.TAKES>;

/** Returns how the places of a scene that are in no area lie. */
export function layoutOf({ rows, tiling }: Scene): "list" | "hexagons" | "squares" {
  const tiles: number = tiling;
  return rows === 0 ? "list" : tiles === HEXAGONS ? "hexagons" : "squares";
}

/** Returns the shape of a thing. */
export function shapeOf({ shape }: Thing): "die" | "card" | "disc" {
  const number: number = shape;
  return number === DIE ? "die" : number === CARD ? "card" : "disc";
}

/** Returns whether an action takes what is on its target. */
export function takes({ effects = [] }: Choice): boolean {
  const numbers: readonly number[] = effects;
  return numbers.includes(TAKES);
}
