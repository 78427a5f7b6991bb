/** An outcome's meaning for the seats: who has won, who stands where, and what became of their chances. */
import type { Outcome } from "@brettwerk/client/v1/games";
import type { Key } from "../../text/text.svelte";

/** Returns the seats that have won, in order; none in a draw. */
export function winnersOf(outcome: Outcome): readonly number[] {
  if (outcome.places.length > 0) return outcome.winners;
  // A server of 0.1.0 tells the scores only.
  const first = placesOf(outcome).flatMap((place, seat) => (place === 1 ? [seat] : []));
  return first.length === 1 ? first : [];
}

/** Returns the place of every seat, from 1; seats that share one have the same number. */
export function placesOf({ places, scores }: Outcome): readonly number[] {
  if (places.length > 0) return places;
  return scores.map((score) => 1 + scores.filter((other) => other > score).length);
}

/** Returns the seats by their places, the best first. */
export function ranked(outcome: Outcome): { seat: number; place: number }[] {
  return placesOf(outcome)
    .map((place, seat) => ({ seat, place }))
    .sort((one, other) => one.place - other.place);
}

/** Returns the side of every seat; partners have the same number. */
export function sidesOf(outcome: Outcome | undefined, seats: number): readonly number[] {
  return outcome?.sides.length === seats ? outcome.sides : Array.from({ length: seats }, (_, seat) => seat);
}

/** Returns what a seat's chance to win came to, 0 to 1: that of its side where seats were partners. */
export function chanceAtEnd(outcome: Outcome, seat: number): number | undefined {
  const { scores } = outcome;
  if (scores[seat] === undefined) return undefined;
  const sides = sidesOf(outcome, scores.length);
  return scores.reduce((sum, score, other) => (sides[other] === sides[seat] ? sum + score : sum), 0);
}

/** The words that a verdict is made of. */
export interface Words {
  readonly t: (key: Key, args?: Record<string, string>) => string;
  readonly seatName: (seat: number) => string;
  /** Joins names to a list (A, B and C). */
  readonly list: (names: readonly string[]) => string;
}

/** Returns how a game ended in a few words; to whoever played one seat of it, in their words. */
export function verdict(outcome: Outcome, mine: readonly number[], { t, seatName, list }: Words): string {
  const winners = winnersOf(outcome);
  if (winners.length === 0) return t("result.draw");
  const [own] = mine;
  if (mine.length === 1 && own !== undefined) {
    if (!winners.includes(own)) return t("result.lost");
    const partners = winners.filter((seat) => seat !== own).map(seatName);
    return partners.length > 0 ? t("result.won.with", { seats: list(partners) }) : t("result.won");
  }
  const names = winners.map(seatName);
  return names.length > 1 ? t("result.winners", { seats: list(names) }) : t("result.winner", { seat: list(names) });
}
