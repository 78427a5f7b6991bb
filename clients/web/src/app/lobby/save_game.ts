/** Opening saved games: what is asked for, and where one goes then. */
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Game } from "@brettwerk/client/v1/games";
import type { ImportSessionRequestSchema, SavedGame, SeatWishSchema } from "@brettwerk/client/v1/play";
import { becomePlayer, server } from "../server.svelte";
import { newSeedContribution } from "../seed_contribution";
import { usualLevel } from "./wishes";

/** Returns whether seats of a saved game are other persons' than the player's. */
export function hasOthers(save: SavedGame, player: string | undefined): boolean {
  return save.heldBy.some((holder) => holder !== "" && holder !== player);
}

/** Returns the wishes of a player who goes on alone: the own seats, and computers at all others, those that there were and usual ones. */
export function wishesAlone(
  save: SavedGame,
  player: string | undefined,
  game: Game | undefined,
): MessageInitShape<typeof SeatWishSchema>[] {
  const level = usualLevel(game?.levels ?? []);
  return save.seats.map(({ occupant }, seat) => {
    if (save.heldBy[seat] === player)
      return { kind: { case: "me", value: true }, seedContribution: newSeedContribution() };
    const kind = occupant?.kind;
    const { level: own, depth } = kind?.case === "computer" ? kind.value : { level, depth: 0 };
    return { kind: { case: "computer", value: { level: own, depth } } };
  });
}

/** Opens a saved game, seats the player, and returns the id of the table. Raises Refused. */
export async function open(
  request: Omit<MessageInitShape<typeof ImportSessionRequestSchema>, "$typeName" | "requestId">,
): Promise<string> {
  await becomePlayer();
  const { session, grants } = await server.call("importSession", request);
  if (session === undefined) return "";
  // Where nothing is hidden the seats are open, and who opens it takes one; where all are computers' there is none to take.
  if (grants.length === 0) {
    await server
      .call("joinSession", { sessionId: session.id, seat: -1, seedContribution: newSeedContribution() })
      .catch(() => undefined);
  }
  return session.id;
}
