"""Clocks: what each seat has left at a moment, when the next one runs out, vacations, and the pace of computers.

The last half says what chore of a session is due next, and when. The store's `due` set has the answer for every session.

Callers pass the time in. A turn lasts as long as a seat is to act without a break. PER_TURN: every turn has the same time; when
it is up, the rules determine the action that is played, and if that does not end the turn, the next one (EXPIRIES_IN_A_ROW times;
then the time starts again). TOTAL: a time for the whole game, to which each finished turn adds; a seat without time is flagged.
With a cap it is a bank of time: turns fill it up to there. With claims it is flagged only once somebody claims that, or
UNCLAIMED_MS later; until then it plays on.

Where rest hours do not count (rest_hours.py), only a seat's player knows them, and they are beside the log. So an entry says how
much time running clocks have used by then, and when they run out from there on; whoever reads the log needs nothing else.

While a seat is on vacation its clock stands still. A game with a slow clock gives each seat some days of it, which are counted
exactly: what remains of a vacation that ends early, or is taken again, is returned. No entry marks the planned end: a vacation
whose moment has passed is over. Where the table says so, all that a seat has left begins by itself LEAD_MS before its time would
be up, and ends with its next action.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from brettwerk.internal.v1 import rules_pb2
from brettwerk.v1 import errors_pb2, record_pb2, sessions_pb2
from services.runtime.refusal import Refused
from services.session.domain import perception, plies, rest_hours, substitutes
from services.session.domain.bounds import EXPIRIES_IN_A_ROW
from services.session.domain.ids import is_arranged
from services.session.domain.state import FINISHED, RUNNING, Seat, State, replace

PER_TURN = record_pb2.ClockSpec.KIND_PER_TURN
TOTAL = record_pb2.ClockSpec.KIND_TOTAL
DAY_MS = 86_400_000
VACATION_DAYS = 14
"""Days of vacation of a slow clock that does not state them."""
LEAD_MS = 3_600_000
"""How much time a seat has left when its vacation begins by itself, so that it has that much afterwards."""
UNCLAIMED_MS = 14 * DAY_MS
"""How long a seat whose time is up plays on at a table with claims if nobody claims that."""
_PARTS = 4
"""A turn is planned once, at its start: the beats after the first action last a fraction of the time for that."""
_CLOCK_SHARE = 8
"""A beat takes at most this fraction of what the seat's clock had when the beat began."""
_EARLY_MS = 600_000
"""How much earlier than due an idle session is checked."""


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
    return max(0, left - _used_ms(state, seat, now_ms)) if seat in running(state) else left


def _used_ms(state: State, seat: int, now_ms: int) -> int:
    """Return how much of its time a running seat has used since the clocks were last read, in milliseconds."""
    return rest_hours.used_ms(state.seats[seat].rest_hours, counts_since_ms(state, seat), now_ms)


def counts_since_ms(state: State, seat: int) -> int:
    """Return the time from which a seat's running clock counts down, in milliseconds since 1970.

    It may be in the future: a vacation has always begun by the time the clocks were last read, so only its end matters.
    """
    return max(state.clock_since_ms, state.seats[seat].vacation_until_ms)


def deadline_ms(state: State) -> int | None:
    """Return when a running clock decides something next, in milliseconds since 1970; None if none is running."""
    acting = running(state)
    return min(_decides_ms(state, seat) for seat in acting) if acting else None


def _decides_ms(state: State, seat: int) -> int:
    """Return when a running clock decides something: it sends its seat on vacation, or ends its game."""
    if goes_on_vacation(state, seat):
        return _runs_out_ms(state, seat, LEAD_MS)
    return seat_deadline_ms(state, seat) + (UNCLAIMED_MS if state.created.clock.claims else 0)


def goes_on_vacation(state: State, seat: int) -> bool:
    """Return whether a seat's vacation begins by itself before its time is up."""
    if not state.created.clock.automatic_vacation:
        return False
    return state.seats[seat].is_person and vacation_left_ms(state, seat) > 0


