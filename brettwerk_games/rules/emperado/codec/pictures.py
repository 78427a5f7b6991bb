"""Views as bytes, put together from parts that come again: the position's own, hands, the odds of attacks.

A position is the countries, then the hands, then the course of the game. Only the hands differ between the views of a position,
so `views_in_parts` cuts the rest out of the position's own bytes.
"""

from collections.abc import Sequence
from functools import lru_cache

from brettwerk.v1 import emperado_pb2 as pb
from brettwerk_games.protobuf_wire.fields import block, block_tag, number_tag, varint
from brettwerk_games.rules.emperado.codec.pairs import PAIRS
from brettwerk_games.rules.emperado.options import Luck
from brettwerk_games.rules.emperado.outlook import forecast, threats
from brettwerk_games.rules.emperado.position import Party, Position, View

_FORECASTS = 16_384
"""How many encoded forecasts are kept, each of which takes a few hundred bytes."""

_OWNERS = block_tag(pb.EmperadoPosition.OWNERS_FIELD_NUMBER)
_ARMIES = block_tag(pb.EmperadoPosition.ARMIES_FIELD_NUMBER)
_PARTIES = block_tag(pb.EmperadoPosition.PARTIES_FIELD_NUMBER)
_POSITION = block_tag(pb.EmperadoView.POSITION_FIELD_NUMBER)
_SEAT = number_tag(pb.EmperadoView.SEAT_FIELD_NUMBER)
_OUTLOOKS = block_tag(pb.EmperadoView.OUTLOOKS_FIELD_NUMBER)
_VIEWER = number_tag(pb.EmperadoView.VIEWER_SEAT_FIELD_NUMBER)
_WINNER = number_tag(pb.EmperadoPosition.WINNER_SEAT_FIELD_NUMBER)

_MAX_SMALL = 127
_OWNERS_AT = len(_OWNERS)
"""Where the length of the owners stands in a position, in one byte; they take a byte each, and the armies come next."""

_hand, _whole = PAIRS.pair(Party).write, PAIRS.pair(Position).write


def view_bytes(view: View) -> bytes:
    """Return a view as a client is sent it."""
    return block(_POSITION, _whole(view.position)) + _looking(view)


def views_in_parts(views: Sequence[View], position: bytes) -> list[tuple[bytes, bytes, bytes, bytes, bytes]]:
    """Return each view of a position, given as bytes too, in five parts; the second and the fourth are the same objects."""
    board, course = _around_hands(position)
    winner = views[0].position.winner if views else None
    course = course if winner is None else course + _WINNER + varint(winner)
    shared = len(board) + len(course)
    made = []
    for view in views:
        hands = _hands(view.position)
        made.append((_POSITION + varint(shared + len(hands)), board, hands, course, _looking(view)))
    return made


def _around_hands(position: bytes) -> tuple[bytes, bytes]:
    """Return what stands before and behind the hands in an encoded position."""
    armies_at = _OWNERS_AT + 1 + position[_OWNERS_AT] + len(_ARMIES)
    size, begin = position[armies_at], armies_at + 1
    if size > _MAX_SMALL:
        # A length of two bytes, the low seven bits first: more than 16,383 bytes these are never.
        size, begin = size + (position[begin] - 1) * 128, begin + 1
    begin += size
    end = begin
    while position[end : end + 1] == _PARTIES:
        end += 2 + position[end + 1]
    return position[:begin], position[end:]


def _hands(position: Position) -> bytes:
    return b"".join([block(_PARTIES, _hand(party)) for party in position.parties])


def _looking(view: View) -> bytes:
    """Return who looks, and what it is told of its attacks."""
    return b"" if view.seat is None else _SEAT + varint(view.seat + 1) + _outlooks(view) + _VIEWER + varint(view.seat)


def _outlooks(view: View) -> bytes:
    if view.seat is None:
        return b""
    luck = view.position.options.luck
    return b"".join([_outlook(*threat, luck) for threat in threats(view)])


@lru_cache(maxsize=_FORECASTS)
def _outlook(source: int, target: int, attackers: int, defenders: int, luck: Luck) -> bytes:
    message = pb.EmperadoOutlook(source=source, target=target)
    return block(_OUTLOOKS, message.SerializeToString() + _forecast(attackers, defenders, luck))


@lru_cache(maxsize=_FORECASTS)
def _forecast(attackers: int, defenders: int, luck: Luck) -> bytes:
    series = [pb.EmperadoOdds(throws=throws, **odds._asdict()) for throws, odds in forecast(attackers, defenders, luck)]
    return pb.EmperadoOutlook(series=series).SerializeToString()
