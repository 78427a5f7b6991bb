/** The player's orders, from the actions that the server lists. */
import type { EmperadoAction, EmperadoLuck, EmperadoOdds, EmperadoView } from "@brettwerk/client/v1/emperado";
import type { Choice } from "../board";
import { percent } from "../chance";

/** How many armies or throws a touch is for. */
export type Amount = 1 | 5 | 20 | 100 | "all";

/** The most dice of a side, and so the most armies that one throw takes from the other (EMP-ATTACK-5). */
const MAX_DICE = 3;
/** The option of little luck. */
const LITTLE: EmperadoLuck = 3;

export const AMOUNTS: readonly Amount[] = [1, 5, 20, 100, "all"];

/** The kind of an action from a country to another. */
export type Order = "attack" | "move";

export interface Orders {
  /** The countries where armies may be placed. */
  readonly placeable: ReadonlySet<number>;
  /** By country that may act, what it may do to others. */
  readonly orders: ReadonlyMap<number, ReadonlyMap<number, Order>>;
  /** By country, the most armies that may move from there. */
  readonly most: ReadonlyMap<number, number>;
  /** Sets of cards that may be turned in. */
  readonly sets: readonly Choice[];
  readonly done: Choice | undefined;
  /** The fewest and the most armies that may move into a captured country. */
  readonly entering: readonly [number, number] | undefined;
}

/** Returns what the choices are, sorted by what a board does with them. */
export function ordersOf(choices: readonly Choice[]): Orders {
  const placeable = new Set<number>();
  const orders = new Map<number, Map<number, Order>>();
  const most = new Map<number, number>();
  const sets: Choice[] = [];
  const entering: number[] = [];
  let done: Choice | undefined;
  for (const choice of choices) {
    const kind = (choice.action as EmperadoAction | undefined)?.kind;
    if (kind?.case === "place") placeable.add(kind.value.country);
    else if (kind?.case === "attack" || kind?.case === "move") {
      const { source, target } = kind.value;
      if (kind.case === "move") most.set(source, Math.max(kind.value.armies, most.get(source) ?? 0));
      const from = orders.get(source) ?? new Map<number, Order>();
      orders.set(source, from.set(target, kind.case));
    } else if (kind?.case === "exchange") sets.push(choice);
    else if (kind?.case === "enter") entering.push(kind.value.armies);
    else if (kind?.case === "done") done = choice;
  }
  const least = Math.min(...entering);
  return {
    placeable,
    orders,
    most,
    sets,
    done,
    entering: entering.length > 0 ? [least, Math.max(...entering)] : undefined,
  };
}

/** Returns the odds of an attack in as many throws, or as many as it takes where so many are more than that. */
export function oddsOf(view: EmperadoView, source: number, target: number, amount: Amount): EmperadoOdds | undefined {
  const series = view.outlooks.find((each) => each.source === source && each.target === target)?.series ?? [];
  return series.find(({ throws }) => throws === amount) ?? series.find(({ throws }) => throws === 0);
}

/** Returns the amount that a touch is for: the right button is for five, Shift for twenty times as many (EMP-REINF-8). */
export function amountOf(chosen: Amount, right: boolean, shift: boolean): Amount {
  if (right) return shift ? 100 : 5;
  return shift ? 20 : chosen;
}

/** Returns how many armies a throw of a country takes at most: with little luck never all pairs but a single one (EMP-ATTACK-15). */
function mostTaken(attackers: number, luck?: EmperadoLuck): number {
  const dice = Math.min(MAX_DICE, attackers - 1);
  return luck === LITTLE ? Math.max(1, dice - 1) : dice;
}

/** Returns the chance of an attack as it is written: none at all where so few throws cannot take so many armies. */
export function chanceText(
  { win, throws }: EmperadoOdds,
  attackers: number,
  defenders: number,
  luck?: EmperadoLuck,
): string {
  const most = throws === 0 ? defenders : throws * mostTaken(attackers, luck);
  return percent(win, win === 0 && most < defenders);
}

/** Returns the chance to take a country by an attack to the end, as it is written; undefined where none is known. */
export function chanceOf(view: EmperadoView, source: number, target: number): string | undefined {
  const odds = oddsOf(view, source, target, "all");
  const { armies = [], options } = view.position ?? {};
  return odds && chanceText(odds, armies[source] ?? 0, armies[target] ?? 0, options?.luck);
}