def seat_deadline_ms(state: State, seat: int) -> int:
    """Return when a seat's running clock runs out, in milliseconds since 1970."""
    return state.seats[seat].deadline_ms or counts_since_ms(state, seat) + state.seats[seat].left_ms


def clock_state(state: State, seat: int, now_ms: int) -> sessions_pb2.ClockState:
    """Return a seat's clock as everybody may see it at a moment.

    Where rest hours do not count, what is left of one that runs would stand still in them, and so reveal them: it is told by when
    it runs out.
    """
    if runs := seat in running(state):
        left = max(0, seat_deadline_ms(state, seat) - max(now_ms, counts_since_ms(state, seat)))
    else:
        left = left_ms(state, seat, now_ms)
    return sessions_pb2.ClockState(
        left_ms=left,
        running=runs,
        vacation_until_ms=state.seats[seat].vacation_until_ms,
        vacation_left_ms=vacation_left_ms(state, seat),
        vacation_automatic=state.seats[seat].vacation_automatic,
    )


def expired_seat(state: State, now_ms: int) -> int | None:
    """Return the first seat about which its clock has decided by now: its time is up, or it goes on vacation; None for none."""
    return next((seat for seat in running(state) if _decides_ms(state, seat) <= now_ms), None)


def credit_ms(state: State, outages: Sequence[Outage], now_ms: int) -> int:
    """Return how long the running clocks have run while nobody could act, in milliseconds."""
    seats = running(state)
    if not seats:
        return 0
    since = min(counts_since_ms(state, seat) for seat in seats)
    spans = [(max(gone.from_ms, since), min(gone.until_ms, now_ms)) for gone in outages]
    return max(sum(rest_hours.used_ms(state.seats[seat].rest_hours, *span) for span in spans) for seat in seats)


def advanced(state: State, at_ms: int, used_ms: Sequence[int] = ()) -> State:
    """Return the state with its clocks as of `at_ms`; `used_ms` says what those that run have used, where the log does."""
    if not state.created.clock.kind:
        return state
    if acting := running(state):
        used = dict(zip(acting, used_ms or [_used_ms(state, seat, at_ms) for seat in acting], strict=True))
        state = _with_left(state, [max(0, seat.left_ms - used.get(n, 0)) for n, seat in enumerate(state.seats)])
    return replace(state, clock_since_ms=at_ms)


def _with_left(state: State, left: Sequence[int]) -> State:
    return replace(state, seats=tuple(replace(seat, left_ms=ms) for seat, ms in zip(state.seats, left, strict=True)))


def note_used(state: State, entry: record_pb2.Entry) -> None:
    """Write into the next entry how much time the running clocks have used by then, where the log has to say it."""
    if state.created.clock.rest_hours and not entry.used_ms:
        entry.used_ms.extend(_used_ms(state, seat, entry.at_ms) for seat in running(state))


def dated(state: State, entry: record_pb2.Entry) -> State:
    """Return the state with the times at which clocks run out, where the log has to say them: the entry does from here on."""
    if not state.created.clock.rest_hours:
        return state
    acting = running(state)
    if not entry.deadlines_ms:
        entry.deadlines_ms.extend(_runs_out_ms(state, seat) for seat in acting)
    found = dict(zip(acting, entry.deadlines_ms, strict=True))
    return replace(state, seats=tuple(replace(seat, deadline_ms=found.get(n, 0)) for n, seat in enumerate(state.seats)))


def _runs_out_ms(state: State, seat: int, but_ms: int = 0) -> int:
    """Return when a running seat will have no more than `but_ms` left, in milliseconds since 1970."""
    left = max(0, state.seats[seat].left_ms - but_ms)
    return rest_hours.runs_out_ms(state.seats[seat].rest_hours, counts_since_ms(state, seat), left)


def filled(state: State) -> State:
    """Return the state with every clock full."""
    clock = state.created.clock
    return _with_left(state, [clock.time_ms] * len(state.seats)) if clock.kind else state


def after_undo(state: State) -> State:
    """Return the state after plies were taken back: a turn's time starts again, a game's time goes on."""
    clock = state.created.clock
    if clock.kind != PER_TURN:
        return state
    return _with_left(state, [clock.time_ms if n in state.to_act else seat.left_ms for n, seat in enumerate(state.seats)])


