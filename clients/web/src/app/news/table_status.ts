/** How the player's tables stand: whose turn it is, how long they have for it, and when it was last played there. */
import { Session_State, type Session, type TurnState } from "@brettwerk/client/v1/sessions";
import { standsFor } from "../table/clock/clock";
import { ownSeats } from "../table/seats/own_seats";
import { vacationOf, type SeatVacation } from "../vacation/vacation";

export interface TableStatus {
  readonly session: Session;
  readonly isOver: boolean;
  readonly isMyTurn: boolean;
  /** Whether somebody waits for the player to act: another person, or a clock. */
  readonly isAwaited: boolean;
  /** How long the player has for it, vacation included, in milliseconds; undefined where no clock runs. */
  readonly leftMs: number | undefined;
  /** The vacation of each of the player's seats; none where the game has none, or is not being played. */
  readonly vacations: readonly SeatVacation[];
  /** When the table was last changed, in milliseconds since 1970; 0 where that is hidden. */
  readonly atMs: number;
}

/** Returns whether nothing is played at a table any more. */
export function isOver({ state }: Session): boolean {
  return state === Session_State.FINISHED || state === Session_State.CLOSED;
}

/** Returns the status of a table for a player; `now` is the server's time. */
export function tableStatus(
  session: Session,
  turn: TurnState | undefined,
  player: string | undefined,
  now: number,
): TableStatus {
  const mine = ownSeats(session, player);
  const acting = mine.filter(
    (seat) => turn?.toAct.includes(seat) === true && session.seats[seat]?.occupant?.kind.case === "person",
  );
  const isMyTurn = session.state === Session_State.RUNNING && acting.length > 0;
  const lefts = isMyTurn
    ? acting.flatMap((seat) => {
        const clock = turn?.clocks[seat];
        return clock?.running === true ? [Number(clock.leftMs) + standsFor(clock, now)] : [];
      })
    : [];
  const hasOthers = session.seats.some(
    ({ occupant }, seat) => occupant?.kind.case === "person" && !mine.includes(seat),
  );
  const leftMs = lefts.length > 0 ? Math.min(...lefts) : undefined;
  const vacations =
    session.state === Session_State.RUNNING ? mine.flatMap((seat) => vacationsAt(session, turn, seat, now)) : [];
  const isAway = acting.some((seat) => vacations.some((each) => each.seat === seat && each.until !== undefined));
  const isAwaited = isMyTurn && !isAway && (hasOthers || leftMs !== undefined);
  return { session, isOver: isOver(session), isMyTurn, isAwaited, leftMs, vacations, atMs: Number(turn?.atMs ?? 0n) };
}

function vacationsAt(session: Session, turn: TurnState | undefined, seat: number, now: number): SeatVacation[] {
  const clock = turn?.clocks[seat];
  const isPerson = session.seats[seat]?.occupant?.kind.case === "person";
  if (clock === undefined || !isPerson || !session.clock?.vacationDays) return [];
  return [{ seat, ...vacationOf(clock, now) }];
}

/** Returns tables in the order in which they want the player: their turn first, where the least time is left before others. */
export function inOrder(statuses: readonly TableStatus[]): TableStatus[] {
  const rank = ({ isOver, isMyTurn }: TableStatus): number => (isOver ? 2 : isMyTurn ? 0 : 1);
  const left = ({ leftMs }: TableStatus): number => leftMs ?? Number.MAX_SAFE_INTEGER;
  return [...statuses].sort(
    (one, other) => rank(one) - rank(other) || left(one) - left(other) || other.atMs - one.atMs,
  );
}
