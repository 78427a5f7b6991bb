"""A scene as a message."""

from brettwerk.v1 import games_pb2
from services.games.interface import Place, Scene
from services.rules.texts import text


def scene(drawn: Scene) -> games_pb2.Scene:
    """Return the scene."""
    return games_pb2.Scene(
        rows=drawn.rows,
        columns=drawn.columns,
        places=[_place(place) for place in drawn.places],
        facts=[games_pb2.Fact(label=text(what), value=text(how)) for what, how in drawn.facts],
    )


def _place(place: Place) -> games_pb2.Place:
    things = [
        games_pb2.Thing(mark=thing.mark, label=text(thing.label), owner=0 if thing.owner is None else thing.owner + 1)
        for thing in place.things
    ]
    return games_pb2.Place(name=place.name, row=place.row, column=place.column, label=text(place.label), things=things)
