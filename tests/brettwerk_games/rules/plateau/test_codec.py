"""The bytes of the game: what they are, and what is not accepted as them."""

from typing import Any

import pytest

from brettwerk.v1 import plateau_pb2 as pb
from brettwerk_games.rules.interface import Kind
from brettwerk_games.rules.plateau import GAME
from brettwerk_games.rules.plateau.actions import EndTurn, Move
from brettwerk_games.rules.plateau.options import Options, Shape
from brettwerk_games.rules.plateau.position import DRAWS, End
from brettwerk_games.rules.refusals import Malformed
from tests.brettwerk_games.rules.plateau.boards import new, stand

CODEC = GAME.codec


def refused_field(kind: Kind, message: Any) -> str:
    with pytest.raises(Malformed) as refused:
        CODEC.decode(kind, message.SerializeToString())
    return refused.value.field


def message_of(**changes: Any) -> pb.PlateauPosition:
    message = pb.PlateauPosition.FromString(CODEC.encode(Kind.POSITION, new()))
    for name, value in changes.items():
        field = getattr(message, name)
        if isinstance(value, dict):
            for node, code in value.items():
                field[node] = code
        elif isinstance(value, list):
            del field[:]
            field.extend(value)
        elif isinstance(value, pb.PlateauTurn | pb.PlateauOptions):
            field.CopyFrom(value)
        else:
            setattr(message, name, value)
    return message


def test_a_position_is_what_stands_on_each_node() -> None:
    message = message_of()
    assert len(message.nodes) == 176
    assert [message.nodes[node] for node in (0, 1, 8, 16, 80, 3)] == [4, 1, 8, 2, 3, 0]
    assert (message.seats, message.turn.due, len(message.history)) == (2, 6, 1)
    assert len(pb.PlateauPosition.FromString(CODEC.encode(Kind.POSITION, new(4))).nodes) == 264


@pytest.mark.parametrize(
    ("field", "changes"),
    [
        ("seats", {"seats": 5}),
        ("seats", {"seats": 0}),
        ("options.size", {"seats": 3, "options": pb.PlateauOptions(size=pb.PLATEAU_SIZE_ARENA)}),
        ("options.alliance", {"options": pb.PlateauOptions(alliance=True)}),
        ("nodes", {"nodes": [0] * 175}),
        ("nodes", {"nodes": {5: 9}}),
        ("nodes", {"nodes": {5: 8}}),
        ("nodes", {"nodes": {5: 7}}),
        ("nodes", {"nodes": {0: 1, 1: 0}}),
        ("nodes", {"nodes": {8: 1, 1: 0}}),
        ("nodes", {"nodes": [0] * 176}),
        ("to_move", {"to_move": 2}),
        ("turn.small", {"turn": pb.PlateauTurn(small=7)}),
        ("turn.emblem", {"turn": pb.PlateauTurn(emblem=13)}),
        ("turn.small", {"turn": pb.PlateauTurn(small=6, emblem=7, order=pb.PLATEAU_ORDER_SMALL_EMBLEM)}),
        ("turn.order", {"turn": pb.PlateauTurn(small=3)}),
        ("turn.order", {"turn": pb.PlateauTurn(order=pb.PlateauOrder.ValueType(9))}),
        ("turn.order", {"turn": pb.PlateauTurn(emblem=3, order=pb.PLATEAU_ORDER_SMALL)}),
        ("turn.moved", {"turn": pb.PlateauTurn(small=3, order=pb.PLATEAU_ORDER_SMALL)}),
        ("turn.moved", {"turn": pb.PlateauTurn(moved=[100])}),
        ("turn.moved", {"turn": pb.PlateauTurn(moved=[1, 0])}),
        ("turn.moved", {"turn": pb.PlateauTurn(moved=[264])}),
        ("turn.due", {"turn": pb.PlateauTurn(due=7)}),
        ("fallen", {"fallen": [2]}),
        ("fallen", {"fallen": [0, 0]}),
        ("history", {"history": [1] * 162}),
        ("winner", {"winner": 3}),
        ("winner", {"winner": 1}),
        ("winner", {"end": pb.PLATEAU_END_CONQUEST}),
        ("winner", {"end": pb.PLATEAU_END_AGREED, "winner": 1}),
        ("fallen", {"end": pb.PLATEAU_END_CONQUEST, "winner": 1}),
        ("end", {"end": 9}),
    ],
)
def test_a_wrong_position_is_malformed(field: str, changes: dict[str, Any]) -> None:
    assert refused_field(Kind.POSITION, message_of(**changes)).split("[")[0] == field


