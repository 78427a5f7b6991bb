/** A computer's answers about the positions of a game, and what they say of its moves. */
import type { Hint } from "@brettwerk/client/v1/play";
import type { ActionChoice, Outcome } from "@brettwerk/client/v1/games";
import type { Update } from "@brettwerk/client/v1/sessions";
import { chanceAtEnd, sidesOf } from "../result/outcome";

/** A computer's answer about the position at a version. */
export interface Answer {
  readonly version: bigint;
  /** The chance of the seat to act, 0 to 1. */
  readonly chance: number;
  /** The actions, best first. */
  readonly hints: readonly Hint[];
}

/** A move that cost chances. */
interface Mistake {
  /** The position in which it was played. */
  readonly before: bigint;
  readonly ply: number;
  readonly seat: number;
  /** The action that would have been better. */
  readonly best: ActionChoice | undefined;
  /** By how much the chance of its seat fell, 0 to 1. */
  readonly cost: number;
}

/** The chance of one seat after a ply; 0 is before the first one. */
export interface Point {
  readonly ply: number;
  readonly version: bigint;
  readonly chance: number;
}

/** Returns the positions of a game that are worth asking about: all before the last ply. */
export function positions(start: Update | undefined, plies: readonly Update[]): Update[] {
  return [...(start === undefined ? [] : [start]), ...plies.slice(0, -1)];
}

/** Returns the chance of `seat` in a position: that of its side, by seat; of two sides one has what the other has not. */
export function chanceOf(answer: Answer, toAct: number, seat: number, sides: readonly number[]): number | undefined {
  if (sides[toAct] === sides[seat]) return answer.chance;
  return new Set(sides).size === 2 ? 1 - answer.chance : undefined;
}

/** Returns the chances of `seat` in the course of a game, and at its end what came of them. */
export function curve(
  stops: readonly Update[],
  answer: (version: bigint) => Answer | undefined,
  seat: number,
  seats: number,
  outcome: Outcome | undefined,
): Point[] {
  const sides = sidesOf(outcome, seats);
  const points = stops.flatMap((stop, ply): Point[] => {
    const found = answer(stop.version);
    const [toAct] = stop.toAct;
    const chance = found === undefined || toAct === undefined ? undefined : chanceOf(found, toAct, seat, sides);
    return chance === undefined ? [] : [{ ply, version: stop.version, chance }];
  });
  const end = outcome === undefined ? undefined : chanceAtEnd(outcome, seat);
  const last = stops.at(-1);
  if (end === undefined || last === undefined || points.length === 0 || points.at(-1)?.version === last.version) {
    return points;
  }
  return [...points, { ply: stops.length - 1, version: last.version, chance: end }];
}

/**
 * Returns the moves that cost most, the worst first; those that cost next to nothing are none. What a move that the computer did
 * not look at led to is told by the position after it, if `sides` is given: the side of each seat, in a game without chance.
 */
export function mistakes(
  stops: readonly Update[],
  answer: (version: bigint) => Answer | undefined,
  most: number,
  sides?: readonly number[],
): Mistake[] {
  const found = stops.slice(1).flatMap((stop, index): Mistake[] => {
    const before = stops[index];
    const happening = stop.happening;
    const hints = before === undefined ? [] : (answer(before.version)?.hints ?? []);
    const [best] = hints;
    const played = hints.find((hint) => hint.action?.notation === happening?.notation);
    if (before === undefined || best === undefined || happening === undefined) return [];
    const seat = happening.concernedSeat ?? -1;
    const left = played?.winChance ?? chanceAfter(stop, seat);
    if (left === undefined) return [];
    const cost = best.winChance - left;
    if (cost < (played === undefined ? LEAST_UNSEEN_COST : LEAST_COST)) return [];
    return [
      {
        before: before.version,
        ply: index + 1,
        seat,
        best: best.action,
        cost,
      },
    ];
  });
  return found.sort((one, other) => other.cost - one.cost).slice(0, most);

  function chanceAfter(stop: Update, seat: number): number | undefined {
    const after = answer(stop.version);
    const [toAct] = stop.toAct;
    if (after === undefined || toAct === undefined || sides === undefined) return undefined;
    return chanceOf(after, toAct, seat, sides);
  }
}

const LEAST_COST = 0.02;
/** Two searches never agree quite: what they say of two positions must differ by more. */
const LEAST_UNSEEN_COST = 0.1;
