"""An entry of the log makes the next state, and nothing that counts for seeds changes once the game has begun."""

import pytest

from brettwerk.v1 import record_pb2
from services.session.domain.fold import fold
from services.session.domain.state import PAUSED, RUNNING, WAITING, Seat, State


def seated(status: int, contribution: bytes) -> bytes:
    """Return what a seat contributes to the seeds after another person has sat down there with a contribution of their own."""
    person = record_pb2.Occupant(person=record_pb2.Person(player_id="ada"))
    state = State(
        id="s",
        created=record_pb2.Created(game="einstein", seats=2),
        secret=b"x",
        seats=(Seat(person, seed_contribution=b"Ada's"), Seat()),
        created_at_ms=1,
        at_ms=2,
        version=3,
        position_version=2,
        status=status,  # type: ignore[arg-type]
        options=None,
    )
    ben = record_pb2.Occupant(person=record_pb2.Person(player_id="ben"))
    change = record_pb2.SeatChanged(seat=0, occupant=ben, seed_contribution=contribution)
    return fold(state, record_pb2.Entry(version=4, at_ms=3, seat_changed=change)).seats[0].seed_contribution


@pytest.mark.parametrize("status", [RUNNING, PAUSED])
def test_sitting_down_in_a_game_that_has_begun_changes_no_seed(status: int) -> None:
    assert seated(status, b"Ben's") == b"Ada's"


def test_sitting_down_before_the_start_contributes_to_the_seeds() -> None:
    assert seated(WAITING, b"Ben's") == b"Ben's"
