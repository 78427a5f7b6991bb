/** Hints and chances: as one likes against computers; where people play each other, only when all of them have agreed. */
import type { Session } from "../../api/generated/brettwerk/v1/sessions_pb";

/** Returns whether people play with whom help has to be agreed: at seats that are not the player's on this device. */
export function othersPlay(session: Session | undefined, own: readonly number[]): boolean {
  return session?.seats.some((seat, index) => !own.includes(index) && seat.occupant?.kind.case === "person") ?? false;
}

/** Returns whether a player with these seats may have help now. */
export function mayHaveHelp(session: Session | undefined, own: readonly number[]): boolean {
  if (session === undefined || session.competitive || own.length === 0) return false;
  return session.helpAgreed || !othersPlay(session, own);
}