def test_no_army_stands_in_the_red_area() -> None:
    position = GAME.new(Options(shape=Shape.FLAT), 2, None, bytes(32)).position
    message = pb.PlateauPosition.FromString(CODEC.encode(Kind.POSITION, position))
    message.nodes[4 * 16 + 7] = 1
    assert refused_field(Kind.POSITION, message).startswith("nodes[")


def test_a_fallen_side_has_no_armies_and_one_side_is_not_a_game() -> None:
    position = GAME.new(Options(), 3, None, bytes(32)).position
    message = pb.PlateauPosition.FromString(CODEC.encode(Kind.POSITION, position))
    message.fallen.append((position.to_move + 1) % 3)
    assert refused_field(Kind.POSITION, message) == "nodes"
    alone = pb.PlateauPosition.FromString(CODEC.encode(Kind.POSITION, stand("E@A1", "", fallen=(1,))))
    assert refused_field(Kind.POSITION, alone) == "fallen"


@pytest.mark.parametrize(
    ("field", "message"),
    [
        ("kind", pb.PlateauAction()),
        ("move.steps", pb.PlateauAction(move=pb.PlateauMove(source=1, target=2))),
        ("move.steps", pb.PlateauAction(move=pb.PlateauMove(source=1, target=2, steps=13))),
        ("move.source", pb.PlateauAction(move=pb.PlateauMove(source=264, target=2, steps=1))),
        ("move.target", pb.PlateauAction(move=pb.PlateauMove(source=1, target=264, steps=1))),
        ("move.path", pb.PlateauAction(move=pb.PlateauMove(source=1, target=3, steps=2, path=[1, 3]))),
        ("move.path", pb.PlateauAction(move=pb.PlateauMove(source=1, target=3, steps=2, path=[2, 1, 3]))),
        ("move.path", pb.PlateauAction(move=pb.PlateauMove(source=1, target=3, steps=2, path=[1, 264, 3]))),
    ],
)
def test_a_wrong_action_is_malformed(field: str, message: pb.PlateauAction) -> None:
    assert refused_field(Kind.ACTION, message) == field


@pytest.mark.parametrize(
    ("field", "message"),
    [
        ("kind", pb.PlateauEvent()),
        ("moved.path", pb.PlateauEvent(moved=pb.PlateauMoved(army=1, path=[1]))),
        ("moved.army", pb.PlateauEvent(moved=pb.PlateauMoved(army=0, path=[1, 2]))),
        ("moved.seat", pb.PlateauEvent(moved=pb.PlateauMoved(seat=4, army=1, path=[1, 2]))),
        ("moved.captured", pb.PlateauEvent(moved=pb.PlateauMoved(army=1, path=[1, 2], captured=17))),
        ("moved.conquered", pb.PlateauEvent(moved=pb.PlateauMoved(army=1, path=[1, 2], conquered=5))),
        ("ceased.emblem", pb.PlateauEvent(ceased=pb.PlateauCeased(emblem=13))),
        ("skipped.seat", pb.PlateauEvent(skipped=pb.PlateauSkipped(seat=4))),
        ("fell.inherited", pb.PlateauEvent(fell=pb.PlateauFell(inherited=77))),
        ("ended.end", pb.PlateauEvent(ended=pb.PlateauEnded())),
    ],
)
def test_a_wrong_event_is_malformed(field: str, message: pb.PlateauEvent) -> None:
    assert refused_field(Kind.EVENT, message) == field


def test_a_path_of_one_step_is_not_kept() -> None:
    message = pb.PlateauAction(move=pb.PlateauMove(source=1, target=2, steps=1, path=[1, 2]))
    assert CODEC.decode(Kind.ACTION, message.SerializeToString()) == Move(1, 2, 1)
    assert CODEC.decode(Kind.ACTION, CODEC.encode(Kind.ACTION, EndTurn())) == EndTurn()


def test_every_end_comes_back() -> None:
    for end in End:
        drawn = end in DRAWS
        position = new()._replace(end=end, winner=None if drawn else 0, fallen=() if drawn else (1,))
        assert CODEC.decode(Kind.POSITION, CODEC.encode(Kind.POSITION, position)) == position


def test_a_view_has_a_position_and_a_seat() -> None:
    assert refused_field(Kind.VIEW, pb.PlateauView(seat=1)) == "position"
    assert refused_field(Kind.VIEW, pb.PlateauView(position=message_of(), seat=3)) == "seat"


def test_types_are_those_of_the_contract() -> None:
    assert [CODEC.type_name(kind) for kind in Kind] == [f"brettwerk.v1.Plateau{kind.name.title()}" for kind in Kind]
