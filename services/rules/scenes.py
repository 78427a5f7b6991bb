"""Sentences, scenes and boards of a game as messages, and in words what has happened.

A board has a bound of bytes: whatever an installed game tells, the answer stays one that clients can take.
"""

from itertools import chain

from brettwerk.v1 import games_pb2
from brettwerk_games.rules.board import Board, BoardGroup, BoardPattern, BoardPlace
from brettwerk_games.rules.interface import Area, Narration, Place, Scene, Text, Thing
from services.runtime.refusal import malformed
from services.runtime.seats import put_seat

MAX_BYTES = 65_536
"""The most that a board may take, as the contract says (Board in games.proto)."""


def text_of(sentence: Text) -> games_pb2.Text:
    """Return a sentence as a message."""
    return games_pb2.Text(key=sentence.key, args=sentence.args)


def text_of_key(name: str) -> games_pb2.Text:
    """Return the sentence of a key that takes no arguments."""
    return games_pb2.Text(key=name)


def scene(drawn: Scene) -> games_pb2.Scene:
    """Return the scene."""
    return games_pb2.Scene(
        rows=drawn.rows,
        columns=drawn.columns,
        places=[_place(place) for place in drawn.places],
        facts=[games_pb2.Fact(label=text_of(what), value=text_of(how)) for what, how in drawn.facts],
        tiling=games_pb2.Tiling.ValueType(drawn.tiling),
        areas=map(_area, drawn.areas),
    )


def narration(said: Narration) -> games_pb2.Narration:
    """Return what has happened, in words."""
    return games_pb2.Narration(text=text_of(said.text), places=said.places, things=map(_thing, said.things))


def _area(area: Area) -> games_pb2.Area:
    return games_pb2.Area(label=text_of(area.label), places=area.places, owner_seat=area.owner)


def _place(place: Place) -> games_pb2.Place:
    things = map(_thing, place.things)
    return games_pb2.Place(
        name=place.name, row=place.row, column=place.column, label=text_of(place.label), things=things, stacked=place.stacked
    )


def _thing(thing: Thing) -> games_pb2.Thing:
    drawn = games_pb2.Thing(
        mark=thing.mark,
        label=text_of(thing.label),
        shape=games_pb2.Shape.ValueType(thing.shape),
        count=thing.count if thing.count > 1 else 0,
    )
    put_seat(drawn, "owner_seat", thing.owner)
    return drawn


def board(known: Board) -> games_pb2.Board:
    """Return the board. Raises Refused (MALFORMED) for options that make it larger than MAX_BYTES."""
    message = games_pb2.Board(
        places=map(_board_place, known.places),
        groups=map(_board_group, known.groups),
        patterns=map(_board_pattern, known.patterns),
        width=known.width,
        height=known.height,
        one_way=known.one_way,
    )
    if (size := message.ByteSize()) > MAX_BYTES:
        raise malformed("options", f"the board of these options takes {size} bytes, and {MAX_BYTES} are allowed")
    return message


def _board_place(place: BoardPlace) -> games_pb2.BoardPlace:
    label = text_of_key(place.label) if place.label else None
    outlines = [games_pb2.BoardOutline(points=chain.from_iterable(outline)) for outline in place.outlines]
    return games_pb2.BoardPlace(
        number=place.number, name=place.name, label=label, x=place.x, y=place.y, neighbours=place.neighbours, outlines=outlines
    )


def _board_group(group: BoardGroup) -> games_pb2.BoardGroup:
    label = text_of_key(group.label) if group.label else None
    return games_pb2.BoardGroup(
        id=group.id, label=label, places=group.places, bonus=group.bonus, owner_seat=group.owner, colour=group.colour
    )


def _board_pattern(pattern: BoardPattern) -> games_pb2.BoardPattern:
    lines = (games_pb2.BoardLine(right=[right for right, _ in line], down=[down for _, down in line]) for line in pattern.lines)
    return games_pb2.BoardPattern(id=pattern.id, seats=pattern.seats, hits=pattern.hits, lines=lines)
