"""The remaining conditional moves follow from the log after them."""

import pytest
from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.internal.v1.session_state_pb2 import StoredConditionalLines
from brettwerk.v1 import conditional_moves_pb2 as pb
from brettwerk.v1 import games_pb2, record_pb2
from services.session.domain import conditional
from services.session.domain.conditional import Kept


def action(name: str) -> AnyMessage:
    return AnyMessage(type_url="type.example.org/Action", value=name.encode())


def line(*names: str) -> pb.ConditionalLine:
    """Return a line in which the seats 0 and 1 take turns."""
    moves = (pb.ConditionalMove(seat=number % 2, action=action(name)) for number, name in enumerate(names))
    return pb.ConditionalLine(moves=moves)


def acted(seat: int, name: str) -> record_pb2.Entry:
    return record_pb2.Entry(acted=record_pb2.Acted(ply=record_pb2.Ply(actor=seat + 1, action=action(name))))


def names(kept: Kept) -> list[str]:
    return ["".join(move.action.value.decode() for move in one.moves) for lines in kept for one in lines.lines]


LINES = [line("a", "b", "c", "d"), line("a", "b", "e", "f"), line("x", "y")]
BEN = (StoredConditionalLines(seat=1, player_id="ben", version=7, lines=LINES),)


def test_a_line_goes_on_with_its_next_action_and_is_dropped_with_any_other() -> None:
    after = conditional.after(BEN, [acted(0, "a")])
    assert names(after) == ["bcd", "bef"]
    assert names(conditional.after(after, [acted(1, "b"), acted(0, "e")])) == ["f"]
    assert conditional.after(after, [acted(1, "z")]) == ()
    assert conditional.after(BEN, [acted(1, "a")]) == ()
    assert conditional.after(BEN, [acted(0, "x"), acted(1, "y")]) == ()


SYSTEM_ACTION = games_pb2.SystemAction(draw=True)


@pytest.mark.parametrize(
    "entry",
    [
        record_pb2.Entry(undone=record_pb2.Undone()),
        record_pb2.Entry(loaded=record_pb2.Loaded()),
        record_pb2.Entry(acted=record_pb2.Acted(ply=record_pb2.Ply(system_action=SYSTEM_ACTION))),
        record_pb2.Entry(seat_changed=record_pb2.SeatChanged(seat=1)),
    ],
)
def test_another_change_of_the_position_or_the_seat_drops_all(entry: record_pb2.Entry) -> None:
    assert conditional.after(BEN, [entry]) == ()


@pytest.mark.parametrize(
    "entry",
    [
        record_pb2.Entry(proposed=record_pb2.Proposed()),
        record_pb2.Entry(paused=record_pb2.Paused(paused=True)),
        record_pb2.Entry(vacation_taken=record_pb2.VacationTaken(seat=1)),
        record_pb2.Entry(seat_changed=record_pb2.SeatChanged(seat=0)),
    ],
)
def test_offers_pauses_vacations_and_other_seats_leave_them(entry: record_pb2.Entry) -> None:
    assert conditional.after(BEN, [entry]) == BEN


def test_stored_moves_are_read_as_they_are_at_a_later_version() -> None:
    stored = conditional.write(BEN, 7)
    entry = acted(0, "a")
    entry.version = 8
    assert names(conditional.read(stored, 8, [entry])) == ["bcd", "bef"]
    assert conditional.read(stored, 7, []) == BEN
    assert conditional.read(stored, 6, []) == ()  # the store was set back
