/** How pieces and projectiles are seen to go from where they were to where they are (WEC-UI-16). */
import { layoutOf } from "./layout";
import { placesOf, type Stack } from "./stacks";
import { drawnAt } from "./squares";

/** How much is animated: how long a way takes in milliseconds, and how long what computers do stands, against the usual. */
export const MOTIONS = {
  full: { glide: 550, pause: 1 },
  short: { glide: 200, pause: 0.4 },
  none: { glide: 0, pause: 0 },
} as const;
export type Motion = keyof typeof MOTIONS;

/** Something that is drawn: the name of its element, what it is taken for, and where it is in the units of the drawing. */
export interface Drawn {
  readonly name: string;
  readonly same: string;
  readonly x: number;
  readonly y: number;
  /** How far it may have come at once to be taken for the same. */
  readonly reach: number;
  /** The piece or projectile itself, the same as long as nothing of it changes. */
  readonly shown: unknown;
}

/** Something that went, by so much. */
export interface Gone {
  readonly name: string;
  readonly shown: unknown;
  readonly dx: number;
  readonly dy: number;
}

const SQUARE = 100;

/** The drawings of a stack, from one side of the board and from the other. */
const known = new WeakMap<Stack, Map<boolean, readonly Drawn[]>>();

/** Returns all pieces and projectiles of a view as they are drawn. */
export function drawnIn(stacks: readonly Stack[], turned: boolean): Drawn[] {
  return stacks.flatMap((stack) => {
    const sides = known.get(stack) ?? new Map<boolean, readonly Drawn[]>();
    const drawn = sides.get(turned) ?? drawnOf(stack, turned);
    known.set(stack, sides.set(turned, drawn));
    return drawn;
  });
}

function drawnOf(stack: Stack, turned: boolean): readonly Drawn[] {
  const { square, pieces, articles, projectiles } = stack;
  const { row, column } = drawnAt(square, turned);
  const [left, top] = [column * SQUARE, row * SQUARE];
  const boxes = layoutOf(placesOf(stack), articles.length, projectiles.length).pieces;
  const stand = pieces.map((piece, index) => {
    const { x, y } = boxes[index] ?? { x: 0, y: 0 };
    const name = `piece-${piece.id}`;
    return { name, same: name, x: left + x, y: top + y, reach: Infinity, shown: piece };
  });
  // Projectiles have no names that last; one of a kind that is a step away is taken for the same.
  const fly = projectiles.map((shot) => ({
    name: `shot-${shot.number}`,
    same: `shot-${shot.weapon}-${shot.seat}-${shot.launched}-${shot.strength}`,
    x: left,
    y: top,
    reach: 1.5 * SQUARE,
    shown: shot,
  }));
  return [...stand, ...fly];
}

/** Returns what went between two drawings. */
export function gone(before: readonly Drawn[], now: readonly Drawn[]): Gone[] {
  const left = [...before];
  return now.flatMap((thing) => {
    const at = left.findIndex((other) => other.same === thing.same && distance(other, thing) <= thing.reach);
    const [from] = at < 0 ? [] : left.splice(at, 1);
    if (from === undefined || (from.x === thing.x && from.y === thing.y)) return [];
    return [{ name: thing.name, shown: thing.shown, dx: from.x - thing.x, dy: from.y - thing.y }];
  });
}

function distance(one: Drawn, other: Drawn): number {
  return Math.max(Math.abs(one.x - other.x), Math.abs(one.y - other.y));
}
