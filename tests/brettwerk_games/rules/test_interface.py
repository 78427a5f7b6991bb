"""Names that a game may leave out are added to whatever has the required ones."""

from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from brettwerk_games.rules.einstein import GAME
from brettwerk_games.rules.interface import Codec, Game, Kind, completed
from brettwerk_games.rules.open.of_two import GameOfTwo
from brettwerk_games.rules.optional import NO_VOTES

REQUIRED = [*sorted(Game.__abstractmethods__), "facts", "codec"]
SEED = bytes(32)


def only(names: list[str], of: Any) -> ModuleType:
    """Return a module with these names of another thing and no others."""
    module = ModuleType("bare_game")
    vars(module).update({name: getattr(of, name) for name in names})
    return module


def test_a_module_with_the_required_names_is_a_game() -> None:
    game = completed(Game, only(REQUIRED, GAME))
    position = game.new(GAME.codec.decode(Kind.OPTIONS, b""), 2, None, SEED).position
    view = game.view(position, game.to_act(position)[0])
    actions = game.actions(view)
    assert game.first_actions(view, 1) == actions[:1]
    assert list(game.choices(view, actions)) == [(GAME.choice(view, each), GAME.write(view, each)) for each in actions]
    assert (game.listed(actions[0]), game.hold(position), list(game.sides(position))) == (actions[0], position, [0, 1])
    assert (game.groups(view), game.survey([]), game.read_by(None, 0)) == (None, None, None)
    assert (game.draw_votes(position), game.odds_tables(), game.start_warnings(position)) == (NO_VOTES, (), ())
    assert (game.unaware(position, None), game.can_hide(position), game.is_open(position)) == ((), False, True)
    assert game.new_by("1", GAME.codec.decode(Kind.OPTIONS, b""), 2, None, SEED).position == position


def test_a_codec_without_more_encodes_views_one_by_one_and_leaves_lists_to_others() -> None:
    codec = completed(Codec, SimpleNamespace(**{name: getattr(GAME.codec, name) for name in ("type_name", "encode", "decode")}))
    view = GAME.view(GAME.new(GAME.codec.decode(Kind.OPTIONS, b""), 2, None, SEED).position, None)
    assert codec.encode_views([view], b"") == [(GAME.codec.encode(Kind.VIEW, view),)]
    assert codec.encode_choices(view, (), 1) is None
    assert codec.knows_all(Kind.VIEW, b"")


@pytest.mark.parametrize("name", sorted(Game.__abstractmethods__))
def test_a_missing_required_name_is_said(name: str) -> None:
    with pytest.raises(TypeError, match=rf"abstract method.*{name}"):
        completed(Game, only([each for each in REQUIRED if each != name], GAME))


def test_a_complete_game_stays_the_same_object() -> None:
    assert completed(Game, GAME) is GAME
    assert completed(Codec, GAME.codec) is GAME.codec


def test_a_game_of_two_without_a_required_function_is_none() -> None:
    assert {"legal", "play", "notate", "board"} <= GameOfTwo.__abstractmethods__
