/** The contents of each square in a view, and what of them is counted down. */
import type { WecCarried, WecPiece, WecProjectile, WecReserve, WecView } from "@brettwerk/client/v1/wec";
import { stableList } from "./stable_values";
import { levelOf, LEVELS, squareOf, SQUARES } from "./squares";

/** The contents of a square, the pieces from the top down. */
export interface Stack {
  readonly square: number;
  readonly pieces: readonly WecPiece[];
  readonly articles: readonly WecCarried[];
  readonly projectiles: readonly WecProjectile[];
  readonly reserves: readonly WecReserve[];
}

/** Returns the stacks of a view by square; those in which nothing has changed are the objects of before. */
export function stacksOf(view: WecView, before: readonly Stack[] = []): readonly Stack[] {
  const stacks = Array.from({ length: SQUARES }, (_, square) => ({
    square,
    pieces: [] as WecPiece[],
    articles: [] as readonly WecCarried[],
    projectiles: [] as WecProjectile[],
    reserves: [] as WecReserve[],
  }));
  for (const level of LEVELS) {
    for (const piece of view.pieces) {
      if (levelOf(piece.place) === level) stacks[squareOf(piece.place)]?.pieces.push(piece);
    }
  }
  for (const ground of view.ground) {
    const stack = stacks[ground.square];
    if (stack) stack.articles = ground.articles;
  }
  for (const projectile of view.projectiles) stacks[projectile.square]?.projectiles.push(projectile);
  for (const reserve of view.reserves) stacks[reserve.square]?.reserves.push(reserve);
  return stableList(before, stacks);
}

/** Returns the places of the pieces of a stack. */
export function placesOf({ pieces }: Stack): number[] {
  return pieces.map(({ place }) => place);
}

/** Returns in how many own Turns what the piece has fired is ready again; nothing for what is ready. */
export function waitsOf(piece: WecPiece): number[] {
  return [piece.turnsFirst, piece.turnsSecond, ...piece.articles.map(({ turns }) => turns)].filter(
    (turns) => turns > 0,
  );
}
