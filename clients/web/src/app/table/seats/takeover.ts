/** Which seats of computers a player may take while the game is on, as the session service allows it. */
import type { Session } from "@brettwerk/client/v1/sessions";
import { Session_State } from "@brettwerk/client/v1/sessions";

/**
 * Returns how a player can come to a computer's seat in mid-game: "back" where it is kept for the player, "take" where it is
 * nobody's and nobody else plays, and the player plays or has created the session; undefined where it is not to be had.
 */
export function mayTake(
  session: Session | undefined,
  seat: number,
  player: string | undefined,
  created: boolean,
): "back" | "take" | undefined {
  const wanted = session?.seats[seat];
  if (session === undefined || wanted?.occupant?.kind.case !== "computer" || !player) return undefined;
  if (session.state !== Session_State.RUNNING) return undefined;
  if (wanted.keptFor === player) return "back";
  if (wanted.keptFor !== "" || session.competitive) return undefined;
  const owners = session.seats.map(({ occupant, keptFor }) =>
    occupant?.kind.case === "person" ? occupant.kind.value.playerId : keptFor,
  );
  const plays = session.seats.some(
    ({ occupant }) => occupant?.kind.case === "person" && occupant.kind.value.playerId === player,
  );
  return (plays || created) && owners.every((owner) => owner === "" || owner === player) ? "take" : undefined;
}