def after_turn(before: State, after: State, actor: int) -> State:
    """Return `after` with its clocks set for the turns that a step of `actor` (-1: the system) from `before` ended and began."""
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
            seats[number] = replace(seat, left_ms=incremented_ms(clock, seat.left_ms))
    return replace(after, seats=tuple(seats))


def incremented_ms(clock: record_pb2.ClockSpec, left_ms: int) -> int:
    """Return what a seat has after a finished turn, in milliseconds. A cap takes away nothing that is there already."""
    full_ms = left_ms + clock.increment_ms
    return max(left_ms, min(full_ms, clock.cap_ms)) if clock.cap_ms else full_ms


def credited(state: State, time_ms: int) -> State:
    """Return the state with time given back to the running clocks."""
    if not time_ms:
        return state
    runs = running(state)
    return _with_left(state, [seat.left_ms + (time_ms if n in runs else 0) for n, seat in enumerate(state.seats)])


def is_slow(clock: record_pb2.ClockSpec) -> bool:
    """Return whether a clock is for games that last days."""
    return bool(clock.kind) and clock.time_ms >= DAY_MS


def leaves_days(state: State) -> bool:
    """Return whether a game may last days: it has no clock, or a slow one."""
    return not state.created.clock.kind or is_slow(state.created.clock)


def vacation_left_ms(state: State, seat: int) -> int:
    """Return how much vacation a seat has left for later, in milliseconds."""
    return max(0, state.created.clock.vacation_days * DAY_MS - state.seats[seat].vacation_taken_ms)


