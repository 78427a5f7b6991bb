/** A player's own seats in a game, whoever moves for them. */
import type { Session } from "@brettwerk/client/v1/sessions";

/** Returns the seats that are a player's: where they sit, and those that computers play until the player takes them back. */
export function ownSeats(session: Session | undefined, player: string | undefined): number[] {
  if (!player) return [];
  return (session?.seats ?? []).flatMap(({ occupant, keptFor }, seat) => {
    const kind = occupant?.kind;
    const sits = kind?.case === "person" && kind.value.playerId === player;
    return sits || (kind?.case === "computer" && keptFor === player) ? [seat] : [];
  });
}
