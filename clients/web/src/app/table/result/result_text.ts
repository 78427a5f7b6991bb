/** How a game ended, as whoever looks at it would say it. */
import type { Outcome } from "@brettwerk/client/v1/games";
import { ranked, winnersOf, type Words } from "./outcome";

/** The end's meaning to a viewer; `seen` to those who watch, and to those who have played several seats. */
export type Ending = "won" | "lost" | "drawn" | "seen";

/** Returns what an outcome is to the player of these seats. */
export function endingOf(outcome: Outcome, mine: readonly number[]): Ending {
  const winners = winnersOf(outcome);
  if (winners.length === 0) return "drawn";
  const [own] = mine;
  if (own === undefined || mine.length > 1) return "seen";
  return winners.includes(own) ? "won" : "lost";
}

/** Returns the key of the sentence that says to a viewer why a game ended; it is in the game's catalogue, or in the client's. */
export function endingKey({ reason, scores }: Outcome, ending: Ending): string {
  const kind = reason?.key.split(".")[1] ?? "";
  const leaves = kind === "resigned" || kind === "time";
  return `ending.${leaves && scores.length > 2 ? "last" : kind}.${ending}`;
}

/** The words that the reason of an end is said with. */
interface EndingWords extends Pick<Words, "seatName" | "list"> {
  /** Returns the sentence of a key, empty where there is none. */
  readonly say: (key: string, args: Readonly<Record<string, string>>) => string;
}

/** Returns why a game ended, as a viewer would say it and with the players' names; empty where nobody has put it so. */
export function reasonText(outcome: Outcome, ending: Ending, { say, seatName, list }: EndingWords): string {
  const winners = winnersOf(outcome);
  const losers = ranked(outcome).flatMap(({ seat }) => (winners.includes(seat) ? [] : [seat]));
  return say(endingKey(outcome, ending), { winner: list(winners.map(seatName)), loser: list(losers.map(seatName)) });
}
