"""The pure core by itself: clocks, marks of plies, what is due, ids."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brettwerk.v1 import games_pb2, record_pb2
from services.session.domain import clocks, ids, plies
from services.session.domain.clocks import Chore, Due, Outage, Timeouts, next_due
from services.session.domain.state import FINISHED, PAUSED, RUNNING, WAITING, Seat, State
from services.sharding.shards import shard_of
from tests.services.session.refusing import refused

TIMEOUTS = Timeouts({"easy": 200}, 3_000, 1_000_000)
ANNA = record_pb2.Occupant(person=record_pb2.Person(player_id="anna"))
BEN = record_pb2.Occupant(person=record_pb2.Person(player_id="ben"))
EASY = record_pb2.Occupant(computer=record_pb2.Computer(level="easy"))


def state(*occupants: record_pb2.Occupant, kind: int = 0, **fields: object) -> State:
    clock = record_pb2.ClockSpec(kind=kind, time_ms=10_000, increment_ms=500)  # type: ignore[arg-type]
    made = State(
        id="00" + "a" * 22,
        created=record_pb2.Created(game="einstein", seats=len(occupants), clock=clock),
        secret=b"",
        seats=tuple(Seat(occupant, left_ms=10_000) for occupant in occupants),
        created_at_ms=0,
        at_ms=0,
        version=1,
        position_version=1,
        status=RUNNING,
        options=None,
        to_act=(0,),
    )
    return replace(made, **fields)  # type: ignore[arg-type]


def variation(*marks: tuple[int, str, tuple[int, ...]]) -> bytes:
    """Marks of plies: actor (-1 a system action), p a person, r revealing, t retractable, l a line's, and who was to act
    before."""
    return b"".join(
        plies.mark(
            record_pb2.Ply(actor=actor + 1),
            person="p" in how,
            reveals="r" in how,
            retractable="t" in how,
            variation="l" in how,
            to_act=to_act,
        )
        for actor, how, to_act in marks
    )


@pytest.mark.parametrize(
    ("marks", "seat", "targets"),
    [
        (variation((0, "p", (0,))), 0, [0]),
        (variation((0, "p", (0,)), (1, "", (1,))), 0, [0]),
        (variation((0, "p", (0,)), (0, "p", (0,)), (1, "", (1,))), 0, [1, 0]),
        (variation((0, "p", (0,)), (0, "pr", (0,)), (0, "p", (0,))), 0, [2]),
        (variation((0, "p", (0,)), (-1, "", (0,)), (0, "p", (0,))), 0, [2]),
        (variation((0, "p", (0,)), (-1, "", (0,))), 0, []),
        (variation((0, "p", (0,)), (1, "p", (1,))), 0, []),
        (variation((0, "l", (0,)), (1, "l", (1,))), 0, [0]),
        (variation((0, "p", (0, 1)), (1, "", (0, 1))), 0, [1, 0]),
        (b"", 0, []),
    ],
)
def test_free_undo_goes_back_over_own_and_computers_plies_only(marks: bytes, seat: int, targets: list[int]) -> None:
    game = state(ANNA, EASY, plies=marks)
    assert list(plies.free_targets(game, seat)) == targets
    assert plies.free_undo(game, seat) == (game.ply_count - targets[0] if targets else 0)


def test_a_line_is_nobodys_unless_another_person_sits_there_now() -> None:
    marks = variation((0, "l", (0,)), (1, "l", (1,)))
    assert list(plies.free_targets(state(ANNA, BEN, plies=marks), 0)) == []
    assert list(plies.free_targets(state(ANNA, ANNA, plies=marks), 0)) == [0]


def test_a_revelation_that_may_be_taken_back_is_no_wall_where_all_agree() -> None:
    marks = variation((0, "p", (0,)), (1, "rt", (1,)), (0, "prt", (0,)))
    assert list(plies.free_targets(state(ANNA, EASY, plies=marks), 0)) == [2, 0]
    assert list(plies.free_targets(state(ANNA, ANNA, plies=marks), 0)) == [2, 0]
    assert list(plies.free_targets(state(ANNA, BEN, plies=marks), 0)) == []
    assert plies.floor(state(ANNA, BEN, plies=marks)) == 0
    assert plies.floor(state(ANNA, BEN, plies=variation((-1, "rt", (0,)), (0, "prt", (0,))))) == 0
    assert plies.floor(state(ANNA, BEN, plies=variation((0, "pr", (0,)), (0, "prt", (0,))))) == 1


def test_by_agreement_undo_goes_back_to_the_last_revelation() -> None:
    marks = variation((0, "p", (0,)), (1, "pr", (1,)), (0, "p", (0,)), (1, "p", (1,)))
    assert plies.floor(state(ANNA, BEN, plies=marks)) == 2
    assert plies.floor(state(ANNA, BEN, plies=variation((0, "p", (0,))))) == 0


@given(st.integers(0, 30_000), st.integers(0, 30_000), st.sampled_from([1, 2]))
def test_time_that_goes_by_in_two_steps_is_the_same_as_in_one(first: int, second: int, kind: int) -> None:
    game = state(ANNA, BEN, kind=kind)
    twice = clocks.advanced(clocks.advanced(game, first), first + second)
    assert twice == clocks.advanced(game, first + second)
    assert clocks.left_ms(game, 0, first + second) == max(0, 10_000 - first - second)
    assert clocks.left_ms(game, 1, first + second) == 10_000


@given(st.integers(0, 9_999), st.integers(0, 100_000), st.integers(0, 9_999))
def test_an_outage_costs_nobody_time(before: int, away: int, after: int) -> None:
    game = state(ANNA, BEN, kind=2)
    now = before + away + after
    credit = clocks.credit_ms(game, [Outage(before, before + away)], now)
    assert credit == away
    credited = clocks.advanced(clocks.credited(game, credit), now)
    assert credited.seats[0].left_ms == max(0, 10_000 - before - after)
    assert clocks.credit_ms(credited, [Outage(before, before + away)], now) == 0


def test_only_running_clocks_are_credited_and_only_for_their_own_time() -> None:
    outage = [Outage(100, 600)]
    assert clocks.credit_ms(state(ANNA, BEN), outage, 1000) == 0
    assert clocks.credit_ms(state(ANNA, BEN, kind=2, status=PAUSED), outage, 1000) == 0
    assert clocks.credit_ms(state(ANNA, BEN, kind=2, clock_since_ms=400), outage, 1000) == 200
    assert clocks.credit_ms(state(ANNA, BEN, kind=2, clock_since_ms=700), outage, 1000) == 0


def test_a_turn_of_many_actions_is_one_turn() -> None:
    before = replace(state(ANNA, BEN, kind=1), seats=(Seat(ANNA, left_ms=4_000), Seat(BEN, left_ms=3_000)))
    assert [seat.left_ms for seat in clocks.after_turn(before, before, 0).seats] == [4_000, 3_000]
    passed = replace(before, to_act=(1,))
    assert [seat.left_ms for seat in clocks.after_turn(before, passed, 0).seats] == [4_000, 10_000]
    total = replace(before, created=state(ANNA, BEN, kind=2).created)
    assert [seat.left_ms for seat in clocks.after_turn(total, total, 0).seats] == [4_000, 3_000]
    assert [seat.left_ms for seat in clocks.after_turn(total, replace(total, to_act=(1,)), 0).seats] == [4_500, 3_000]


def test_a_seat_that_expires_again_and_again_gets_its_time_anew_at_last() -> None:
    before = replace(state(ANNA, BEN, kind=1), seats=(Seat(ANNA, left_ms=0), Seat(BEN, left_ms=0)))
    assert clocks.after_turn(before, replace(before, expiries=3), 0).seats[0].left_ms == 0
    assert clocks.after_turn(before, replace(before, expiries=32), 0).seats[0].left_ms == 10_000


def test_the_earliest_chore_is_due() -> None:
    wanted = Seat(EASY, left_ms=10_000, wanted_version=1, wanted_at_ms=0)
    timed = state(ANNA, EASY, kind=2)
    assert next_due(state(ANNA, EASY), TIMEOUTS).chore is Chore.ABANDON
    assert next_due(timed, TIMEOUTS) == next_due(replace(timed, version=2), TIMEOUTS)
    assert next_due(timed, TIMEOUTS).chore is Chore.CLOCK
    asked = replace(timed, seats=(timed.seats[0], wanted), to_act=(1,))
    assert (next_due(asked, TIMEOUTS).at_ms, next_due(asked, TIMEOUTS).chore) == (3_200, Chore.COMPUTER)
    assert next_due(replace(asked, status=WAITING), TIMEOUTS).chore is Chore.ABANDON
    over = replace(timed, status=FINISHED, at_ms=7, outcome=games_pb2.Outcome(scores=[1, 0]))
    assert (next_due(over, TIMEOUTS).at_ms, next_due(over, TIMEOUTS).chore) == (7, Chore.ARCHIVE)
    undoable = replace(over, plies=variation((0, "p", (0,))))
    assert next_due(undoable, TIMEOUTS).at_ms == 7 + TIMEOUTS.undo_ms


def test_a_slow_game_is_not_given_up_before_its_clock_runs_out() -> None:
    slow = state(ANNA, EASY, kind=1)
    impatient = replace(TIMEOUTS, abandon_ms=9_000)
    assert next_due(slow, impatient) == Due(10_000, Chore.CLOCK)
    assert next_due(replace(slow, status=WAITING), impatient) == Due(9_000, Chore.ABANDON)


def test_a_state_survives_its_storage() -> None:
    proposal = record_pb2.Proposal(id=1, waiting=[1], draw=True)
    full = state(ANNA, EASY, kind=1, proposals=(proposal,), agreed=proposal, plies=b"ab", rematch_id="x", secret=b"s" * 32)
    full = full.with_token(0, "token", 3)
    assert State.decode(full.encode()) == full
    assert full.seat_of_token("token") == 0
    assert full.seat_of_token("") is None
    assert full.seat_of_token("tokens") is None


@given(st.text(max_size=20), st.text(max_size=20))
def test_ids_know_their_shard_and_come_again_for_the_same_request(player: str, request: str) -> None:
    made = ids.derived_id(b"k" * 32, player, request)
    assert ids.checked(made) == made
    assert made == ids.derived_id(b"k" * 32, player, request)
    assert made != ids.derived_id(b"K" * 32, player, request)
    assert shard_of(made) in range(16)
    assert ids.session_key(made, "log") == f"bw:{{s{shard_of(made):02x}}}:log:{made}"
    assert ids.derived_id(b"k", "ab", "c") != ids.derived_id(b"k", "a", "bc")


@pytest.mark.parametrize("wrong", ["", "00", "zz" + "a" * 22, "00" + "A" * 22, "10" + "a" * 22, "00" + "a" * 23])
def test_text_that_cannot_be_an_id_is_malformed(wrong: str) -> None:
    with refused("MALFORMED"):
        ids.checked(wrong)
