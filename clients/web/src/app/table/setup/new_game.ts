/** A new game like this one: the same settings and clock, a new deal (EMP-SAVE-5), and at the seats who is wished there (EWN-UI-5). */
import type { RequestOf } from "@brettwerk/client/wire";
import type { Game } from "@brettwerk/client/v1/games";
import type { Session } from "@brettwerk/client/v1/sessions";
import { withoutCompetitive } from "../../../api/options";
import { seatWish, usualLevel, type Wish } from "../../lobby/wishes";

/** Returns who sits where now: the player, computers of their levels; the seats of other persons are open for them. */
export function wishesOf(game: Game, session: Session, held: readonly number[]): readonly Wish[] {
  return session.seats.map(({ occupant }, seat) => {
    const kind = occupant?.kind;
    const computer = kind?.case === "computer" ? kind.value : undefined;
    const who = held.includes(seat) ? "me" : computer ? "computer" : "open";
    return { who, level: computer?.level ?? usualLevel(game.levels), depth: computer?.depth ?? 0 };
  });
}

/**
 * Returns what the server is asked for.
 *
 * @param seedContribution makes what the player contributes to the seeds for one of their seats.
 */
export function sameAgain(
  game: Game,
  session: Session,
  wishes: readonly Wish[],
  seedContribution: () => Uint8Array,
): RequestOf<"createSession"> {
  const { options, clock, competitive, spectatorDelay, leastReliability, public: listed, title } = session;
  const seats = wishes.map((wish) => seatWish(game, wish, seedContribution()));
  return {
    game: game.id,
    competitive,
    spectatorDelay,
    leastReliability,
    public: listed,
    title,
    seats,
    ...(options && { options: competitive ? withoutCompetitive(game, options) : options }),
    ...(clock && { clock }),
  };
}

/** Returns whether another person sits at the table, or is expected back: then this game goes on beside the new one. */
export function hasOthers(session: Session, held: readonly number[], me: string): boolean {
  return session.seats.some(
    ({ occupant, keptFor }, seat) =>
      (occupant?.kind.case === "person" && !held.includes(seat)) || (keptFor !== "" && keptFor !== me),
  );
}
