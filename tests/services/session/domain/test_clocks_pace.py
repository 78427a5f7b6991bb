"""The beat of computers: what others perceive comes at moments that say nothing of what they did not (WEC-RUL-53)."""

import random

from hypothesis import given
from hypothesis import strategies as st

from brettwerk.internal.v1 import rules_pb2
from brettwerk.v1 import record_pb2
from services.session.domain import clocks
from services.session.domain.plies import mark
from services.session.domain.state import State, Unperceived, replace
from tests.services.session.domain.random_session import running

BEGAN_MS = 1_790_000_000_000
THINK_MS = 2_000
EVERYBODY_ELSE, SPECTATORS = 0b100_0010, 0b100_0000
"""Audiences of a table of two, at which seat 0 acts."""


def turn(*unseen_after_ms: int, first: bool = True, had_ms: int = 0) -> State:
    """Return a table at which seat 0 acts, of which everybody perceived what came last; so long after that came actions unseen.

    `first`: whether the turn has just begun. `had_ms`: what its clock had when it did; without clocks 0.
    """
    clock = record_pb2.ClockSpec(kind=record_pb2.ClockSpec.KIND_TOTAL if had_ms else record_pb2.ClockSpec.KIND_UNSPECIFIED)
    state = running(random.Random(1), clock=clock)
    own, last = (mark(record_pb2.Ply(actor=actor), person=True, reveals=False, to_act=(0,)) for actor in (1, 2 if first else 1))
    seats = tuple(replace(seat, left_ms=had_ms) for seat in state.seats)
    state = replace(state, version=10, at_ms=BEGAN_MS, clock_since_ms=BEGAN_MS, to_act=(0,), seats=seats, plies=own + last)
    for after_ms in unseen_after_ms:
        at_ms = BEGAN_MS + after_ms
        unseen = Unperceived(state.version + 1, EVERYBODY_ELSE, state.position_version, state.at_ms)
        state = replace(
            clocks.advanced(state, at_ms),
            version=state.version + 1,
            at_ms=at_ms,
            unperceived=(*state.unperceived, unseen),
            unaware=state.unaware.ljust(state.ply_count, b"\0") + bytes((EVERYBODY_ELSE,)),
            plies=state.plies + own,
        )
    return state


def moment_ms(state: State, step: rules_pb2.Step, ready_ms: int) -> int:
    """Return when an action is played that is ready so long after what everybody perceived last, counted from there."""
    return clocks.played_at_ms(state, step, 0, BEGAN_MS + ready_ms, THINK_MS) - BEGAN_MS


def step(unaware: int = 0, *, can_hide: bool = True) -> rules_pb2.Step:
    return rules_pb2.Step(unaware=unaware, can_hide=can_hide)


moments = st.lists(st.integers(0, 400), max_size=8).map(sorted)


@given(moments, st.integers(0, 99), st.booleans(), st.sampled_from([0, 1_000, 60_000]))
def test_perceived_actions_come_when_they_would_have_come_without_unseen_ones(
    unseen: list[int], took_ms: int, first: bool, had_ms: int
) -> None:
    ready = (unseen[-1] if unseen else 0) + took_ms
    plain = moment_ms(turn(first=first, had_ms=had_ms), step(), 1)
    moment = moment_ms(turn(*unseen, first=first, had_ms=had_ms), step(), ready)
    assert moment >= ready
    assert moment % plain == 0
    if ready <= plain:
        assert moment == plain


@given(moments, st.integers(0, 99))
def test_partly_perceived_actions_leave_the_beat_of_all_others_as_it_is(unseen: list[int], took_ms: int) -> None:
    ready = (unseen[-1] if unseen else 0) + took_ms
    some = moment_ms(turn(*unseen), step(SPECTATORS), ready)
    assert some == THINK_MS // 4
    assert moment_ms(turn(*unseen, some), step(), some + took_ms) == THINK_MS


@given(moments, st.integers(0, 10_000))
def test_unperceived_actions_and_those_that_cannot_be_hidden_need_not_wait(unseen: list[int], now_ms: int) -> None:
    assert moment_ms(turn(*unseen), step(EVERYBODY_ELSE), now_ms) == now_ms
    assert moment_ms(turn(), step(can_hide=False), now_ms) == now_ms


def test_the_beats_after_the_first_action_of_a_turn_are_shorter_and_a_short_clock_shortens_them_all() -> None:
    assert moment_ms(turn(first=True), step(), 7) == THINK_MS
    assert moment_ms(turn(first=False), step(), 7) == THINK_MS // 4
    assert moment_ms(turn(first=True, had_ms=800), step(), 7) == 100
    assert moment_ms(turn(first=True), step(), 2 * THINK_MS + 1) == 3 * THINK_MS
