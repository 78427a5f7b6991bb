/** The settings that the board keeps on the device. */
import { AMOUNTS, type Amount } from "./orders";

export interface Preferences {
  /** How many armies a touch places. */
  readonly placing: Amount;
  /** How many throws, or armies, a touch is for after that. (Earlier boards kept their preset of all as `acting`.) */
  readonly doing: Amount;
  /** Whether the move table tells of moves, too ([Shift][B], EMP-TABLE-2). */
  readonly moves: boolean;
  /** Whether the own cards are hidden ([Shift][K], EMP-CARD-8). */
  readonly hidden: boolean;
  /** Whether armies are shown (EMP-UI-1). */
  readonly pills: boolean;
  /** Whether arrows show what others did. */
  readonly arrows: boolean;
  /** Whether the countries of each seat have a pattern besides their colour. */
  readonly patterned: boolean;
}

/** Returns what was kept, the originals of what is missing. */
export function readPreferences(kept: Readonly<Record<string, unknown>>): Preferences {
  const amount = (key: string, original: Amount): Amount => AMOUNTS.find((each) => each === kept[key]) ?? original;
  return {
    placing: amount("placing", 1),
    doing: amount("doing", 1),
    moves: kept["moves"] === true,
    hidden: kept["hidden"] === true,
    pills: kept["pills"] !== false,
    arrows: kept["arrows"] !== false,
    patterned: kept["patterned"] === true,
  };
}
