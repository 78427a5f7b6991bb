/** Signing in through the operator's OpenID provider: there, and back to the page /signed-in. */
import { signIn } from "../../api/account";
import { Reason } from "@brettwerk/client/v1/errors";
import { ownRefusal } from "@brettwerk/client/wire";
import { server } from "../server.svelte";
import { freshProof } from "./fresh_proof.svelte";

/** Goes to the provider's page, as the player that this browser has. Raises Refused. */
export async function goToProvider(): Promise<void> {
  const { origin } = location;
  const { address } = await freshProof.with((proof) => server.call("startProviderSignIn", { origin, proof }));
  location.assign(address);
}

/** Becomes the player of whom the provider has said something in the address that it sent the browser to. Raises Refused. */
export async function signInByProvider(said: URLSearchParams): Promise<void> {
  const [state, code] = [said.get("state"), said.get("code")];
  if (state === null || code === null) {
    throw ownRefusal(Reason.UNKNOWN, said.get("error") ?? "", { what: "provider_denied" });
  }
  const value = { $typeName: "brettwerk.v1.ProviderProof", state, code } as const;
  await signIn(server, { case: "provider", value });
}
