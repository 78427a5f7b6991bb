"""Scenes get areas beside their grid, in which each place is spoken as what lies on it."""

from brettwerk_games.rules.interface import Scene, Shape, Text
from brettwerk_games.rules.scenes import die, disc, placed, with_areas

EMPTY = placed(1, 0, "A1", Text("place.empty"))
DICE = {"first": die(3, 1), "second": die(0, 1)}


def test_areas_come_after_those_that_are_there_and_leave_the_grid_as_it_is() -> None:
    once = with_areas(Scene(1, 1, (EMPTY,)), [(Text("hand"), 1, DICE)])
    scene = with_areas(once, [(Text("bids"), None, {"1": die(1)})])
    assert [(area.label.key, area.places, area.owner) for area in scene.areas] == [
        ("hand", ("first", "second"), 1),
        ("bids", ("1",), None),
    ]
    assert scene.grid == (EMPTY,)


def test_a_place_of_an_area_is_spoken_as_what_lies_on_it() -> None:
    scene = with_areas(Scene(0, 0, ()), [(Text("hand"), 1, DICE)])
    assert [(place.label, place.things) for place in scene.places] == [(thing.label, (thing,)) for thing in DICE.values()]
    assert scene.grid == ()


def test_an_area_without_places_is_left_out() -> None:
    assert with_areas(Scene(0, 0, ()), [(Text("hand"), 1, {})]) == Scene(0, 0, ())


def test_a_covered_die_has_no_mark() -> None:
    assert [(thing.mark, thing.shape, thing.owner) for thing in DICE.values()] == [("3", Shape.DIE, 1), ("", Shape.DIE, 1)]
    assert DICE["second"].label.key == "die.covered"


def test_a_disc_bears_its_number() -> None:
    assert (disc(12, 1).mark, disc(12, 1).owner, disc(0).mark) == ("12", 1, "0")
    assert dict(disc(12).label.args) == {"number": "12"}
