/** Coming to a table where a seat is kept for the player. */
import { router } from "../router.svelte";
import { newSeedContribution } from "../seed_contribution";
import { server } from "../server.svelte";

/** Takes the seat that is kept for the player, and goes to the table; who has come before just goes there. */
export async function enter(sessionId: string): Promise<void> {
  await server
    .call("joinSession", { sessionId, seat: -1, seedContribution: newSeedContribution() })
    .catch(() => undefined);
  router.go(`/s/${sessionId}`);
}
