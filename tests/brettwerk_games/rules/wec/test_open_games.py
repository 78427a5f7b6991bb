"""With which options nothing is hidden, so that everybody can foresee a game (WEC-OBS-14)."""

import random
from collections.abc import Iterator

import pytest

from brettwerk_games.rules.wec import GAME
from brettwerk_games.rules.wec.options import Actions, Amount, Movement, Options
from brettwerk_games.rules.wec.position import Position
from tests.night import examples

OPEN = Options(actions=Actions.MOVES_ONLY, stealth_invisible=False, submerged_invisible=False, reinforcements=Amount.NONE)
CHESS = OPEN._replace(movement=Movement.STANDARD_CHESS, weapons=Amount.NONE, xxx_boxes=Amount.NONE)
HIDING = (
    {"stealth_invisible": True},
    {"submerged_invisible": True},
    {"actions": Actions.ALL},
    {"actions": Actions.ONE_PER_PIECE},
    {"reinforcements": Amount.NORMAL},
)


def positions(options: Options, seed: int) -> Iterator[Position]:
    """Yield the positions of a random game."""
    dice = random.Random(seed)
    position = GAME.new(options, 2, None, bytes(32)).position
    yield position
    for _ in range(examples(120)):
        seats = GAME.to_act(position)
        if not seats:
            return
        action = dice.choice(list(GAME.actions(GAME.view(position, seats[0]))))
        position = GAME.apply(position, seats[0], action, bytes(32)).position
        yield position


@pytest.mark.parametrize("options", [OPEN, CHESS, CHESS._replace(competitive=True)])
@pytest.mark.parametrize("seed", range(2))
def test_a_game_stays_open_and_everybody_sees_the_same_pieces(options: Options, seed: int) -> None:
    for position in positions(options, seed):
        assert GAME.is_open(position)
        seen = [[(piece.id, piece.place) for piece in GAME.view(position, seat).pieces] for seat in (0, 1, None)]
        assert seen == [[(piece.id, piece.place) for piece in position.pieces]] * 3


@pytest.mark.parametrize("change", HIDING)
def test_each_thing_that_can_be_hidden_closes_it(change: dict[str, object]) -> None:
    options = OPEN._replace(**change)  # type: ignore[arg-type]
    assert not any(GAME.is_open(position) for position in positions(options, 0))


def test_an_edited_board_is_closed_since_the_marks_of_its_pawns_are() -> None:
    (position, *_) = positions(OPEN, 0)
    assert not GAME.is_open(position._replace(edited=True))
