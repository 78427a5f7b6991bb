"""The bytes of the game: what they are, and what is not accepted as them."""

from typing import Any

import pytest

from brettwerk.v1 import einstein_pb2 as pb
from brettwerk_games.rules.einstein.actions import Arrange, Move
from brettwerk_games.rules.einstein.board import BLACK, WHITE
from brettwerk_games.rules.einstein.options import First, Options, Setup
from brettwerk_games.rules.einstein.position import End, Position
from brettwerk_games.rules.interface import Kind
from brettwerk_games.rules.refusals import Malformed
from tests.brettwerk_games.rules.einstein.boards import EINSTEIN, EXAMPLE, SEED, after, board, move

CODEC = EINSTEIN.codec
CHOOSING = EINSTEIN.new(Options(setup=Setup.CHOSEN), 2, None, SEED).position


def message_of(position: Position) -> pb.EinsteinPosition:
    return pb.EinsteinPosition.FromString(CODEC.encode(Kind.POSITION, position))


def refused_field(kind: Kind, message: Any) -> str:
    with pytest.raises(Malformed) as refused:
        CODEC.decode(kind, message.SerializeToString())
    return refused.value.field


def test_absent_options_are_the_presets() -> None:
    assert CODEC.decode(Kind.OPTIONS, b"") == Options(first=First.WHITE, setup=Setup.STANDARD, show_roll=False)


def test_a_position_is_the_message_that_the_contract_describes() -> None:
    message = message_of(board(*EXAMPLE, "black", 4))
    assert list(message.squares) == [0, 0, 8, 0, 0, 1, 5, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 12, 7, 0, 0, 10, 0, 11]
    assert (message.to_move, message.roll, message.winner, message.end) == (1, 4, 0, 0)


def test_the_bytes_of_a_position_never_change() -> None:
    data = CODEC.encode(Kind.POSITION, board(*EXAMPLE, "black", 4))
    assert data.hex() == "0a190000080000010500000000040000000000000c0700000a000b1001180448015001"


def test_a_finished_position_comes_back() -> None:
    for end in (
        after(board("4@D4 1@A1", "1@E1 2@A5", "black", 4), 4, "E5"),
        after(board("1@C3", "4@D4 1@E5", "white", 4), 4, "C3"),
    ):
        assert CODEC.decode(Kind.POSITION, CODEC.encode(Kind.POSITION, end)) == end


@pytest.mark.parametrize(
    ("field", "changes"),
    [
        ("to_move", {"to_move": 2}),
        ("roll", {"roll": 7}),
        ("first", {"first": 2}),
        ("arranging", {"arranging": 4}),
        ("arranging", {"arranging": 1, "roll": 0}),
        ("roll", {"arranging": 3}),
        ("to_move", {"arranging": 2, "roll": 0}),
        ("squares", {"arranging": 3, "roll": 0}),
        ("winner", {"winner": 3}),
        ("end", {"winner": 1}),
        ("end", {"end": 1}),
        ("end", {"end": 9, "winner": 1}),
        ("end", {"end": 1, "winner": 1, "roll": 0}),
        ("end", {"end": 2, "winner": 1, "roll": 0}),
        ("roll", {"end": 3, "winner": 1}),
        ("first_option", {"first_option": 4}),
        ("setup", {"setup": 4}),
    ],
)
def test_a_position_with_a_wrong_field_is_malformed(field: str, changes: dict[str, int]) -> None:
    message = message_of(board(*EXAMPLE, "black", 4))
    for key, value in changes.items():
        setattr(message, key, value)
    assert refused_field(Kind.POSITION, message) == field
    assert refused_field(Kind.VIEW, pb.EinsteinView(position=message)) == f"position.{field}"


@pytest.mark.parametrize(("square", "code", "field"), [(3, 13, "squares[3]"), (24, 1, "squares[24]"), (9, 12, "squares[18]")])
def test_squares_hold_each_stone_once(square: int, code: int, field: str) -> None:
    message = message_of(board(*EXAMPLE, "black", 4))
    message.squares[square] = code
    assert refused_field(Kind.POSITION, message) == field


@pytest.mark.parametrize("count", [0, 24, 26])
def test_there_are_25_squares(count: int) -> None:
    assert refused_field(Kind.POSITION, pb.EinsteinPosition(squares=[0] * count)) == "squares"


