"""How often a state is kept, and how much a reader plays again without one."""

import pytest
from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.v1 import record_pb2
from services.session.domain.bounds import MAX_STATE_EVERY, STATE_EVERY
from services.session.domain.plies import plies_to_replay
from services.session.domain.state import BYTES_EACH, RUNNING, State, snapshot_interval

VARIATION = [record_pb2.Ply()] * 3


def state(created: record_pb2.Created, position_bytes: int = 0) -> State:
    position = AnyMessage(value=bytes(position_bytes)) if position_bytes else None
    return State(
        id="00" + "a" * 22,
        secret=b"",
        created=created,
        seats=(),
        created_at_ms=1,
        at_ms=1,
        version=1,
        position_version=1,
        status=RUNNING,
        options=None,
        position=position,
    )


@pytest.mark.parametrize(
    ("entry", "plies"),
    [
        (record_pb2.Entry(acted=record_pb2.Acted()), 1),
        (record_pb2.Entry(seat_changed=record_pb2.SeatChanged()), 1),
        (record_pb2.Entry(created=record_pb2.Created(variation=VARIATION)), 4),
        (record_pb2.Entry(settled=record_pb2.Settled(variation=VARIATION)), 4),
        (record_pb2.Entry(loaded=record_pb2.Loaded(variation=VARIATION)), 4),
        (record_pb2.Entry(started=record_pb2.Started()), 6),
    ],
    ids=lambda value: value.WhichOneof("change") if isinstance(value, record_pb2.Entry) else str(value),
)
def test_an_entry_counts_once_and_so_does_each_ply_of_the_variation_that_it_plays(entry: record_pb2.Entry, plies: int) -> None:
    before = state(record_pb2.Created(variation=[record_pb2.Ply()] * 5))
    assert plies_to_replay(entry, before) == plies


def test_large_states_are_kept_less_often_within_bounds() -> None:
    created = record_pb2.Created()
    sizes = (0, BYTES_EACH * STATE_EVERY, BYTES_EACH * (STATE_EVERY + 1), BYTES_EACH * (MAX_STATE_EVERY + 9))
    assert [snapshot_interval(state(created, size)) for size in sizes] == [
        STATE_EVERY,
        STATE_EVERY,
        STATE_EVERY + 1,
        MAX_STATE_EVERY,
    ]
