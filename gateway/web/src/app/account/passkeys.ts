/** Passkeys as the browser makes and uses them. */
import { signIn } from "../../api/account";
import { StartPasskeyRequest_Purpose as Purpose, type Account } from "@brettwerk/client/v1/accounts";
import { Reason } from "@brettwerk/client/v1/errors";
import { ownRefusal } from "@brettwerk/client/wire";
import { server } from "../server.svelte";

/** Whether this browser has passkeys. */
export function hasPasskeys(): boolean {
  return typeof PublicKeyCredential === "function" && "parseCreationOptionsFromJSON" in PublicKeyCredential;
}

/** Makes a passkey on this device for the player, who must be one. Raises Refused. */
export async function addPasskey(label: string): Promise<Account | undefined> {
  const { challengeId, options } = await server.call("startPasskey", { purpose: Purpose.ADD, origin: location.origin });
  const json = JSON.parse(options) as PublicKeyCredentialCreationOptionsJSON;
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(json);
  const credential = await answerOf(navigator.credentials.create({ publicKey }));
  return (await server.call("addPasskey", { proof: { challengeId, credential }, label })).account;
}

/** Becomes the player of a passkey. Raises Refused. */
export async function signInByPasskey(): Promise<void> {
  const { challengeId, options } = await server.call("startPasskey", {
    purpose: Purpose.SIGN_IN,
    origin: location.origin,
  });
  const json = JSON.parse(options) as PublicKeyCredentialRequestOptionsJSON;
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(json);
  const credential = await answerOf(navigator.credentials.get({ publicKey }));
  const value = { $typeName: "brettwerk.v1.PasskeyProof", challengeId, credential } as const;
  await signIn(server, { case: "passkey", value });
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
