/** A review's figures of a whole game: how far it is, and how strong every seat stood and how it chose. */
import type { Outcome } from "@brettwerk/client/v1/games";
import type { Update } from "@brettwerk/client/v1/sessions";
import { curve, positions, type Answer, type Point } from "./chances";
import { sharesOf, sumsOf, type Sum } from "./luck";

/** The game as it was played, and how it ended. */
export interface Played {
  readonly start: Update | undefined;
  readonly plies: readonly Update[];
  readonly seats: number;
  readonly outcome: Outcome | undefined;
}

export interface Figures {
  /** The versions that are worth asking about. */
  readonly asked: readonly bigint[];
  /** How many of them have been answered. */
  readonly known: number;
  /** The chances of each seat in the course of the game. */
  readonly curves: readonly (readonly Point[])[];
  /** The effects of luck and of each seat's choices; none before all is answered. */
  readonly sums: readonly Sum[];
}

/** Returns the figures of a game. */
export function figuresOf({ start, plies, seats, outcome }: Played, answers: ReadonlyMap<bigint, Answer>): Figures {
  const answer = (version: bigint): Answer | undefined => answers.get(version);
  const asked = positions(start, plies).map(({ version }) => version);
  const known = asked.filter((version) => answers.has(version)).length;
  const stops = [...(start === undefined ? [] : [start]), ...plies];
  const all = Array.from({ length: seats }, (_, seat) => seat);
  return {
    asked,
    known,
    curves: all.map((seat) => curve(stops, answer, seat, seats, outcome)),
    sums: known > 0 && known === asked.length ? sumsOf(sharesOf(stops, answer, seats, outcome), seats) : [],
  };
}
