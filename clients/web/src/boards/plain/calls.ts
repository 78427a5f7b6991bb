/** The actions that touching places does not lead to, so that they need buttons: a call, or one of several that places do not tell apart. */
import type { Choice } from "../board";
import type { Narrowed } from "../place_choice";

/** So many actions of one kind are buttons next to the board; more of them are a list below it. */
const FEW = 6;
/** The maximum number of actions that are listed. */
const MAX_LISTED = 60;

/** The buttons of a moment. */
export interface Buttons {
  /** Those next to the board. */
  readonly calls: readonly Choice[];
  /** Those of the list below it. */
  readonly listed: readonly Choice[];
  /** How many more there are. */
  readonly more: number;
}

const plain = (text: string): string => text.toLowerCase().replaceAll(/\s/g, "");

/** Returns the buttons for what is offered, after some touches, and after something was written to find actions by. */
export function buttonsOf(offered: readonly Choice[], now: Narrowed, written: string): Buttons {
  const sought = plain(written);
  const alone = offered.filter(({ places }) => places.length === 0);
  const named = now.picked.length === 0 ? [] : now.complete;
  const counts = new Map<string, number>();
  for (const { kind = "" } of alone) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const isFew = ({ kind = "" }: Choice): boolean => (counts.get(kind) ?? 0) <= FEW;
  const calls = [...named, ...alone.filter(isFew)];
  const found =
    sought === ""
      ? alone.filter((choice) => !isFew(choice))
      : now.choices.filter(
          (choice) => !calls.includes(choice) && plain(`${choice.notation} ${choice.label}`).includes(sought),
        );
  return { calls, listed: found.slice(0, MAX_LISTED), more: Math.max(0, found.length - MAX_LISTED) };
}
