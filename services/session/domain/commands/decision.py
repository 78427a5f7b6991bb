"""The decision of a command, and what follows from it: full tables start, agreements are carried out, computers offer draws."""

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Concatenate, ParamSpec

from google.protobuf.message import Message

from brettwerk.internal.v1 import rules_pb2
from brettwerk.v1 import games_pb2, play_pb2, record_pb2, rest_hours_pb2, sessions_pb2
from brettwerk_games.rules.chance import deal_seed, step_seed
from services.session.domain import substitutes
from services.session.domain.perception import delayed, perceived
from services.session.domain.plies import Variation, irrevocable_plies, options_and_start
from services.session.domain.public_session import encoded
from services.session.domain.state import PAUSED, RUNNING, SETTLING, WAITING, State


@dataclass(slots=True)
class Done:
    """The result of a decision, for its answer: the state after it, the tokens that the caller gets, the first step."""

    state: State
    tokens: Mapping[int, str]
    step: rules_pb2.Step | None

    def known_to(self, seat: int | None) -> State:
        """Return the state with a seat's own numbers, or spectators', who may be told later."""
        return delayed(self.state) if seat is None else perceived(self.state, seat)

    @property
    def session(self) -> sessions_pb2.Session:
        """The session as known to the first seat that the caller took; to spectators if there is none."""
        # From the bytes that go into the update as well: they are made once.
        return sessions_pb2.Session.FromString(encoded(self.known_to(next(iter(self.tokens), None))))

    @property
    def grants(self) -> list[play_pb2.SeatGrant]:
        """The seats that the caller took, with their tokens."""
        return [play_pb2.SeatGrant(seat=seat, seat_token=token) for seat, token in self.tokens.items()]


def answer_with_version(call: str, seat: int | None, **fields: Any) -> Callable[[Done], play_pb2.Answer]:
    """Return what answers a call: with the version that it has made, as a seat counts, and with these fields."""

    def answer(done: Done) -> play_pb2.Answer:
        response: Any = {call: {"version": done.known_to(seat).version, **fields}}
        return play_pb2.Answer(**response)

    return answer


def answer_with_session(call: str) -> Callable[[Done], play_pb2.Answer]:
    """Return what answers a call: with the session, and with the seats that its caller has taken there, if any."""

    def answer(done: Done) -> play_pb2.Answer:
        grants = {"grants": done.grants} if done.tokens else {}
        response: Any = {call: {"session": done.session, **grants}}
        return play_pb2.Answer(**response)

    return answer


@dataclass(slots=True)
class Decision:
    """Entries to make (version and time are set when they are added), and what to answer then.

    `granted` are seats that the caller takes: each gets a new token. `notation` is the action of the first entry, still to be
    read in the view of its seat. `tried` must be possible too, or the whole is refused. `is_final` entries end the session,
    so they are made even when its log is full. `next_secret` is the one for when an entry renews chance, and `rest_hours` are
    those that an entry says were set. `at_ms` is the moment of the entries, where that is not the one at which it was decided.
    `moment` is asked with the first entry's step and the time, and returns when it may be written at the earliest: until then the
    write raises Early. `follows_orders`: what seats have ordered is played, although nothing else has happened.
    """

    answer: Callable[[Done], Message] = lambda _done: play_pb2.Answer()
    """By default there is nothing to say to anybody."""
    entries: tuple[record_pb2.Entry, ...] = ()
    granted: tuple[int, ...] = ()
    notation: str = ""
    tried: record_pb2.Entry | None = None
    is_final: bool = False
    next_secret: bytes = field(default=b"", repr=False)
    rest_hours: rest_hours_pb2.RestHours | None = field(default=None, repr=False)
    at_ms: int | None = None
    moment: Callable[[rules_pb2.Step, int], int] | None = None
    follows_orders: bool = False


class Early(Exception):
    """It is too early for the decision: nothing has been written."""

    def __init__(self, at_ms: int) -> None:
        """`at_ms`: when it will be possible, in milliseconds since 1970."""
        super().__init__(f"not before {at_ms}")
        self.at_ms = at_ms


Command = Callable[[State, int], Decision]
"""Decides at a state and a moment (milliseconds since 1970). Raises Refused."""
_Rest = ParamSpec("_Rest")


def command(decide: Callable[Concatenate[State, int, _Rest], Decision]) -> Callable[_Rest, Command]:
    """Return the function that takes what `decide` needs besides a state and a moment, and returns its command."""

    @functools.wraps(decide)
    def commanded(*args: _Rest.args, **kwargs: _Rest.kwargs) -> Command:
        return lambda state, now_ms: decide(state, now_ms, *args, **kwargs)

    return commanded


