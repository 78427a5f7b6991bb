/** Hints and chances: as one likes against computers; where people play each other, only when all of them have agreed. */
import type { Session } from "@brettwerk/client/v1/sessions";

const isPerson = ({ occupant }: Session["seats"][number]): boolean => occupant?.kind.case === "person";

/** Returns whether people play who have to be asked: at seats that are not the player's on this device. */
export function othersPlay(session: Session | undefined, own: readonly number[]): boolean {
  return session?.seats.some((seat, index) => !own.includes(index) && isPerson(seat)) ?? false;
}

/** Returns whether people play each other, who may share a device. */
export function peoplePlay(session: Session | undefined): boolean {
  return (session?.seats.filter(isPerson).length ?? 0) > 1;
}

/** Returns whether a game may be asked about at all, even once it is over: not while another one that it goes on from may be running. */
export function isFair(session: Session | undefined): boolean {
  return !session?.withoutHelp || (session.helpAgreed && peoplePlay(session));
}

/** Returns whether a player with these seats may have help now. */
export function mayHaveHelp(session: Session | undefined, own: readonly number[]): boolean {
  if (session === undefined || session.competitive || own.length === 0) return false;
  return isFair(session) && (session.helpAgreed || !peoplePlay(session));
}

/** Returns whether a running game may be played on elsewhere, where a computer advises: not where other devices play it. */
export function mayFork(session: Session | undefined, own: readonly number[]): boolean {
  if (session === undefined || session.competitive) return false;
  return isFair(session) && (session.helpAgreed || !othersPlay(session, own));
}
