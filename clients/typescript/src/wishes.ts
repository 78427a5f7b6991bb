/** Wishes for who shall sit where. */
import type { RequestOf } from "./calls";

/** A wish for one seat. */
export type SeatWish = NonNullable<RequestOf<"createSession">["seats"]>[number];

/** Wishes a seat for the caller, who may contribute to the seeds with it (up to 64 bytes). */
export function me(seedContribution: Uint8Array<ArrayBuffer> = new Uint8Array()): SeatWish {
  return { kind: { case: "me", value: true }, seedContribution };
}

/** Wishes a computer player of a level that the game has; some levels take a search depth. */
export function computer(level: string, depth = 0): SeatWish {
  return { kind: { case: "computer", value: { level, depth } } };
}

/** Wishes that a seat stays open for whoever joins. */
export function nobody(): SeatWish {
  return { kind: { case: "open", value: true } };
}
