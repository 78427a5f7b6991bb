"""The board in words, as a client that knows no game tells it."""

from brettwerk_games.rules.interface import Text
from brettwerk_games.rules.plateau import GAME
from brettwerk_games.rules.plateau.actions import EndTurn
from brettwerk_games.rules.plateau.options import Options, Shape
from brettwerk_games.rules.plateau.position import Position
from tests.brettwerk_games.rules.plateau.boards import begun, do, new, stand, view


def say(text: Text, language: str = "en") -> str:
    return GAME.facts.catalogue(language)[text.key].format(**text.args)


def spoken(position: Position, node: str, language: str = "en") -> str:
    places = GAME.scene(GAME.view(position, None)).places
    return say(next(place.label for place in places if place.name == node), language)


def facts(position: Position, language: str = "en") -> dict[str, str]:
    return {say(caption, language): say(value, language) for caption, value in GAME.scene(GAME.view(position, 0)).facts}


def test_every_node_is_spoken() -> None:
    position = stand("E@A1 4@D4", "6@E5 2@F5")
    assert spoken(position, "A1") == "A1, Babylon, emblem on its base"
    assert spoken(position, "D4", "de") == "D4, Babylon, Vierer"
    assert spoken(position, "E5") == "E5, Media-Persia, six"
    assert spoken(position, "A9") == "A9, base of Media-Persia, empty"
    assert spoken(position, "K16", "de") == "K16, leer"


def test_the_board_is_a_grid_and_the_red_area_has_no_places() -> None:
    scene = GAME.scene(view(new(4)))
    assert (scene.rows, scene.columns, len(scene.places)) == (11, 24, 264)
    assert [(place.name, place.row, place.column) for place in scene.places[23:25]] == [("A24", 0, 23), ("B1", 1, 0)]
    flat = GAME.scene(view(new(2, Options(shape=Shape.FLAT))))
    assert len(flat.places) == 170
    assert "F8" not in {place.name for place in flat.places}


def test_the_facts_count_steps() -> None:
    position = do(begun("E@A4 6@C1", "E@A9 2@D8"), "C1-C2-C3", "A4-A5-A6-A7-B7")
    assert facts(position) == {
        "To move": "Babylon",
        "Small armies' steps": "2 of 6",
        "Emblem's steps": "4",
        "Steps in total": "6 of 12",
        "Counted aloud": "6",
        "Still required": "0",
        "Armies of Babylon": "2",
        "Armies of Media-Persia": "2",
    }


def test_the_facts_tell_the_end() -> None:
    ended = do(stand("2@B8", "E@A9"), "B8-A8#A9")
    assert facts(ended, "de")["Ergebnis"] == "Babylon hat erobert."
    assert facts(ended)["Armies of Media-Persia"] == "out"


def test_choices_are_said_and_touched() -> None:
    position = stand("2@B8 4@D4", "E@A9 2@D5 2@E5")
    said = {}
    for text in ("2 B8..#A9/2", "4 D4xD5", "4 D4-D5J-D6-D7", "4 D4..C5/2"):
        choice = GAME.choice(view(position), GAME.read(view(position), text))
        said[say(choice.label)] = choice.places
    assert said == {
        "2: B8 conquers A9, steps: 2": ("B8", "A9"),
        "4: D4 captures on D5, steps: 1": ("D4", "D5"),
        "4: D4 to D7, steps: 3": ("D4", "D5", "D6", "D7"),
        "4: D4 to C5, steps: 2": ("D4", "C5"),
    }
    assert GAME.choice(view(position), EndTurn()).places == ()
