/** One action of the notation (EMP-NOTATION-1) in words, with the names that countries have in the player's language. */
import type { Say } from "../board";
import { nameOf } from "./narration";
import { COUNTRIES } from "./world";

const PLACE = /^(.+) \+(\d+)$/;
const LINK = /^(.+) (->|=>) (.+) (\d+|max)$/;
const NUMBERS = new Map(COUNTRIES.map(({ notation }, number) => [notation, number]));

/** Returns an action in words; empty for one that is about no country. */
export function inWords(notation: string, say: Say): string {
  const name = (written: string): string => {
    const number = NUMBERS.get(written);
    return number === undefined ? written : nameOf(number, say);
  };
  const placed = PLACE.exec(notation);
  if (placed !== null) {
    const [, country = "", armies = ""] = placed;
    return say("choice.place", { country: name(country), armies });
  }
  const linked = LINK.exec(notation);
  if (linked === null) return "";
  const [, from = "", sign, to = "", amount = ""] = linked;
  const ends = { source: name(from), target: name(to) };
  if (sign === "=>") return say("choice.move", { ...ends, armies: amount });
  return amount === "max" ? say("choice.attack.end", ends) : say("choice.attack", { ...ends, throws: amount });
}
