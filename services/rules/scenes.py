"""A scene as a message."""

from brettwerk.v1 import games_pb2
from brettwerk_games.rules.interface import Place, Scene, Thing
from services.rules.texts import text
from services.runtime.seats import put_seat


def scene(drawn: Scene) -> games_pb2.Scene:
    """Return the scene."""
    return games_pb2.Scene(
        rows=drawn.rows,
        columns=drawn.columns,
        places=[_place(place) for place in drawn.places],
        facts=[games_pb2.Fact(label=text(what), value=text(how)) for what, how in drawn.facts],
    )


def _place(place: Place) -> games_pb2.Place:
    things = map(_thing, place.things)
    return games_pb2.Place(name=place.name, row=place.row, column=place.column, label=text(place.label), things=things)


def _thing(thing: Thing) -> games_pb2.Thing:
    drawn = games_pb2.Thing(mark=thing.mark, label=text(thing.label))
    put_seat(drawn, "owner_seat", thing.owner)
    return drawn
