"""The messages: presets for what is left out, bounds that are those of the contract, and what contradicts itself."""

from typing import Any

import pytest
from google.protobuf.descriptor import FieldDescriptor

from brettwerk.v1 import limits_pb2, wec_pb2
from brettwerk_games.rules.interface import Kind
from brettwerk_games.rules.refusals import Malformed
from brettwerk_games.rules.wec import GAME
from brettwerk_games.rules.wec.options import Options
from brettwerk_games.rules.wec.position import MAX_PLY
from brettwerk_games.rules.wec.start import new
from tests.brettwerk_games.rules.wec.boards import SEED
from tests.brettwerk_games.rules.wec.random_games import play
from tests.night import SHARE

FLAME = wec_pb2.WEC_ARTICLE_FLAME
START = new(Options(), 2, None, SEED).position


def message(position: Any = START) -> Any:
    return wec_pb2.WecPosition.FromString(GAME.codec.encode(Kind.POSITION, position))


@pytest.mark.parametrize(
    "spoil",
    [
        lambda m: setattr(m.pieces[0], "id", 2),
        lambda m: setattr(m.pieces[0], "id", 0),
        lambda m: setattr(m.pieces[0], "kind", 24),
        lambda m: setattr(m.pieces[0], "kind", 0),
        lambda m: setattr(m.pieces[0], "place", 300),
        lambda m: setattr(m.pieces[0], "place", m.pieces[1].place),
        lambda m: setattr(m.pieces[0], "seat", 2),
        lambda m: m.pieces[0].articles.extend([wec_pb2.WecCarried(kind=FLAME)] * 4),
        lambda m: m.pieces[0].articles.extend([wec_pb2.WecCarried()]),
        lambda m: setattr(m.pieces[0].transit, "transport", 1),
        lambda m: m.ground.append(m.ground[0]),
        lambda m: m.ground[0].articles.extend([wec_pb2.WecCarried(kind=FLAME)] * 3),
        lambda m: m.projectiles.append(wec_pb2.WecProjectile(weapon=FLAME, strength=1)),
        lambda m: m.projectiles.append(wec_pb2.WecProjectile(weapon=wec_pb2.WEC_ARTICLE_ROCKET, strength=0)),
        lambda m: setattr(m.reserves[0], "kind", 0),
        lambda m: setattr(m, "winner", 1),
        lambda m: setattr(m, "ply", 0),
        lambda m: m.turn.hits.extend([wec_pb2.WecHit(piece=1, weapon=FLAME, times=1)] * 2),
        lambda m: m.turn.items.append(wec_pb2.WecItem(letter="Z")),
        lambda m: m.history.append(wec_pb2.WecLine(full="x" * 4001)),
    ],
)
def test_a_position_that_contradicts_the_contract_is_malformed(spoil: Any) -> None:
    broken = message()
    spoil(broken)
    with pytest.raises(Malformed) as refusal:
        GAME.codec.decode(Kind.POSITION, broken.SerializeToString())
    assert refusal.value.field


def within(value: Any, where: str) -> None:
    """Check a message of a real game against the limits of its fields."""
    for field, content in value.ListFields():
        limit = field.GetOptions().Extensions[limits_pb2.limit]
        repeated = field.is_repeated
        items = list(content) if repeated else [content]
        assert not limit.items or len(items) <= limit.items, (where, field.name, len(items))
        for item in items:
            if field.type == FieldDescriptor.TYPE_MESSAGE:
                within(item, f"{where}.{field.name}")
            elif field.type == FieldDescriptor.TYPE_STRING:
                assert not limit.length or len(item.encode()) <= limit.length, (where, field.name, len(item))
            elif limit.max:
                assert limit.min <= item <= limit.max, (where, field.name, item)


def test_real_games_keep_the_limits_of_the_contract() -> None:
    for number in (3, 4) if SHARE >= 1 else (3,):
        for position in list(play(number, Options(), 120))[::40]:
            within(message(position), "position")
            for seat in (0, 1, None):
                data = GAME.codec.encode(Kind.VIEW, GAME.view(position, seat))
                within(wec_pb2.WecView.FromString(data), "view")


def test_every_field_of_a_number_list_or_text_has_a_limit() -> None:
    for name, descriptor in wec_pb2.DESCRIPTOR.message_types_by_name.items():
        for field in descriptor.fields:
            limit = field.GetOptions().Extensions[limits_pb2.limit]
            if field.is_repeated:
                assert limit.items, (name, field.name)
            if field.type == FieldDescriptor.TYPE_STRING:
                assert limit.length, (name, field.name)
            if field.type == FieldDescriptor.TYPE_UINT32:
                assert limit.max, (name, field.name)


def test_the_bound_of_a_game_fits_its_facts() -> None:
    assert GAME.facts.max_actions == MAX_PLY * 8
