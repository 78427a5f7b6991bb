"""A state comes back as it was stored, no field can be forgotten, and `replace` does what that of dataclasses does."""

import dataclasses
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brettwerk.internal.v1 import session_state_pb2
from brettwerk.v1 import record_pb2, rest_hours_pb2
from brettwerk_games.protobuf_wire.value_codec import ValueCodec
from services.session.domain.state import RUNNING, Seat, State, Unperceived, replace

SEATS = ValueCodec(Seat, session_state_pb2.StoredSeat)
LATER = b"\xc2\x3e\x03abc"
"""Field 1000 of some later release."""


REST = rest_hours_pb2.RestHours(time_zone="Europe/Berlin", night_until=480)


def a_state(**fields: Any) -> State:
    created = record_pb2.Created(game="einstein", seats=2)
    person = record_pb2.Occupant(person=record_pb2.Person(player_id="p"))
    seats = (Seat(person, token_hash=b"t", seed_contribution=b"s", rest_hours=REST), Seat(unknown=LATER))
    return State(
        id="s",
        created=created,
        secret=b"x",
        seats=seats,
        created_at_ms=1,
        at_ms=2,
        version=3,
        position_version=2,
        status=RUNNING,
        options=None,
        **fields,
    )


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"to_act": (0, 1), "unperceived": (Unperceived(2, 5, 1), Unperceived(3, 1, 1, 9))},
        {"proposals": (record_pb2.Proposal(id=4, draw=True),), "agreed": record_pb2.Proposal(id=5, draw=True)},
        {"unknown": LATER, "former_secret": b"f", "next_secret": b"n", "created_from": b"a", "min_reader": 2},
    ],
)
def test_a_state_comes_back_as_it_was(fields: dict[str, Any]) -> None:
    state = a_state(**fields)
    back = State.decode(state.encode())
    assert back == state
    assert back.encode() == state.encode()


def test_an_absent_occupant_is_not_an_empty_one() -> None:
    assert (Seat(), Seat(record_pb2.Occupant())) == tuple(
        SEATS.value(SEATS.message(seat)) for seat in (Seat(), Seat(record_pb2.Occupant()))
    )


def test_secrets_missing_in_the_log_are_taken_from_beside_it() -> None:
    state = a_state(former_secret=b"f", next_secret=b"n", created_from=b"a").with_token(1, "later", 7)
    beside = state.beside_log()
    assert {field.name for field, _ in beside.ListFields()} == set(beside.DESCRIPTOR.fields_by_name)
    stranger = a_state(former_secret=b"", created_from=b"other").with_seat(0, Seat())
    taken = stranger.with_beside_log(beside)
    assert taken.secrets == state.secrets
    assert (taken.created_from, taken.seats[0].token_hash) == (b"a", b"t")
    assert [seat.rest_hours for seat in taken.seats] == [REST, None]
    assert [seat.token_sign_out for seat in taken.seats] == [seat.token_sign_out for seat in state.seats]
    assert max(seat.token_sign_out for seat in taken.seats) == 7


SEAT = Seat()
NAMES = [field.name for field in dataclasses.fields(Seat)]


@given(st.dictionaries(st.sampled_from(NAMES), st.integers()))
def test_replace_makes_what_dataclasses_make_and_leaves_the_first_one_alone(changes):
    before = dataclasses.asdict(SEAT)
    made = replace(SEAT, **changes)
    assert made == dataclasses.replace(SEAT, **changes)
    assert hash(made) == hash(dataclasses.replace(SEAT, **changes))
    assert dataclasses.asdict(SEAT) == before
    assert made is not SEAT


def test_replace_refuses_an_unknown_field():
    with pytest.raises(TypeError, match="no such field"):
        replace(SEAT, nonsense=1)  # type: ignore[call-arg]


def test_a_replaced_value_is_still_frozen():
    with pytest.raises(dataclasses.FrozenInstanceError):
        replace(SEAT, left_ms=1).left_ms = 2  # type: ignore[misc]
