/** Passkeys as the browser makes and uses them. */
import { signIn, type Proof } from "../../api/account";
import { StartPasskeyRequest_Purpose as Purpose, type Account, type PasskeyProof } from "@brettwerk/client/v1/accounts";
import { Reason } from "@brettwerk/client/v1/errors";
import { ownRefusal } from "@brettwerk/client/wire";
import { server } from "../server.svelte";
import { freshProof } from "./fresh_proof.svelte";

/** Whether this browser has passkeys. */
export function hasPasskeys(): boolean {
  return typeof PublicKeyCredential === "function" && "parseCreationOptionsFromJSON" in PublicKeyCredential;
}

/** Makes a passkey on this device for the player, who must be one and is asked for a proof if it is not the first. Raises Refused. */
export async function addPasskey(label: string): Promise<Account | undefined> {
  const { challengeId, options } = await server.call("startPasskey", { purpose: Purpose.ADD, origin: location.origin });
  const json = JSON.parse(options) as PublicKeyCredentialCreationOptionsJSON;
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(json);
  const credential = await answerOf(navigator.credentials.create({ publicKey }));
  const proof = { challengeId, credential };
  return (await freshProof.with((fresh) => server.call("addPasskey", { proof, label, freshProof: fresh }))).account;
}

/** Becomes the player of a passkey. Raises Refused. */
export async function signInByPasskey(): Promise<void> {
  await signIn(server, { case: "passkey", value: await answerTo(Purpose.SIGN_IN) });
}

/** Returns what proves by a passkey that the player is who they are. Raises Refused. */
export async function proveByPasskey(): Promise<Proof> {
  return { proof: { case: "passkey", value: await answerTo(Purpose.PROVE) } };
}

/** Returns a passkey's answer to a challenge for a purpose. Raises Refused. */
async function answerTo(purpose: Purpose): Promise<PasskeyProof> {
  const { challengeId, options } = await server.call("startPasskey", { purpose, origin: location.origin });
  const json = JSON.parse(options) as PublicKeyCredentialRequestOptionsJSON;
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(json);
  const credential = await answerOf(navigator.credentials.get({ publicKey }));
  return { $typeName: "brettwerk.v1.PasskeyProof", challengeId, credential };
}

/** Returns what a device answers, as JSON. Raises Refused when it does not, or its person does not want it to. */
async function answerOf(asked: Promise<Credential | null>): Promise<string> {
  let credential: Credential | null;
  try {
    credential = await asked;
  } catch (error: unknown) {
    const isKnown = error instanceof DOMException && error.name === "InvalidStateError";
    throw ownRefusal(Reason.UNKNOWN, String(error), { what: isKnown ? "known_device" : "no_answer" });
  }
  if (!(credential instanceof PublicKeyCredential)) {
    throw ownRefusal(Reason.UNKNOWN, "no passkey", { what: "no_answer" });
  }
  return JSON.stringify(credential.toJSON());
}
