"""The decision of a command."""

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Concatenate, ParamSpec

from google.protobuf.message import Message

from brettwerk.internal.v1 import rules_pb2
from brettwerk.v1 import play_pb2, record_pb2, rest_hours_pb2, sessions_pb2
from services.session.domain.perception import delayed, perceived
from services.session.domain.public_session import describe
from services.session.domain.state import State


@dataclass(frozen=True, slots=True)
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
        return describe(self.known_to(next(iter(self.tokens), None)))

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


@dataclass(frozen=True, slots=True)
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
