"""Arbiters: people who do not play at a table, and rule there with a reason that everybody sees.

`Created.arbiters` has them; it is empty at nearly all tables. They are named before a game begins, and rule while it is played.
A ruling is an entry of the log. One that stops the game holds until an arbiter restarts it (`State.halt`), and no player ends
it. One that decides the game for seats lets them forfeit, each by an entry of its own that the rules carry out as if the seat had
resigned (`State.forfeits`); nobody takes that back.
"""

from functools import partial

from brettwerk.internal.v1 import session_pb2
from brettwerk.v1 import arbiters_pb2, errors_pb2, games_pb2, record_pb2
from services.runtime.bots import is_bot
from services.runtime.refusal import malformed, require_room
from services.session.domain import clocks
from services.session.domain.bounds import ARBITERS
from services.session.domain.commands import access
from services.session.domain.commands.decision import (
    Command,
    Decision,
    answer_with_session,
    answer_with_version,
    command,
    system_entry,
)
from services.session.domain.state import PAUSED, State

LEAST_MS, HOUR_MS = 1_000, 3_600_000
MAX_LEFT_MS = 60 * 86_400_000
"""The most time that a ruling can bring a seat's clock to."""
_DECIDING = ("forfeited_seat", "draw", "ranking")
"""The kinds of ruling that decide the game, for a seat or for all."""

refused = partial(access.because, errors_pb2.REASON_ARBITER)


def is_no_change(state: State, request: arbiters_pb2.NameArbiterRequest) -> bool:
    """Return whether a player is what a request would make them already."""
    return (state.arbiter(request.player_id) is None) == request.withdraw


@command
def name(
    state: State, _now_ms: int, request: arbiters_pb2.NameArbiterRequest, caller: session_pb2.Caller, called: str
) -> Decision:
    """Return the command that makes a player, who is called so, an arbiter, or no longer one.

    The creator of a table does that before the game begins, and an arbiter withdraws. It raises Refused: NO_TOKEN, ARBITER,
    GAME_OVER, FULL.
    """
    player = access.player(caller)
    withdraws = request.withdraw and request.player_id == player
    if not withdraws and player != state.created.creator.player_id:
        raise refused("only who has created a table names its arbiters", "not_arbiter")
    access.not_over(state)
    if state.has_begun and not withdraws:
        raise refused("arbiters are named before the game begins", "begun")
    answer = answer_with_session("name_arbiter")
    if is_no_change(state, request):
        return Decision(answer)
    if not request.withdraw:
        if any(request.player_id in (seat.player_id, seat.kept_for) for seat in state.seats):
            raise refused("an arbiter of the table does not play there", "seat")
        require_room(len(state.created.arbiters), ARBITERS, "arbiters")
    arbiter = state.arbiter(request.player_id) or record_pb2.Person(
        player_id=request.player_id, name=called, bot=is_bot(request.player_id)
    )
    named = record_pb2.ArbiterNamed(arbiter=arbiter, withdrawn=request.withdraw)
    return Decision(answer, (record_pb2.Entry(arbiter_named=named),))


def rule(request: arbiters_pb2.RuleAsArbiterRequest, caller: session_pb2.Caller) -> Command:
    """Return the command of a ruling, whose reason has been checked. Raises Refused (MALFORMED) where it rules nothing.

    The command raises Refused: NO_TOKEN, ARBITER, GAME_OVER, NOT_RUNNING, UNKNOWN, MALFORMED, and what the rules refuse.
    """
    ruling = request.ruling
    kind = ruling.WhichOneof("kind")
    if kind is None or (kind == "draw" and not ruling.draw):
        raise malformed("ruling", "a ruling says what is ruled")

    def decide(state: State, _now_ms: int) -> Decision:
        arbiter = state.arbiter(access.player(caller))
        if arbiter is None:
            raise refused("only an arbiter of the table rules there", "not_arbiter")
        access.not_over(state)
        if not state.has_begun:
            access.running(state)
        _check(state, ruling)
        entries = [record_pb2.Entry(arbiter_acted=record_pb2.ArbiterActed(arbiter=arbiter, ruling=ruling))]
        if kind == "draw":  # any other kind concerns only the clocks, or follows seat by seat
            entries.append(system_entry(state, games_pb2.SystemAction(draw=True), record_pb2.Acted.CAUSE_ARBITER))
        return Decision(answer_with_version("rule_as_arbiter", None), tuple(entries), is_final=kind in _DECIDING)

    return decide


def _check(state: State, ruling: record_pb2.Ruling) -> None:
    """Return if that can be ruled now. Raises Refused (ARBITER, UNKNOWN, MALFORMED)."""
    match ruling.WhichOneof("kind"):
        case "pause":
            # One may also keep a pause that the players have agreed on, or end it.
            if state.halt is not None if ruling.pause else state.status != PAUSED:
                raise refused("that is so already", "state")
        case "given_time":
            _check_given(state, ruling.given_time)
        case "forfeited_seat":
            access.seat_exists(state, ruling.forfeited_seat)
            if state.is_out(ruling.forfeited_seat):
                raise refused("that seat is out of the game already", "out")
        case "ranking":
            if sorted(ruling.ranking.seats) != list(range(len(state.seats))) or len(state.seats) == 1:
                raise malformed("ruling.ranking", "each seat has one place, and there are several")
            if all(state.is_out(seat) for seat in ruling.ranking.seats[1:]):
                raise refused("those seats are out of the game already", "out")


def _check_given(state: State, given: record_pb2.GivenTime) -> None:
    access.seat_exists(state, given.seat)
    clock = state.created.clock
    if not clock.kind:
        raise refused("this game has no clock", "clock")
    # A turn's time begins anew with each turn: what is given to a seat that is not to act would be lost.
    if clock.kind == clocks.PER_TURN and given.seat not in state.to_act:
        raise refused("time for a turn is given to a seat that is to act", "clock")
    # As much as a seat begins with or, if that is less, an hour.
    most_ms = min(max(clock.time_ms, HOUR_MS), MAX_LEFT_MS - state.seats[given.seat].left_ms)
    if not LEAST_MS <= given.time_ms <= most_ms:
        raise refused(f"a seat is given {LEAST_MS} to {most_ms} ms", "clock", most_ms=most_ms)


def reviewer(state: State, caller: session_pb2.Caller) -> None:
    """Return if a player may look into a table after the fact: an arbiter, once the game is over.

    Raises Refused: NO_TOKEN, ARBITER, STILL_RUNNING.
    """
    if state.arbiter(access.player(caller)) is None:
        raise refused("only an arbiter of the table looks into it", "not_arbiter")
    access.over(state)
