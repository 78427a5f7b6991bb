"""The fast ways against the plain ones, over random games with all options and all numbers of seats."""

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brettwerk_games.rules.emperado.codec import EmperadoCodec
from brettwerk_games.rules.emperado.legal import groups
from brettwerk_games.rules.emperado.options import Options
from brettwerk_games.rules.emperado.position import Entry, Party, Position, View
from brettwerk_games.rules.emperado.strength import strengths
from brettwerk_games.rules.interface import Kind
from tests.brettwerk_games.rules.emperado import plain
from tests.brettwerk_games.rules.emperado.lookalikes import look_alike
from tests.brettwerk_games.rules.emperado.test_rules import OPTIONS, steps
from tests.brettwerk_games.rules.emperado.worlds import BRASILIEN, EMPERADO, PERU, A, B, dealt, world
from tests.night import examples

CODEC = EmperadoCodec()
games = given(OPTIONS, st.integers(2, 6), st.integers(0, 2**32))


def positions(options: Options, seats: int, seed: int, most: int = 150) -> Iterator[Position]:
    yield dealt(seats, options=options._replace(max_rounds=0))
    for _, _, step in steps(options, seats, seed, most):
        yield step.position


def assert_as_plain(position: Position) -> None:
    data = CODEC.encode(Kind.POSITION, position)
    assert data == plain.position_message(position).SerializeToString(deterministic=True)
    eyes = (*range(len(position.parties)), None)
    views = [EMPERADO.view(position, seat) for seat in eyes]
    parts = CODEC.encode_views(views, data)
    for seat, view, received in zip(eyes, views, parts, strict=True):
        assert view == plain.view(position, seat)
        assert CODEC.encode(Kind.VIEW, view) == plain.view_message(view).SerializeToString(deterministic=True)
        assert b"".join(received) == CODEC.encode(Kind.VIEW, view)
        assert EMPERADO.actions(view) == tuple(plain.actions(view))
        assert len(received) <= 8, "as the interface says"
    assert {len({id(part) for part in column}) for column in list(zip(*parts, strict=True))[1::2]} == {1}, "shared as objects"
    assert strengths(position) == plain.strengths(position)


@games
@settings(max_examples=examples(20), deadline=None)
def test_every_position_of_a_game_is_described_as_in_the_plain_way(options: Options, seats: int, seed: int) -> None:
    for position in positions(options, seats, seed):
        assert_as_plain(position)


@pytest.mark.parametrize("armies", [1, 127, 128, 255, 256, 16_383, 16_384, 1_000_000_000])
def test_large_numbers_are_described_as_in_the_plain_way(armies: int) -> None:
    one = world(f"Peru A{armies}, Bolivien B1", cards={A: (1, 2, 0), B: (99, 0, 0)})
    all_over = world(rest="A", armies=armies, lands={B: [7]}, round=1_000_000, card_bonus=130, played=49_999, stirred=128)
    for position in (one, all_over, all_over._replace(to_place=armies, blocked=frozenset({0, 59, 13}))):
        assert_as_plain(position)


def test_an_entry_is_described_as_in_the_plain_way() -> None:
    for least in (1, 2, 3):
        assert_as_plain(world("Peru A8, Brasilien A3", entry=Entry(PERU, BRASILIEN, least)))
        assert_as_plain(world("Peru A800, Brasilien A3", entry=Entry(PERU, BRASILIEN, least)))


def test_a_view_of_one_who_is_no_seat_is_encoded_too() -> None:
    view = View(EMPERADO.view(world("Peru A8"), None).position, 5)
    assert CODEC.encode(Kind.VIEW, view) == plain.view_message(view).SerializeToString(deterministic=True)


def test_a_group_is_the_same_wherever_it_is_listed() -> None:
    received: dict[object, object] = {}
    for seats in (2, 3, 6):
        for position in positions(Options(), seats, seats, 200):
            view = EMPERADO.view(position, position.to_move)
            for key, size, made in groups(view):
                known = [(action, EMPERADO.choice(view, action), EMPERADO.write(view, action)) for action in made()]
                assert len(known) == size
                assert received.setdefault(key, known) == known


@games
@settings(max_examples=examples(10), deadline=None)
def test_positions_that_look_alike_have_the_same_bytes(options: Options, seats: int, seed: int) -> None:
    for position in list(positions(options, seats, seed, 120))[::7]:
        for seat in (*range(seats), None):
            other = look_alike(position, seat, seed.to_bytes(32, "big"))
            views = [EMPERADO.view(each, seat) for each in (position, other)]
            alone = [CODEC.encode(Kind.VIEW, view) for view in views]
            assert alone[0] == alone[1]
            received = [
                CODEC.encode_views([EMPERADO.view(each, seat)], CODEC.encode(Kind.POSITION, each)) for each in (position, other)
            ]
            assert received[0] == received[1]


def test_hands_are_hidden_however_many_there_were() -> None:
    for party in (Party(), Party(fresh=True), Party(out=7), Party(1, 2, 3, 0, fresh=True), Party(99, 99, 99)):
        position = world("Peru A8")._replace(parties=(Party(2), party, Party()))
        seen = EMPERADO.view(position, A).position.parties
        assert seen == (Party(2), Party(hidden=party.cards, fresh=party.fresh, out=party.out), Party())
