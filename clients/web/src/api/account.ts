/** Calls that change who the player of this browser is. */
import type { RequestOf } from "@brettwerk/client/wire";

/** A fresh proof of who is calling; undefined for none. */
export type Proof = RequestOf<"startLink">["proof"];
import type { Client } from "./client";

/** Becomes the player that a link, a phrase, or a name and a password prove. Raises Refused. */
export async function signIn(server: Client, proof: NonNullable<RequestOf<"signIn">["proof"]>): Promise<void> {
  await server.keepPlayer(await server.call("signIn", { proof, deviceTokens: [...server.wallet.devices] }));
}

/** Voids the tokens of all other devices. Raises Refused. */
export async function signOutEverywhere(server: Client): Promise<void> {
  await server.keepPlayer(await server.call("signOutEverywhere", {}));
}

/** Deletes the player's account; with the next thing that needs a player there is another guest. Raises Refused. */
export async function deleteAccount(server: Client, name: string, proof: Proof): Promise<void> {
  await server.call("deleteAccount", { name, proof });
  server.wallet.forgetPlayer();
  server.interrupt();
  server.start();
}