def next_effect(state: State) -> record_pb2.Entry | None:
    """Return the entry that must follow now, or None."""
    if state.agreed is not None:
        return effect(state, state.agreed)
    if state.forfeits:
        return system_entry(state, games_pb2.SystemAction(resign=state.forfeits[0]), record_pb2.Acted.CAUSE_ARBITER)
    if state.status == WAITING and all(seat.occupant is not None for seat in state.seats):
        seed = b"" if state.created.variation else setup_seed(state)
        return record_pb2.Entry(started=record_pb2.Started(seed=seed))
    if state.created.tells_seats and state.status in (RUNNING, PAUSED) and state.announced_computers != state.computers + 1:
        return system_entry(state, games_pb2.SystemAction(computers=state.computers))
    if state.offers and not state.is_over and (seated := substitutes.agreed(state)) is not None:
        return seated
    return _offer(state)


def effect(state: State, proposal: record_pb2.Proposal) -> record_pb2.Entry:
    """Return the entry that carries a proposal out."""
    if state.status == SETTLING:
        return record_pb2.Entry(settled=_settled(state, proposal))
    match proposal.WhichOneof("kind"):
        case "draw":
            return system_entry(state, games_pb2.SystemAction(draw=True))
        case "options":
            return system_entry(state, games_pb2.SystemAction(options=proposal.options))
        case "undo_to_plies":
            return record_pb2.Entry(undone=record_pb2.Undone(plies=proposal.undo_to_plies, seat=proposal.seat + 1))
        case "help":
            return record_pb2.Entry(help_agreed=record_pb2.HelpAgreed(agreed=proposal.help, seat=proposal.seat))
        case "load":
            return record_pb2.Entry(loaded=Variation.of(proposal.load.entries[0].created).message())
        case _:
            return record_pb2.Entry(paused=record_pb2.Paused(paused=proposal.pause))


def _offer(state: State) -> record_pb2.Entry | None:
    """Return a computer player's draw offer in the position just reached, or None.

    Every person in the game is asked, and may simply play on: then the offer lapses. If no person plays, the draw is agreed.
    """
    votes = state.draw_votes
    if votes is None or state.status != RUNNING or state.version != state.position_version:
        return None
    seat = next((n for n, seat in enumerate(state.seats) if seat.is_computer and votes.offering >> n & 1), None)
    others = [n for n in range(len(state.seats)) if n != seat and not votes.silent >> n & 1]
    asked = [n for n in others if state.seats[n].is_person]
    agreeing = [n for n in others if state.seats[n].is_computer and votes.agreeing >> n & 1]
    if seat is None or len(asked) + len(agreeing) < len(others):
        return None
    if not asked:
        return system_entry(state, games_pb2.SystemAction(draw=True))
    proposal = record_pb2.Proposal(id=state.proposals_made + 1, seat=seat, version=state.version + 1, draw=True, waiting=asked)
    return record_pb2.Entry(proposed=record_pb2.Proposed(proposal=proposal))


def _settled(state: State, proposal: record_pb2.Proposal) -> record_pb2.Settled:
    match proposal.WhichOneof("kind"):
        case "load":
            created = proposal.load.entries[0].created
            options, start = options_and_start(created)
            held_by = [""] * created.seats
            for entry in proposal.load.entries[1:]:
                held_by[entry.seat_changed.seat] = entry.seat_changed.occupant.person.player_id
            return record_pb2.Settled(options=options, start_position=start, variation=created.variation, held_by=held_by)
        case "setup":
            options, start = options_and_start(proposal.setup)
            return record_pb2.Settled(options=options, start_position=start)
        case _:
            _, start = options_and_start(state.created)
            return record_pb2.Settled(options=proposal.options, start_position=start, keeps_own=True)


def system_entry(
    state: State,
    system_action: games_pb2.SystemAction,
    cause: record_pb2.Acted.Cause.ValueType = record_pb2.Acted.CAUSE_UNSPECIFIED,
) -> record_pb2.Entry:
    """Return the entry of a system action."""
    entry = next_entry(state, cause)
    entry.acted.ply.system_action.CopyFrom(system_action)
    return entry


def setup_seed(state: State) -> bytes:
    """Return the seed of the set-up: ply 0."""
    return step_seed(state.secret, state.chance_id, 0, state.seed_contributions)


def seats_seed(state: State) -> bytes:
    """Return the seed by which the seats are assigned before the start."""
    return deal_seed(state.secret, state.id, state.seed_contributions)


def next_entry(state: State, cause: record_pb2.Acted.Cause.ValueType) -> record_pb2.Entry:
    """Return the entry of the next ply, which has only its seed so far.

    The seed depends on the ply's number, so that undo never rolls new dice; if seeds are held, on the number of the first ply
    that can still be taken back, so that playing something else in between rolls no new dice either.
    """
    held = state.created.holds_seeds
    number = (irrevocable_plies(state) if held else state.ply_count) + 1
    entry = record_pb2.Entry()
    acted = entry.acted  # filled where it is: what is passed to a constructor is copied, which takes longer than all of this
    acted.cause, ply = cause, acted.ply
    ply.seed, ply.held = step_seed(state.secret, state.chance_id, number, state.seed_contributions), held
    return entry
