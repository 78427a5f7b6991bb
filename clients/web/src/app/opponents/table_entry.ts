/** Coming to a table where a seat is kept for the player. */
import { router } from "../router.svelte";
import { newSeedContribution } from "../seed_contribution";
import { server } from "../server.svelte";

/** Takes the seat that is kept for the player, and goes to the table; who has come before just goes there. */
export async function enter(sessionId: string): Promise<void> {
  await enterAll([sessionId]);
}

/** Takes the seats that are kept for the player at several tables, and goes to the first. */
export async function enterAll(sessionIds: readonly string[]): Promise<void> {
  const entering = sessionIds.map((sessionId) =>
    server.call("joinSession", { sessionId, seat: -1, seedContribution: newSeedContribution() }).catch(() => undefined),
  );
  await Promise.all(entering);
  if (sessionIds[0] !== undefined) router.go(`/s/${sessionIds[0]}`);
}
