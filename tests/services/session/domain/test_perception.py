"""Spectators who are told later are described the game before the first action that they are not to see, whatever is played."""

import random

import pytest
from google.protobuf.any_pb2 import Any

from brettwerk.v1 import record_pb2
from services.session.domain.fold import fold
from services.session.domain.perception import SPECTATOR, delayed, last_shown, newest, number_of, perceived
from services.session.domain.public_session import describe
from services.session.domain.state import State
from tests.night import examples
from tests.services.session.domain import random_session


def acted(dice: random.Random, state: State) -> State:
    """Return the state after an action, which spectators may not perceive where actions can be hidden."""
    step = random_session.stepped(dice, len(state.seats))
    step.unaware = dice.choice([0, 1 << SPECTATOR, 1])
    ply = record_pb2.Ply(actor=dice.randint(1, len(state.seats)), action=Any(type_url="x/action", value=b"a"))
    return fold(state, next_entry(state, acted=record_pb2.Acted(ply=ply)), step)


def other(dice: random.Random, state: State) -> State:
    """Return the state after something else has happened at the table."""
    seat = dice.randrange(len(state.seats))
    proposal = record_pb2.Proposal(id=1, seat=seat, waiting=[seat], version=state.version + 1, pause=True)
    entries = {
        "proposed": record_pb2.Proposed(proposal=proposal),
        "nudged": record_pb2.Nudged(seat=seat, nudged_seats=[seat]),
        "paused": record_pb2.Paused(paused=True),
    }
    kind = dice.choice(list(entries))
    return fold(state, next_entry(state, **{kind: entries[kind]}))


def next_entry(state: State, **change: object) -> record_pb2.Entry:
    return record_pb2.Entry(version=state.version + 1, at_ms=state.at_ms + 1000, **change)  # type: ignore[arg-type]


@pytest.mark.parametrize("chance", range(examples(60)))
def test_a_description_says_nothing_of_withheld_actions(chance: int) -> None:
    dice = random.Random(chance)
    delay = dice.randint(1, 6)
    before = random_session.running(dice, spectator_delay=delay)
    state = before
    while len(state.withheld) < delay:
        state = acted(dice, state)
        if state.withheld and dice.random() < 0.5:
            state = other(dice, state)
        if not state.withheld:  # spectators perceive nothing of it, and never will
            continue
        assert describe(delayed(state)) == describe(perceived(before, SPECTATOR))
        assert number_of(state, SPECTATOR, newest(state, SPECTATOR)) == before.version


@pytest.mark.parametrize("chance", range(examples(40)))
def test_an_action_is_told_once_so_many_others_have_followed_it(chance: int) -> None:
    dice = random.Random(chance)
    delay = dice.randint(1, 6)
    state = random_session.running(dice, spectator_delay=delay)
    perceived_at: list[int] = []
    for _ in range(3 * delay):
        state = acted(dice, state)
        if not any(one.version == state.version and one.audiences >> SPECTATOR & 1 for one in state.unperceived):
            perceived_at.append(state.version)
        if perceived_at:
            assert last_shown(state, SPECTATOR) == perceived_at[-delay:][0] - 1
            assert all(last_shown(state, seat) == state.version for seat in range(len(state.seats)))
