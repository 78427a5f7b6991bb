/** A new game like this one: the same number of seats, settings, clock and computers, and a new deal (EMP-SAVE-5). */
import type { RequestOf } from "@brettwerk/client/wire";
import type { Session } from "@brettwerk/client/v1/sessions";

/**
 * Returns what the server is asked for: the player sits where they sit now, computers of the same levels where they do, and the
 * seats of other persons are open for them.
 *
 * @param seedContribution makes what the player contributes to the seeds for one of their seats.
 */
export function sameAgain(
  session: Session,
  held: readonly number[],
  seedContribution: () => Uint8Array,
): RequestOf<"createSession"> {
  const { game, options, clock, competitive, public: listed, title } = session;
  const seats = session.seats.map(({ occupant }, seat) => {
    if (held.includes(seat))
      return { kind: { case: "me" as const, value: true }, seedContribution: seedContribution() };
    const kind = occupant?.kind;
    if (kind?.case !== "computer") return { kind: { case: "open" as const, value: true } };
    const { level, depth } = kind.value;
    return { kind: { case: "computer" as const, value: { level, depth } } };
  });
  return { game, competitive, public: listed, title, seats, ...(options && { options }), ...(clock && { clock }) };
}

/** Returns whether another person sits at the table, or is expected back: then this game goes on beside the new one. */
export function hasOthers(session: Session, held: readonly number[], me: string): boolean {
  return session.seats.some(
    ({ occupant, keptFor }, seat) =>
      (occupant?.kind.case === "person" && !held.includes(seat)) || (keptFor !== "" && keptFor !== me),
  );
}
