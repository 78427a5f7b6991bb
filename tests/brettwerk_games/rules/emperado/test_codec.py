"""Values as bytes, and bytes from strangers."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brettwerk.v1 import emperado_pb2 as pb
from brettwerk_games.rules.emperado.options import Options
from brettwerk_games.rules.emperado.position import View
from brettwerk_games.rules.interface import Kind
from brettwerk_games.rules.refusals import Malformed
from tests.brettwerk_games.rules.emperado.test_rules import OPTIONS, steps
from tests.brettwerk_games.rules.emperado.worlds import BOLIVIEN, EMPERADO, PERU, A, B, world
from tests.night import examples

CODEC = EMPERADO.codec
POSITION = world("Peru A8, Bolivien A3, Brasilien C1", blocked=frozenset({PERU}), cards={A: (1, 2, 0), B: (0, 1, 0)})


def message() -> pb.EmperadoPosition:
    return pb.EmperadoPosition.FromString(CODEC.encode(Kind.POSITION, POSITION))


@given(OPTIONS)
def test_options_come_back(options: Options) -> None:
    data = CODEC.encode(Kind.OPTIONS, options)
    assert CODEC.decode(Kind.OPTIONS, data) == options
    assert CODEC.encode(Kind.OPTIONS, CODEC.decode(Kind.OPTIONS, data)) == data


@given(OPTIONS, st.integers(2, 6), st.integers(0, 2**32))
@settings(max_examples=examples(10), deadline=None)
def test_actions_positions_events_and_views_come_back_from_their_bytes(options: Options, seats: int, seed: int) -> None:
    for before, action, step in steps(options, seats, seed, 120):
        assert CODEC.decode(Kind.ACTION, CODEC.encode(Kind.ACTION, action)) == action
        assert CODEC.decode(Kind.POSITION, CODEC.encode(Kind.POSITION, step.position)) == step.position
        for event in step.events:
            assert CODEC.decode(Kind.EVENT, CODEC.encode(Kind.EVENT, event)) == event
        for seat in (before.to_move, None):
            view = EMPERADO.view(step.position, seat)
            assert CODEC.decode(Kind.VIEW, CODEC.encode(Kind.VIEW, view)) == view


def test_no_options_are_the_presets() -> None:
    assert CODEC.decode(Kind.OPTIONS, b"") == Options()


def test_seats_that_are_left_out_are_people() -> None:
    data = pb.EmperadoOptions(computers=[0, 1]).SerializeToString()
    assert CODEC.decode(Kind.OPTIONS, data).computers == (False, True, False, False, False, False)


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"start_armies": 0}, "start_armies"),
        ({"start_armies": 10}, "start_armies"),
        ({"card_bonus_start": 21}, "card_bonus_start"),
        ({"coalition": 100}, "coalition"),
        ({"solidarity": -10}, "solidarity"),
        ({"max_rounds": 1000}, "max_rounds"),
        ({"table_time": 101}, "table_time"),
        ({"capture_move": 5}, "capture_move"),
        ({"win": 3}, "win"),
        ({"computers": [0] * 7}, "computers"),
        ({"computers": [0, 2]}, "computers[1]"),
    ],
)
def test_options_out_of_range_are_malformed(fields: dict[str, Any], field: str) -> None:
    with pytest.raises(Malformed) as refused:
        CODEC.decode(Kind.OPTIONS, pb.EmperadoOptions(**fields).SerializeToString())
    assert refused.value.field == field


def owners(m: pb.EmperadoPosition) -> None:
    m.owners[3] = 7


def armies(m: pb.EmperadoPosition) -> None:
    m.armies[3] = 0


def too_few(m: pb.EmperadoPosition) -> None:
    del m.owners[0]


def absent_owner(m: pb.EmperadoPosition) -> None:
    m.owners[3] = 5


def out_with_countries(m: pb.EmperadoPosition) -> None:
    m.parties[1].out = 1


def foreign_blocked(m: pb.EmperadoPosition) -> None:
    m.blocked.append(0)


def out_on_turn(m: pb.EmperadoPosition) -> None:
    m.to_move = 5


def winner_while_on(m: pb.EmperadoPosition) -> None:
    m.winner = 1


def end_without_winner(m: pb.EmperadoPosition) -> None:
    m.end = pb.EMPERADO_END_FREED


def end_with_armies(m: pb.EmperadoPosition) -> None:
    m.end, m.to_place = pb.EMPERADO_END_AGREED, 3


def drawn_winner(m: pb.EmperadoPosition) -> None:
    m.end, m.winner = pb.EMPERADO_END_STILL, 1


def entry_of_others(m: pb.EmperadoPosition) -> None:
    m.entry.CopyFrom(pb.EmperadoEntry(source=0, target=1, least=1))


def entry_while_placing(m: pb.EmperadoPosition) -> None:
    m.entry.CopyFrom(pb.EmperadoEntry(source=PERU, target=BOLIVIEN, least=3))
    m.to_place = 1


def entry_of_too_many(m: pb.EmperadoPosition) -> None:
    m.entry.CopyFrom(pb.EmperadoEntry(source=PERU, target=BOLIVIEN, least=4))


def exchanging_late(m: pb.EmperadoPosition) -> None:
    m.exchanging = True


def seven(m: pb.EmperadoPosition) -> None:
    m.parties.extend([pb.EmperadoParty(out=1)] * 4)


def lonely(m: pb.EmperadoPosition) -> None:
    del m.parties[1:]


def hidden(m: pb.EmperadoPosition) -> None:
    m.parties[0].hidden = 1


def stirred_later(m: pb.EmperadoPosition) -> None:
    m.stirred = 3


def no_round(m: pb.EmperadoPosition) -> None:
    m.round = 0


def played_on(m: pb.EmperadoPosition) -> None:
    m.played = 50_001


def dead_hand(m: pb.EmperadoPosition) -> None:
    m.parties.append(pb.EmperadoParty(out=1, riders=1))


@pytest.mark.parametrize(
    ("spoil", "field"),
    [
        (owners, "owners[3]"),
        (armies, "armies[3]"),
        (too_few, "owners"),
        (absent_owner, "owners"),
        (out_with_countries, "owners"),
        (foreign_blocked, "blocked"),
        (out_on_turn, "to_move"),
        (winner_while_on, "winner"),
        (end_without_winner, "winner"),
        (end_with_armies, "end"),
        (drawn_winner, "winner"),
        (entry_of_others, "entry"),
        (entry_while_placing, "entry"),
        (entry_of_too_many, "entry.least"),
        (exchanging_late, "exchanging"),
        (seven, "parties"),
        (lonely, "parties"),
        (hidden, "parties"),
        (stirred_later, "stirred"),
        (no_round, "round"),
        (played_on, "played"),
        (dead_hand, "parties"),
    ],
)
def test_positions_that_cannot_be_are_malformed(spoil: Callable[[pb.EmperadoPosition], None], field: str) -> None:
    spoilt = message()
    assert CODEC.decode(Kind.POSITION, spoilt.SerializeToString()) == POSITION
    spoil(spoilt)
    with pytest.raises(Malformed) as refused:
        CODEC.decode(Kind.POSITION, spoilt.SerializeToString())
    assert refused.value.field == field


def test_a_view_with_cards_that_its_seat_may_not_know_is_malformed() -> None:
    data = CODEC.encode(Kind.VIEW, View(POSITION, A))
    with pytest.raises(Malformed) as refused:
        CODEC.decode(Kind.VIEW, data)
    assert refused.value.field == "position.parties[1]"


def test_a_view_of_a_seat_that_there_is_not_is_malformed() -> None:
    view = EMPERADO.view(POSITION, None)
    with pytest.raises(Malformed) as refused:
        CODEC.decode(Kind.VIEW, CODEC.encode(Kind.VIEW, View(view.position, 4)))
    assert refused.value.field == "seat"
    with pytest.raises(Malformed):
        CODEC.decode(Kind.VIEW, b"")


@pytest.mark.parametrize(
    ("action", "field"),
    [
        (pb.EmperadoAction(), "kind"),
        (pb.EmperadoAction(exchange=pb.EmperadoExchange()), "exchange.set"),
        (pb.EmperadoAction(place=pb.EmperadoPlace(country=60, armies=1)), "place.country"),
        (pb.EmperadoAction(place=pb.EmperadoPlace(country=5)), "place.armies"),
        (pb.EmperadoAction(attack=pb.EmperadoAttack(source=60)), "attack.source"),
        (pb.EmperadoAction(attack=pb.EmperadoAttack(target=60)), "attack.target"),
        (pb.EmperadoAction(attack=pb.EmperadoAttack(throws=10_001)), "attack.throws"),
        (pb.EmperadoAction(enter=pb.EmperadoEnter()), "enter.armies"),
        (pb.EmperadoAction(move=pb.EmperadoMove(source=1, target=99, armies=1)), "move.target"),
        (pb.EmperadoAction(move=pb.EmperadoMove(source=1, target=2)), "move.armies"),
    ],
)
def test_actions_that_cannot_be_are_malformed(action: pb.EmperadoAction, field: str) -> None:
    with pytest.raises(Malformed) as refused:
        CODEC.decode(Kind.ACTION, action.SerializeToString())
    assert refused.value.field == field


@pytest.mark.parametrize(
    ("event", "field"),
    [
        (pb.EmperadoEvent(), "kind"),
        (pb.EmperadoEvent(placed=pb.EmperadoPlaced(seat=6)), "placed.seat"),
        (pb.EmperadoEvent(moved=pb.EmperadoMoved(source=60)), "moved.source"),
        (pb.EmperadoEvent(drew=pb.EmperadoDrew(card=4)), "drew.card"),  # type: ignore[arg-type]
        (pb.EmperadoEvent(ended=pb.EmperadoEnded()), "ended.end"),
        (pb.EmperadoEvent(fought=pb.EmperadoFought(last=[pb.EmperadoThrow()] * 21)), "fought.last"),
        (pb.EmperadoEvent(fought=pb.EmperadoFought(last=[pb.EmperadoThrow(attacker=[7])])), "fought.last[0].attacker[0]"),
        (pb.EmperadoEvent(fought=pb.EmperadoFought(last=[pb.EmperadoThrow(defender=[1] * 4)])), "fought.last[0].defender"),
    ],
)
def test_events_that_cannot_be_are_malformed(event: pb.EmperadoEvent, field: str) -> None:
    with pytest.raises(Malformed) as refused:
        CODEC.decode(Kind.EVENT, event.SerializeToString())
    assert refused.value.field == field


def test_bytes_that_are_no_message_are_malformed() -> None:
    for kind in Kind:
        with pytest.raises(Malformed):
            CODEC.decode(kind, b"\xff\xff\xff")
