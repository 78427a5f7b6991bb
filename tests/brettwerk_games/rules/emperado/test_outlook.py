"""The outlook that a view gives on attacks before they are made."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brettwerk.v1 import emperado_pb2 as pb
from brettwerk_games.rules.emperado.actions import TO_THE_END, Attack
from brettwerk_games.rules.emperado.odds import odds, series
from brettwerk_games.rules.emperado.options import Options
from brettwerk_games.rules.emperado.outlook import forecast, threats
from brettwerk_games.rules.emperado.position import Entry, Position, View
from brettwerk_games.rules.interface import Kind
from tests.brettwerk_games.rules.emperado.test_rules import OPTIONS, steps
from tests.brettwerk_games.rules.emperado.worlds import ARGENTINIEN, BOLIVIEN, BRASILIEN, EMPERADO, PERU, A, B, world
from tests.night import examples

POSITION = world("Peru A8, Bolivien B1, Brasilien A1, Argentinien A9", blocked=frozenset({ARGENTINIEN}))


def received(position: Position, seat: int | None) -> pb.EmperadoView:
    return pb.EmperadoView.FromString(EMPERADO.codec.encode(Kind.VIEW, EMPERADO.view(position, seat)))


def test_the_seat_to_act_is_told_of_its_attacks_by_series() -> None:
    found = threats(EMPERADO.view(POSITION, A))
    assert (PERU, BOLIVIEN, 8, 1) in found
    assert tuple(forecast(8, 1)) == ((1, series(8, 1, 1)), (5, series(8, 1, 5)), (TO_THE_END, odds(8, 1)))
    assert {source for source, *_ in found} == {PERU}, "one army, or a blocked country, does not attack"
    assert BRASILIEN not in {target for _, target, *_ in found}, "nobody attacks themselves"


@pytest.mark.parametrize("seat", [B, None])
def test_others_are_told_nothing(seat: int | None) -> None:
    assert not received(POSITION, seat).outlooks


@pytest.mark.parametrize("fields", [{"to_place": 3}, {"entry": Entry(PERU, BRASILIEN, 1)}])
def test_threats_are_empty_while_attacks_are_impossible(fields: dict[str, Any]) -> None:
    assert not threats(EMPERADO.view(POSITION._replace(**fields), A))


@given(OPTIONS, st.integers(2, 6), st.integers(0, 2**32))
@settings(max_examples=examples(8), deadline=None)
def test_exactly_the_attacks_that_can_be_made_are_shown(options: Options, seats: int, seed: int) -> None:
    for _, _, step in steps(options, seats, seed, 60):
        view = EMPERADO.view(step.position, step.position.to_move)
        listed = {(a.source, a.target, a.throws) for a in EMPERADO.actions(view) if isinstance(a, Attack)}
        received = {(source, target, throws) for source, target, a, d in threats(view) for throws, _ in forecast(a, d)}
        assert received == listed


def test_the_cards_of_others_change_nothing() -> None:
    hands = {B: (3, 0, 1)}, {B: (0, 2, 2)}
    one, other = (received(world("Peru A8", cards=cards), A).outlooks for cards in hands)
    assert list(one) == list(other)


def test_odds_claimed_by_clients_are_not_read() -> None:
    message = received(POSITION, A)
    del message.outlooks[:]
    message.outlooks.add(source=PERU, target=BOLIVIEN).series.add(win=1)
    view: View = EMPERADO.codec.decode(Kind.VIEW, message.SerializeToString())
    assert view == EMPERADO.view(POSITION, A)
