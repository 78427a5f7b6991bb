/** Puts what an answer brings into the wallet, whoever waited for it and whether they still do: seat tokens, what was created, and who has signed in. */
import type { Answer, Call } from "@brettwerk/client/v1/play";
import type { Wallet } from "./wallet";

export function keepGrants(wallet: Wallet, call: Call, answer: Answer): void {
  const { response } = answer;
  const { request } = call;
  switch (response.case) {
    case "createSession":
    case "rematch":
    case "importSession":
    case "forkSession": {
      const { session, grants } = response.value;
      if (session === undefined) break;
      // A rematch is created by whoever asks first, which the answer does not tell.
      if (response.case !== "rematch") wallet.keepCreated(session.id);
      for (const grant of grants) wallet.keepSeat(session.id, grant.seat, grant.seatToken);
      break;
    }
    case "joinSession":
    case "setSeat": {
      const { grant } = response.value;
      if (grant && (request.case === "joinSession" || request.case === "setSeat")) {
        wallet.keepSeat(request.value.sessionId, grant.seat, grant.seatToken);
      }
      break;
    }
    case "signIn":
      wallet.keepDevice(response.value.playerId, response.value.deviceToken);
      break;
    case "setPassword":
      wallet.keepDevice(response.value.account?.playerId ?? "", response.value.deviceToken);
      break;
    default:
  }
}
