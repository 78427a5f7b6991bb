/**
 * Luck and skill in a game, as far as a computer's answers tell them apart.
 *
 * A choice is measured by the chance that the computer gave it, chance by what came of it: what is rolled or drawn after the
 * choice lifts or lowers the chances, and nobody is to blame for that.
 */
import type { Outcome } from "@brettwerk/client/v1/games";
import type { Update } from "@brettwerk/client/v1/sessions";
import { chanceOf, type Answer } from "./chances";
import { chanceAtEnd, sidesOf } from "../result/outcome";

/** How the chance of a seat changed by one of its plies: by `choice` + `luck` in all. */
interface Share {
  readonly ply: number;
  readonly seat: number;
  /** The loss by the choice against the best one: 0 or less. */
  readonly choice: number;
  /** The effect of chance on it; undefined if that is unknown. */
  readonly luck: number | undefined;
}

/** The effects of luck and of a seat's choices in a whole game. */
export interface Sum {
  readonly seat: number;
  readonly luck: number;
  readonly choice: number;
}

/** Returns the shares of all plies whose action the computer had an opinion on. */
export function sharesOf(
  stops: readonly Update[],
  answer: (version: bigint) => Answer | undefined,
  seats: number,
  outcome: Outcome | undefined,
): Share[] {
  const sides = sidesOf(outcome, seats);
  return stops.slice(1).flatMap((stop, index): Share[] => {
    const before = stops[index];
    const { happening } = stop;
    const found = before === undefined ? undefined : answer(before.version);
    const played = found?.hints.find((hint) => hint.action?.notation === happening?.notation);
    const best = found?.hints[0];
    if (played === undefined || best === undefined || happening === undefined) return [];
    const seat = happening.concernedSeat ?? -1;
    const after = chanceAfter(stop, index + 1 === stops.length - 1, answer, seat, sides, outcome);
    const choice = Math.min(0, played.winChance - best.winChance);
    return [{ ply: index + 1, seat, choice, luck: after === undefined ? undefined : after - played.winChance }];
  });
}

function chanceAfter(
  stop: Update,
  isLast: boolean,
  answer: (version: bigint) => Answer | undefined,
  seat: number,
  sides: readonly number[],
  outcome: Outcome | undefined,
): number | undefined {
  const [toAct] = stop.toAct;
  if (toAct === undefined) return isLast && outcome !== undefined ? chanceAtEnd(outcome, seat) : undefined;
  const found = answer(stop.version);
  return found === undefined ? undefined : chanceOf(found, toAct, seat, sides);
}

/** Returns what every seat owes to luck and to its choices. Of two seats one has the luck that the other lacks. */
export function sumsOf(shares: readonly Share[], seats: number): Sum[] {
  return Array.from({ length: seats }, (_, seat) => {
    let [luck, choice] = [0, 0];
    for (const share of shares) {
      if (share.seat === seat) {
        luck += share.luck ?? 0;
        choice += share.choice;
      } else if (seats === 2) luck -= share.luck ?? 0;
    }
    return { seat, luck, choice };
  });
}

/** Returns a change of a chance in points of 1 %, with its sign; empty for one that is not known. */
export function inPoints(change: number | undefined): string {
  if (change === undefined) return "";
  const rounded = Math.round(change * 100);
  return rounded > 0 ? `+${rounded}` : rounded < 0 ? `−${-rounded}` : "0";
}
