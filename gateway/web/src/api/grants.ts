/** Puts the seat tokens that an answer brings into the wallet, whoever waited for it and whether he still does. */
import type { Answer, Call } from "./generated/brettwerk/v1/play_pb";
import type { Wallet } from "./wallet";

export function keepGrants(wallet: Wallet, call: Call, answer: Answer): void {
  const { response } = answer;
  const { request } = call;
  switch (response.case) {
    case "createSession":
    case "rematch":
    case "importSession":
    case "forkSession":
      for (const grant of response.value.grants) {
        if (response.value.session) wallet.keepSeat(response.value.session.id, grant.seat, grant.seatToken);
      }
      break;
    case "joinSession":
    case "setSeat": {
      const { grant } = response.value;
      if (grant && (request.case === "joinSession" || request.case === "setSeat")) {
        wallet.keepSeat(request.value.sessionId, grant.seat, grant.seatToken);
      }
      break;
    }
    default:
  }
}
