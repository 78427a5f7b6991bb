/** When something that was refused can be asked for again. */
import { Reason, type Refusal } from "@brettwerk/client/v1/errors";
import type { Key } from "../../text/text.svelte";
import { durationText } from "./wait_text";

/** Returns that as a sentence to follow another one; empty where it is not known. */
export function againText(
  { reason, retryAfterMs }: Refusal,
  t: (key: Key, args?: Record<string, string>) => string,
): string {
  const isWait = reason === Reason.FULL || reason === Reason.LEFT_GAMES;
  return isWait && retryAfterMs > 0 ? ` ${t("refused.again", { wait: durationText(retryAfterMs, t) })}` : "";
}
