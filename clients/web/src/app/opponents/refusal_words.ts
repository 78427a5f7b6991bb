/** Why something about a challenge was refused, in the player's words. */
import { Reason, type Refusal } from "@brettwerk/client/v1/errors";
import { refusalText } from "../refusal_text";
import { find } from "../text/text.svelte";
import { say } from "./words";

/** Returns the sentence. */
export function refusalWords(refusal: Refusal): string {
  if (refusal.reason === Reason.PROPOSAL) {
    return say(refusal.details["challenge"] === "blocked" ? "refused.blocked" : "refused.ended");
  }
  return refusalText(refusal, find);
}
