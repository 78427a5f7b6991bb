"""Positions and views as bytes, put together from parts that come again: hands, options, the odds of attacks.

A position is the countries, then the hands, then the course of the game. Only the hands differ between the views of a position,
so `views_in_parts` cuts the rest out of the position's own bytes.
"""

from collections.abc import Iterable
from functools import lru_cache

from brettwerk.v1 import emperado_pb2 as pb
from services.games.emperado.codec.writing import options_message, plus_one
from services.games.emperado.options import Options
from services.games.emperado.outlook import forecast, threats
from services.games.emperado.position import Entry, Party, Position, View
from services.games.emperado.world import WORLD
from services.games.fields import block, block_tag, number_tag, packed, varint

_HANDS, _COURSES, _FORECASTS = 4096, 1024, 16_384
"""How many encoded hands, options and forecasts are kept, each of which takes a few hundred bytes."""

_OWNERS = block_tag(pb.EmperadoPosition.OWNERS_FIELD_NUMBER)
_ARMIES = block_tag(pb.EmperadoPosition.ARMIES_FIELD_NUMBER)
_PARTIES = block_tag(pb.EmperadoPosition.PARTIES_FIELD_NUMBER)
_TO_MOVE = number_tag(pb.EmperadoPosition.TO_MOVE_FIELD_NUMBER)
_ROUND = number_tag(pb.EmperadoPosition.ROUND_FIELD_NUMBER)
_TO_PLACE = number_tag(pb.EmperadoPosition.TO_PLACE_FIELD_NUMBER)
_BLOCKED = block_tag(pb.EmperadoPosition.BLOCKED_FIELD_NUMBER)
_CAPTURED = number_tag(pb.EmperadoPosition.CAPTURED_FIELD_NUMBER)
_EXCHANGING = number_tag(pb.EmperadoPosition.EXCHANGING_FIELD_NUMBER)
_ENTRY = block_tag(pb.EmperadoPosition.ENTRY_FIELD_NUMBER)
_CARD_BONUS = number_tag(pb.EmperadoPosition.CARD_BONUS_FIELD_NUMBER)
_CARD_CLOCK = number_tag(pb.EmperadoPosition.CARD_CLOCK_FIELD_NUMBER)
_STIRRED = number_tag(pb.EmperadoPosition.STIRRED_FIELD_NUMBER)
_WINNER = number_tag(pb.EmperadoPosition.WINNER_FIELD_NUMBER)
_END = number_tag(pb.EmperadoPosition.END_FIELD_NUMBER)
_OPTIONS = block_tag(pb.EmperadoPosition.OPTIONS_FIELD_NUMBER)
_PLAYED = number_tag(pb.EmperadoPosition.PLAYED_FIELD_NUMBER)
_THROWN = number_tag(pb.EmperadoPosition.THROWN_FIELD_NUMBER)

_POSITION = block_tag(pb.EmperadoView.POSITION_FIELD_NUMBER)
_SEAT = number_tag(pb.EmperadoView.SEAT_FIELD_NUMBER)
_OUTLOOKS = block_tag(pb.EmperadoView.OUTLOOKS_FIELD_NUMBER)

_MAX_SMALL = 127
_OWNER_HEAD = _OWNERS + varint(WORLD)
_ARMIES_AT = len(_OWNER_HEAD) + WORLD + len(_ARMIES)
"""Where the length of the armies stands in a position: owners take a byte each."""


def position_bytes(position: Position) -> bytes:
    """Return a position as it is stored."""
    return b"".join((_board(position), _hands(position), _course(position)))


def view_bytes(view: View) -> bytes:
    """Return a view as a client is sent it."""
    return block(_POSITION, position_bytes(view.position)) + _looking(view)


def views_in_parts(views: Iterable[View], position: bytes) -> list[tuple[bytes, bytes, bytes, bytes, bytes]]:
    """Return each view of a position, given as bytes too, in five parts; the second and the fourth are the same objects."""
    board, course = _around_hands(position)
    shared = len(board) + len(course)
    made = []
    for view in views:
        hands = _hands(view.position)
        made.append((_POSITION + varint(shared + len(hands)), board, hands, course, _looking(view)))
    return made


def _around_hands(position: bytes) -> tuple[bytes, bytes]:
    """Return what stands before and behind the hands in an encoded position."""
    size, begin = position[_ARMIES_AT], _ARMIES_AT + 1
    if size > _MAX_SMALL:
        # A length of two bytes, the low seven bits first: more than 16,383 bytes these are never.
        size, begin = size + (position[begin] - 1) * 128, begin + 1
    begin += size
    end = begin
    while position[end : end + 1] == _PARTIES:
        end += 2 + position[end + 1]
    return position[:begin], position[end:]


def _board(position: Position) -> bytes:
    # An owner is its seat plus one, and GHOST is -1.
    owners = bytes([owner + 1 for owner in position.owners])
    return b"".join((_OWNER_HEAD, owners, block(_ARMIES, packed(position.armies))))


def _hands(position: Position) -> bytes:
    return b"".join(map(_hand, position.parties))


@lru_cache(maxsize=_HANDS)
def _hand(party: Party) -> bytes:
    return block(_PARTIES, pb.EmperadoParty(**party._asdict()).SerializeToString())


def _course(position: Position) -> bytes:
    """Return all that stands behind the hands."""
    parts: list[bytes] = []
    for tag, value in (
        (_TO_MOVE, position.to_move),
        (_ROUND, position.round),
        (_TO_PLACE, position.to_place),
    ):
        if value:
            parts += (tag, varint(value))
    if position.blocked:
        parts.append(block(_BLOCKED, bytes(sorted(position.blocked))))
    if position.captured:
        parts += (_CAPTURED, varint(True))
    if position.exchanging:
        parts += (_EXCHANGING, varint(True))
    if position.entry is not None:
        parts.append(_entry(position.entry))
    for tag, value in (
        (_CARD_BONUS, position.card_bonus),
        (_CARD_CLOCK, position.card_clock),
        (_STIRRED, position.stirred),
        (_WINNER, plus_one(position.winner)),
        (_END, position.end or 0),
    ):
        if value:
            parts += (tag, varint(value))
    parts.append(_chosen(position.options))
    if position.played:
        parts += (_PLAYED, varint(position.played))
    if position.thrown is not None:
        parts += (_THROWN, varint(position.thrown))
    return b"".join(parts)


def _entry(entry: Entry) -> bytes:
    return block(_ENTRY, pb.EmperadoEntry(**entry._asdict()).SerializeToString())


@lru_cache(maxsize=_COURSES)
def _chosen(options: Options) -> bytes:
    return block(_OPTIONS, options_message(options).SerializeToString())


def _looking(view: View) -> bytes:
    """Return who looks, and what it is told of its attacks."""
    if view.seat is None:
        return b""
    looks = _SEAT + varint(view.seat + 1)
    if made := threats(view):
        return looks + b"".join([_outlook(source, target, attackers, defenders) for source, target, attackers, defenders in made])
    return looks


@lru_cache(maxsize=_FORECASTS)
def _outlook(source: int, target: int, attackers: int, defenders: int) -> bytes:
    message = pb.EmperadoOutlook(source=source, target=target)
    return block(_OUTLOOKS, message.SerializeToString() + _forecast(attackers, defenders))


@lru_cache(maxsize=_FORECASTS)
def _forecast(attackers: int, defenders: int) -> bytes:
    series = [pb.EmperadoOdds(throws=throws, **odds._asdict()) for throws, odds in forecast(attackers, defenders)]
    return pb.EmperadoOutlook(series=series).SerializeToString()
