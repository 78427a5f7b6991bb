"""A seat in either of its fields: read from both, written into both, and refused where they differ."""

import pytest
from google.protobuf.message import Message

from brettwerk.v1 import errors_pb2, play_pb2, record_pb2, sessions_pb2, talk_pb2
from services.runtime import limits, seats
from services.runtime.refusal import Refused


@pytest.mark.parametrize(
    ("wish", "seat"),
    [
        (play_pb2.WishSeatRequest(), None),
        (play_pb2.WishSeatRequest(wished=1), 0),
        (play_pb2.WishSeatRequest(wished=3), 2),
        (play_pb2.WishSeatRequest(wished_seat=0), 0),
        (play_pb2.WishSeatRequest(wished_seat=2), 2),
        (play_pb2.WishSeatRequest(wished=3, wished_seat=2), 2),
    ],
)
def test_a_seat_is_read_from_the_field_that_has_it(wish: play_pb2.WishSeatRequest, seat: int | None) -> None:
    assert seats.seat_in(wish, "wished_seat") == seat
    limits.check_request(wish)


@pytest.mark.parametrize("seat", [None, 0, 5])
def test_a_seat_is_written_into_both_fields(seat: int | None) -> None:
    happening = sessions_pb2.Happening(seat=3, concerned_seat=2)
    seats.put_seat(happening, "concerned_seat", seat)
    both = sessions_pb2.Happening() if seat is None else sessions_pb2.Happening(seat=seat + 1, concerned_seat=seat)
    assert happening == both


@pytest.mark.parametrize(
    ("message", "field"),
    [
        (play_pb2.WishSeatRequest(wished=1, wished_seat=1), "wished_seat"),
        (talk_pb2.SayRequest(to_seat=2, listener_seat=0), "listener_seat"),
        (
            play_pb2.CheckRecordRequest(
                record=record_pb2.Record(
                    entries=[record_pb2.Entry(acted=record_pb2.Acted(ply=record_pb2.Ply(actor=1, actor_seat=1)))]
                )
            ),
            "record.entries[0].acted.ply.actor_seat",
        ),
    ],
)
def test_two_different_seats_are_refused_with_the_field(message: Message, field: str) -> None:
    with pytest.raises(Refused) as refused:
        limits.check_request(message)
    assert (refused.value.reason, refused.value.refusal.field) == (errors_pb2.REASON_MALFORMED, field)


def test_seats_at_any_depth_are_completed_and_made_former() -> None:
    plies = [record_pb2.Ply(), record_pb2.Ply(actor=1), record_pb2.Ply(actor=2)]
    former = record_pb2.Record(
        entries=[
            record_pb2.Entry(created=record_pb2.Created(variation=plies)),
            record_pb2.Entry(undone=record_pb2.Undone(plies=1, seat=2)),
            record_pb2.Entry(wished=record_pb2.Wished(seat=1, wished=0)),
            record_pb2.Entry(settled=record_pb2.Settled(keeps_own=True)),
        ]
    )
    whole = record_pb2.Record()
    whole.CopyFrom(former)
    seats.complete(whole)
    created, undone, wished, settled = whole.entries
    assert [seats.seat_in(ply, "actor_seat") for ply in created.created.variation] == [None, 0, 1]
    assert [ply.HasField("actor_seat") for ply in created.created.variation] == [False, True, True]
    assert (undone.undone.seat, undone.undone.asker_seat) == (2, 1)
    assert not wished.wished.HasField("wished_seat")
    assert not settled.settled.HasField("owner_seat")
    limits.check_request(play_pb2.CheckRecordRequest(record=whole))
    undone.undone.seat = 0
    seats.make_former(whole)
    assert whole == former
