"""A scene, and what has happened in words, as messages."""

from brettwerk.v1 import games_pb2
from brettwerk_games.rules.interface import Area, Narration, Place, Scene, Thing
from services.rules.texts import text
from services.runtime.seats import put_seat


def scene(drawn: Scene) -> games_pb2.Scene:
    """Return the scene."""
    return games_pb2.Scene(
        rows=drawn.rows,
        columns=drawn.columns,
        places=[_place(place) for place in drawn.places],
        facts=[games_pb2.Fact(label=text(what), value=text(how)) for what, how in drawn.facts],
        tiling=games_pb2.Tiling.ValueType(drawn.tiling),
        areas=map(_area, drawn.areas),
    )


def narration(said: Narration) -> games_pb2.Narration:
    """Return what has happened, in words."""
    return games_pb2.Narration(text=text(said.text), places=said.places, things=map(_thing, said.things))


def _area(area: Area) -> games_pb2.Area:
    return games_pb2.Area(label=text(area.label), places=area.places, owner_seat=area.owner)


def _place(place: Place) -> games_pb2.Place:
    things = map(_thing, place.things)
    return games_pb2.Place(
        name=place.name, row=place.row, column=place.column, label=text(place.label), things=things, stacked=place.stacked
    )


def _thing(thing: Thing) -> games_pb2.Thing:
    drawn = games_pb2.Thing(
        mark=thing.mark,
        label=text(thing.label),
        shape=games_pb2.Shape.ValueType(thing.shape),
        count=thing.count if thing.count > 1 else 0,
    )
    put_seat(drawn, "owner_seat", thing.owner)
    return drawn
