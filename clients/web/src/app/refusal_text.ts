/** Refusals in the player's words. */
import { Reason, type Refusal } from "@brettwerk/client/v1/errors";
import { fill } from "./text/fill";

/**
 * Returns why something was refused: the rule in the game's words where a rule forbids it, otherwise that the server has left the
 * game out, otherwise what the reason means for what was asked for, otherwise which bound was reached or what is wrong with a
 * field, otherwise the reason, otherwise the server's own sentence.
 *
 * @param sentence looks a key up in the game's catalogue and in the client's.
 * @param about what was asked for.
 */
export function refusalText(refusal: Refusal, sentence: (key: string) => string | undefined, about = ""): string {
  const rule = refusal.rule === "" ? undefined : sentence(`rule.${refusal.rule}`);
  if (rule !== undefined) {
    const filled = fill(rule, refusal.details);
    // A rule's sentence that lacks its facts says less than the server's own.
    if (!/\{\w+\}/.test(filled)) return filled;
  }
  const name = Reason[refusal.reason];
  const bound = refusal.reason === Reason.FULL ? refusal.details["bound"] : undefined;
  const reason =
    (refusal.details["left_out"] === undefined ? undefined : sentence("refused.left_out")) ??
    sentence(`refused.${about}.${name}`) ??
    sentence(`refused.bound.${bound ?? ""}`) ??
    sentence(`restricted.${refusal.details["restriction"] ?? ""}`) ??
    sentence(`field.${refusal.field}`) ??
    sentence(`reason.${name}`);
  if (reason !== undefined && refusal.rule === "") return fill(reason, refusal.details);
  return refusal.message || (reason ?? name);
}
