/** Players who are waited for: who can be reminded, and whose time can be claimed. */
import { ClockSpec_Kind } from "@brettwerk/client/v1/record";
import type { Session, Update } from "@brettwerk/client/v1/sessions";
import { leftOf } from "../clock/clock";

const DAY_MS = 86_400_000n;

/** Returns the seats to act that other people than the player hold. */
function awaited(session: Session, update: Update, mine: readonly number[]): number[] {
  return update.toAct.filter((seat) => !mine.includes(seat) && session.seats[seat]?.occupant?.kind.case === "person");
}

/** Returns whether somebody can be reminded that it is their turn; the server knows whether it is too early. */
export function mayNudge(session: Session | undefined, update: Update | undefined, mine: readonly number[]): boolean {
  if (session === undefined || update === undefined) return false;
  const { clock } = session;
  if (clock !== undefined && clock.kind !== ClockSpec_Kind.UNSPECIFIED && clock.timeMs < DAY_MS) return false;
  return awaited(session, update, mine).some((seat) => session.seats[seat]?.nudged === false);
}

/** Returns the seats whose time is up, which the player can claim, and in how many milliseconds the next one's is. */
export function claims(
  session: Session | undefined,
  update: Update | undefined,
  mine: readonly number[],
  now: number,
): { readonly seats: readonly number[]; readonly nextMs: number } {
  if (session?.clock?.claims !== true || update === undefined) return { seats: [], nextMs: Infinity };
  const lefts = awaited(session, update, mine).flatMap((seat) => {
    const clock = update.clocks[seat];
    if (clock?.running !== true) return [];
    const away = Math.max(0, Number(clock.vacationUntilMs) - now);
    return [{ seat, left: away + leftOf(clock, Number(update.atMs), now) }];
  });
  return {
    seats: lefts.filter(({ left }) => left === 0).map(({ seat }) => seat),
    nextMs: Math.min(...lefts.filter(({ left }) => left > 0).map(({ left }) => left)),
  };
}
