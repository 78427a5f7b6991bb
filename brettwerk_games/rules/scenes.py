"""The common parts of scenes of all games: numbers beside the board, dice, places in rows and columns, and areas beside these."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from brettwerk_games.rules.interface import Area, Place, Scene, Shape, Text, Thing


def number_text(number: int) -> Text:
    """Return a number as a fact."""
    return Text("fact.number", {"number": str(number)})


def die(number: int, owner: int | None = None) -> Thing:
    """Return a die that shows a number; with 0 a covered one."""
    return Thing(str(number or ""), number_text(number) if number else Text("die.covered"), owner, Shape.DIE)


def disc(number: int, owner: int | None = None) -> Thing:
    """Return a disc that bears a number."""
    return Thing(str(number), number_text(number), owner)


def placed(columns: int, square: int, name: str, label: Text, *things: Thing) -> Place:
    """Return the place of a square on a board of so many columns, counted row by row from the top left."""
    row, column = divmod(square, columns)
    return Place(name, row, column, label, things)


def with_areas(scene: Scene, areas: Iterable[tuple[Text, int | None, Mapping[str, Thing]]]) -> Scene:
    """Return a scene with areas after its own: of each the heading, whose it is, and by name of a place what lies on it.

    A place is spoken as what lies on it. Areas without places are left out.
    """
    filled = [area for area in areas if area[2]]
    places = tuple(Place(name, 0, 0, thing.label, (thing,)) for _, _, things in filled for name, thing in things.items())
    added = tuple(Area(label, tuple(things), owner) for label, owner, things in filled)
    return replace(scene, places=scene.places + places, areas=scene.areas + added)
