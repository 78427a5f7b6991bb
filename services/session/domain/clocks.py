"""Time as data: what each seat has left at a moment, and when the next clock runs out. The edge supplies the moments.

A turn lasts as long as a seat is to act without a break. PER_TURN: every turn has the same time; when it is up, the rules
determine the action that is played, and if that does not end the turn, the next one (EXPIRIES_IN_A_ROW times; then the time
starts again). TOTAL: a time for the whole game, to which each finished turn adds; a seat without time is flagged. While a seat is
on vacation its clock stands still (vacation.py).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from brettwerk.v1 import record_pb2, sessions_pb2
from services.session.domain import vacation
from services.session.domain.bounds import EXPIRIES_IN_A_ROW
from services.session.domain.state import RUNNING, State, replace

PER_TURN = record_pb2.ClockSpec.KIND_PER_TURN
TOTAL = record_pb2.ClockSpec.KIND_TOTAL


@dataclass(frozen=True, slots=True)
class Outage:
    """A period in which nobody swept, so that nobody could act: milliseconds since 1970."""

    from_ms: int
    until_ms: int


def running(state: State) -> tuple[int, ...]:
    """Return the seats whose clocks run."""
    return state.to_act if state.status == RUNNING and state.created.clock.kind else ()


def left_ms(state: State, seat: int, now_ms: int) -> int:
    """Return what is left of a seat's time, in milliseconds."""
    left = state.seats[seat].left_ms
    return max(0, left - max(0, now_ms - counts_since_ms(state, seat))) if seat in running(state) else left


def counts_since_ms(state: State, seat: int) -> int:
    """Return the time from which a seat's running clock counts down, in milliseconds since 1970.

    It may be in the future: a vacation has always begun by the time the clocks were last read, so only its end matters.
    """
    return max(state.clock_since_ms, state.seats[seat].vacation_until_ms)


def deadline_ms(state: State) -> int | None:
    """Return when the next clock runs out, in milliseconds since 1970; None if none is running."""
    return min((seat_deadline_ms(state, seat) for seat in running(state)), default=None)


def seat_deadline_ms(state: State, seat: int) -> int:
    """Return when a seat's running clock runs out, in milliseconds since 1970."""
    return counts_since_ms(state, seat) + state.seats[seat].left_ms


def shown(state: State, seat: int, now_ms: int) -> sessions_pb2.ClockState:
    """Return a seat's clock as everybody may see it at a moment."""
    return sessions_pb2.ClockState(
        left_ms=left_ms(state, seat, now_ms),
        running=seat in running(state),
        vacation_until_ms=state.seats[seat].vacation_until_ms,
        vacation_left_ms=vacation.left_ms(state, seat),
    )


def expired_seat(state: State, now_ms: int) -> int | None:
    """Return the first seat whose time is up, or None."""
    return next((seat for seat in running(state) if left_ms(state, seat, now_ms) == 0), None)


def credit_ms(state: State, outages: Sequence[Outage], now_ms: int) -> int:
    """Return how long the running clocks have run while nobody could act, in milliseconds."""
    seats = running(state)
    if not seats:
        return 0
    since = min(counts_since_ms(state, seat) for seat in seats)
    return sum(max(0, min(gone.until_ms, now_ms) - max(gone.from_ms, since)) for gone in outages)


def advanced(state: State, at_ms: int) -> State:
    """Return the state with its clocks as of `at_ms`."""
    if not state.created.clock.kind:
        return state
    if running(state):
        seats = tuple(replace(seat, left_ms=left_ms(state, number, at_ms)) for number, seat in enumerate(state.seats))
        state = replace(state, seats=seats)
    return replace(state, clock_since_ms=at_ms)


def started(state: State) -> State:
    """Return the state with every clock full."""
    if not state.created.clock.kind:
        return state
    return replace(state, seats=tuple(replace(seat, left_ms=state.created.clock.time_ms) for seat in state.seats))


def begun(state: State) -> State:
    """Return the state after plies were taken back: a turn's time starts again, a game's time goes on."""
    clock = state.created.clock
    if clock.kind != PER_TURN:
        return state
    return replace(
        state,
        seats=tuple(replace(seat, left_ms=clock.time_ms) if n in state.to_act else seat for n, seat in enumerate(state.seats)),
    )


def turned(before: State, after: State, actor: int) -> State:
    """Return `after` with its clocks set for the turns that the step from `before` ended and began.

    `actor` is the seat that acted; -1 for a system action.
    """
    clock = after.created.clock
    if not clock.kind:
        return after
    alone = len(after.seats) == 1
    seats = list(after.seats)
    for number, seat in enumerate(seats):
        acts, acted = number in after.to_act, number in before.to_act
        if clock.kind == PER_TURN and acts:
            worn_out = actor == number and after.expiries >= EXPIRIES_IN_A_ROW
            if not acted or alone or worn_out:
                seats[number] = replace(seat, left_ms=clock.time_ms)
        elif clock.kind == TOTAL and actor == number and acted and (alone or not acts):
            seats[number] = replace(seat, left_ms=seat.left_ms + clock.increment_ms)
    return replace(after, seats=tuple(seats))


def credited(state: State, time_ms: int) -> State:
    """Return the state with time given back to the running clocks."""
    if not time_ms:
        return state
    seats = running(state)
    return replace(
        state,
        seats=tuple(replace(seat, left_ms=seat.left_ms + (time_ms if n in seats else 0)) for n, seat in enumerate(state.seats)),
    )