def test_stones_that_are_arranged_stand_on_their_start_squares() -> None:
    arranged = EINSTEIN.apply(CHOOSING, BLACK, Arrange((1, 2, 3, 4, 5, 6)), SEED).position
    assert CODEC.decode(Kind.POSITION, CODEC.encode(Kind.POSITION, arranged)) == arranged
    message = message_of(arranged)
    message.squares[0], message.squares[12] = 0, 1
    assert refused_field(Kind.POSITION, message) == "squares"


@pytest.mark.parametrize(
    ("field", "message"),
    [
        ("kind", pb.EinsteinAction()),
        ("move.stone", pb.EinsteinAction(move=pb.EinsteinMove())),
        ("move.stone", pb.EinsteinAction(move=pb.EinsteinMove(stone=7))),
        ("move.target", pb.EinsteinAction(move=pb.EinsteinMove(stone=1, target=25))),
        ("arrange.stones", pb.EinsteinAction(arrange=pb.EinsteinArrange())),
        ("arrange.stones", pb.EinsteinAction(arrange=pb.EinsteinArrange(stones=[1, 2, 3, 4, 5]))),
        ("arrange.stones", pb.EinsteinAction(arrange=pb.EinsteinArrange(stones=[1, 2, 3, 4, 5, 5]))),
        ("arrange.stones", pb.EinsteinAction(arrange=pb.EinsteinArrange(stones=[1, 2, 3, 4, 5, 6, 6]))),
        ("arrange.stones", pb.EinsteinAction(arrange=pb.EinsteinArrange(stones=[0, 2, 3, 4, 5, 6]))),
    ],
)
def test_a_wrong_action_is_malformed(field: str, message: pb.EinsteinAction) -> None:
    assert refused_field(Kind.ACTION, message) == field


@pytest.mark.parametrize(
    ("field", "message"),
    [
        ("kind", pb.EinsteinEvent()),
        ("rolled", pb.EinsteinEvent(rolled=0)),
        ("rolled", pb.EinsteinEvent(rolled=7)),
        ("moved.seat", pb.EinsteinEvent(moved=pb.EinsteinMoved(seat=2, stone=1))),
        ("moved.captured", pb.EinsteinEvent(moved=pb.EinsteinMoved(stone=1, captured=13))),
        ("arranged.stones", pb.EinsteinEvent(arranged=pb.EinsteinArranged())),
        ("ended.end", pb.EinsteinEvent(ended=pb.EinsteinEnded())),
    ],
)
def test_a_wrong_event_is_malformed(field: str, message: pb.EinsteinEvent) -> None:
    assert refused_field(Kind.EVENT, message) == field


def test_a_view_has_a_position_and_a_seat() -> None:
    assert refused_field(Kind.VIEW, pb.EinsteinView(seat=1)) == "position"
    message = message_of(board(*EXAMPLE, "black", 4))
    assert refused_field(Kind.VIEW, pb.EinsteinView(position=message, seat=3)) == "seat"
    for seat in (WHITE, BLACK, None):
        view = EINSTEIN.view(board(*EXAMPLE, "black", 4), seat)
        assert CODEC.decode(Kind.VIEW, CODEC.encode(Kind.VIEW, view)) == view


@pytest.mark.parametrize("kind", list(Kind))
def test_bytes_that_are_no_message_are_malformed(kind: Kind) -> None:
    with pytest.raises(Malformed):
        CODEC.decode(kind, b"\xff\xff\xff")


def test_every_action_and_end_comes_back() -> None:
    for stone in range(1, 7):
        for target in range(25):
            assert CODEC.decode(Kind.ACTION, CODEC.encode(Kind.ACTION, Move(stone, target))) == Move(stone, target)
    for action in EINSTEIN.actions(EINSTEIN.view(CHOOSING, BLACK)):
        assert CODEC.decode(Kind.ACTION, CODEC.encode(Kind.ACTION, action)) == action
    for end in (End.RESIGNED, End.TIME):
        ended = board(*EXAMPLE, "black")._replace(winner=WHITE, end=end)
        assert CODEC.decode(Kind.POSITION, CODEC.encode(Kind.POSITION, ended)) == ended


def test_types_are_those_of_the_contract() -> None:
    assert [CODEC.type_name(kind) for kind in Kind] == [f"brettwerk.v1.Einstein{kind.name.title()}" for kind in Kind]
    assert CODEC.encode(Kind.ACTION, move(4, "C4")).hex() == "0a0408041011"