def vacation_until_ms(state: State, seat: int, days: int, now_ms: int) -> int:
    """Return until when a vacation of that many days lasts if it begins now, in milliseconds since 1970.

    A seat's last day may be incomplete. Raises Refused (NO_VACATION) for more days than it has left.
    """
    found = vacation_left_ms(state, seat) + vacation_rest_ms(state.seats[seat], now_ms)
    if days > -(-found // DAY_MS):
        message = "there is not so much vacation left" if found else "there is no vacation left"
        if not state.created.clock.vacation_days:
            message = "this game has no vacation"
        raise Refused(errors_pb2.REASON_NO_VACATION, message, details={"left_ms": str(found)})
    return now_ms + min(days * DAY_MS, found)


def vacation_rest_ms(seat: Seat, now_ms: int) -> int:
    """Return how long a seat will still be on vacation, in milliseconds."""
    return max(0, seat.vacation_until_ms - now_ms)


def with_vacation(seat: Seat, until_ms: int, now_ms: int, *, automatic: bool = False) -> Seat:
    """Return the seat that is on vacation from now until a moment; 0 for not at all. `automatic`: it began by itself."""
    former, rest = vacation_rest_ms(seat, now_ms), max(0, until_ms - now_ms)
    taken = seat.vacation_taken_ms - former + rest
    return replace(seat, vacation_until_ms=until_ms, vacation_taken_ms=taken, vacation_automatic=automatic)


def after_own_action(state: State, actor: int, now_ms: int) -> State:
    """Return the state after a seat has acted itself, which ends a vacation that began by itself."""
    seat = state.seats[actor]
    return state.with_seat(actor, with_vacation(seat, 0, now_ms)) if seat.vacation_automatic else state


def played_at_ms(state: State, step: rules_pb2.Step, seat: int, now_ms: int, think_ms: int) -> int:
    """Return when a computer's action that is ready now is played, in milliseconds since 1970; `now_ms` if it need not wait.

    `state` is the one before it, `step` what the action leads to, and `think_ms` how long the computer may think about a turn.

    If seats can act unperceived, its timing must reveal nothing done unseen: a computer needs a moment for every action, so the
    time that its turn takes would reveal how many there were. Therefore anything that others perceive is played on a beat: a
    whole number of equal intervals after what everybody perceived last. Within an interval, a computer does everything in
    between; what nobody else perceives is played immediately, because nobody sees when. An action that only some perceive comes
    on a quarter of a beat, so that for everybody else the next whole one stays the same. A computer that is late, because too few
    workers are running, comes on a later beat: then the time also depends on the workers.
    """
    others = perception.audiences_of(state) & perception.UNLISTED & ~(1 << seat)
    if not step.can_hide or not others & ~step.unaware:
        return now_ms
    since_ms = perception.changed_ms(state)
    beat_ms = think_ms // _PARTS if plies.last_perceived_actor(state) == seat else think_ms
    if running(state):
        had_ms = left_ms(state, seat, now_ms) + max(0, now_ms - since_ms)
        beat_ms = min(beat_ms, had_ms // _CLOCK_SHARE)
    span_ms = max(1, beat_ms // _PARTS if others & step.unaware else beat_ms)
    return since_ms + max(1, -(-(now_ms - since_ms) // span_ms)) * span_ms


class Chore(Enum):
    """The chore that is due."""

    CLOCK = "clock"
    COMPUTER = "computer"
    SUBSTITUTE = "substitute"
    ABANDON = "abandon"
    ARCHIVE = "archive"


class Due(NamedTuple):
    """A chore and its time, in milliseconds since 1970."""

    at_ms: int
    chore: Chore


@dataclass(frozen=True, slots=True)
class Timeouts:
    """How long the session waits, in milliseconds. `think_ms` is the thinking time of each level of the game."""

    think_ms: Mapping[str, int]
    grace_ms: int
    abandon_ms: int
    undo_ms: int = 120_000
    """How long an ending that can be taken back waits before it is archived."""
    unmoved_ms: int = 86_400_000
    """How long a session waits in which no person has played yet."""

    def thinking_ms(self, level: str) -> int:
        """Return how long a computer may think about a move; for an unknown level, as long as the slowest one."""
        return self.think_ms.get(level, max(self.think_ms.values(), default=1000))

    def move_ms(self, level: str) -> int:
        """Return how long a computer's move may take until it is played."""
        return self.thinking_ms(level) + self.grace_ms


def is_worth_noting(due: Due, noted_ms: int | None) -> bool:
    """Return whether the store must be informed when something is due, given the moment it has noted (None: unknown).

    A moment noted a little too early costs one check: then nothing is due yet, and the right moment is noted.
    """
    if noted_ms is None or due.at_ms < noted_ms or due.chore is not Chore.ABANDON:
        return noted_ms != due.at_ms
    return due.at_ms - noted_ms > _EARLY_MS


def next_due(state: State, timeouts: Timeouts) -> Due:
    """Return what must happen next."""
    if state.is_over:
        undoable = state.status == FINISHED and any(plies.free_undo(state, seat) for seat in state.persons())
        return Due(state.at_ms + (timeouts.undo_ms if undoable else 0), Chore.ARCHIVE)
    deadline = deadline_ms(state)
    # A running clock determines how long a game may be idle: a turn may have more days than a session without a clock.
    at_ms, chore = (_abandoned_ms(state, timeouts), Chore.ABANDON) if deadline is None else (deadline, Chore.CLOCK)
    if state.status == RUNNING:
        for seat in state.seats:
            if seat.wanted_version and seat.occupant is not None:
                moves_ms = seat.wanted_at_ms + timeouts.move_ms(seat.occupant.computer.level)
                if moves_ms < at_ms:
                    at_ms, chore = moves_ms, Chore.COMPUTER
    if state.offers and (seated_ms := substitutes.due_ms(state)) is not None and seated_ms < at_ms:
        at_ms, chore = seated_ms, Chore.SUBSTITUTE
    return Due(at_ms, chore)


def _abandoned_ms(state: State, timeouts: Timeouts) -> int:
    """Return until when a session may be idle. Hidden actions do not extend that, or its end would reveal them."""
    has_moved = plies.has_moved(perception.perceived(state, perception.SPECTATOR))
    # A table that the players service has set up is closed by it when the time to come is over: up to three days in a tournament.
    waits_long = has_moved or is_arranged(state.created.creator.player_id)
    return perception.changed_ms(state) + (timeouts.abandon_ms if waits_long else min(timeouts.abandon_ms, timeouts.unmoved_ms))
