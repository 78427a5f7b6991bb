"""The board in words, as a client that knows no game tells it."""

import pytest

from brettwerk_games.rules.einstein.actions import Arrange
from brettwerk_games.rules.einstein.board import BLACK
from brettwerk_games.rules.einstein.options import Options, Setup
from brettwerk_games.rules.einstein.position import Position
from brettwerk_games.rules.interface import Text
from tests.brettwerk_games.rules.einstein.boards import EINSTEIN, EXAMPLE, SEED, after, board, move


def say(text: Text, language: str) -> str:
    return EINSTEIN.facts.catalogue(language)[text.key].format(**text.args)


def spoken(position: Position, square: str, language: str = "en") -> str:
    places = EINSTEIN.scene(EINSTEIN.view(position, None)).places
    return say(next(place.label for place in places if place.name == square), language)


def facts(position: Position, language: str = "en") -> dict[str, str]:
    received = EINSTEIN.scene(EINSTEIN.view(position, BLACK)).facts
    return {say(caption, language): say(value, language) for caption, value in received}


def test_every_square_is_spoken() -> None:
    position = board(*EXAMPLE, "black", 4)
    assert spoken(position, "A1") == "A1, empty"
    assert spoken(position, "C1") == "C1, White 2"
    assert spoken(position, "B3") == "B3, Black 4, may move"
    assert spoken(position, "C5") == "C5, White 4"
    assert spoken(position, "B2", "de") == "B2, Schwarz 5"
    assert spoken(position, "B3", "de") == "B3, Schwarz 4, darf ziehen"


def test_the_board_is_a_grid_read_from_the_top() -> None:
    scene = EINSTEIN.scene(EINSTEIN.view(board(*EXAMPLE, "black", 4), None))
    assert (scene.rows, scene.columns) == (5, 5)
    assert [(place.name, place.row, place.column) for place in scene.places][:7:3] == [("A1", 0, 0), ("D1", 0, 3), ("B2", 1, 1)]
    assert {(thing.mark, thing.owner) for place in scene.places for thing in place.things if place.name in ("C1", "A2")} == {
        ("2", 0),
        ("1", 1),
    }


@pytest.mark.parametrize("show_roll", [False, True])
def test_the_facts_always_tell_the_roll(show_roll: bool) -> None:
    position = board(*EXAMPLE, "black", 4)._replace(show_roll=show_roll)
    assert facts(position) == {"To move": "Black", "Roll": "4", "White stones": "5", "Black stones": "3"}


def test_the_facts_tell_of_every_stage() -> None:
    choosing = EINSTEIN.new(Options(setup=Setup.CHOSEN), 2, None, SEED).position
    assert facts(choosing, "de")["Am Zug"] == "Schwarz stellt auf"
    assert facts(board("1@A1", "2@D4 3@E5", "black"))["Roll"] == "not needed"
    ended = after(board("4@D4", "1@E1 2@A5", "black"), 4, "E5")
    assert facts(ended)["Result"] == "Black has reached E5."
    assert not any("may move" in spoken(ended, place) for place in ("E1", "A5", "E5"))


def test_choices_are_said_and_touched() -> None:
    view = EINSTEIN.view(board(*EXAMPLE, "black", 2), BLACK)
    capture = EINSTEIN.choice(view, move(1, "B2"))
    assert (capture.places, say(capture.label, "en")) == (("A2", "B2"), "1: A2 captures on B2")
    plain = EINSTEIN.choice(view, move(4, "C3"))
    assert (plain.places, say(plain.label, "de")) == (("B3", "C3"), "4: B3 nach C3")
    choosing = EINSTEIN.view(EINSTEIN.new(Options(setup=Setup.CHOSEN), 2, None, SEED).position, BLACK)
    arrange = EINSTEIN.choice(choosing, Arrange((1, 6, 3, 5, 2, 4)))
    assert (arrange.places, say(arrange.label, "en")) == ((), "Set up 1 6 3 5 2 4")
