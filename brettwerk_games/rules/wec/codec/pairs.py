"""The game's values paired with the messages of wec.proto, where the two differ, and what must hold between fields."""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from brettwerk.v1 import wec_pb2 as pb
from brettwerk_games.rules.derived.differences import As, Differences, Fault
from brettwerk_games.rules.derived.pairs import Pairs
from brettwerk_games.rules.refusals import Malformed
from brettwerk_games.rules.wec.board import SQUARES
from brettwerk_games.rules.wec.kinds import LAUNCHERS, TRANSPORTS
from brettwerk_games.rules.wec.pieces import WHITE_IDS, Carried, Transit
from brettwerk_games.rules.wec.position import Called, End, Item, Memory, Position, Projectile, Turn, View

_LETTERS = tuple("MFPXRD")
_ARE_WHITE = (True, False, False, True)
"""By list of known pieces: whether they are White's."""


class Ground(NamedTuple):
    """The articles on a square."""

    square: int
    articles: tuple[Carried, ...]


class Calls(NamedTuple):
    """Ids, and the numbers that an eye has for them."""

    ids: tuple[int, ...]
    numbers: tuple[int, ...]


_Grounds: TypeAlias = tuple[tuple[Carried, ...], ...]


def _covered(ground: _Grounds) -> list[Ground]:
    return [Ground(square, lying) for square, lying in enumerate(ground) if lying]


def _ground(covered: Sequence[Ground]) -> _Grounds:
    ground: list[tuple[Carried, ...]] = [()] * SQUARES
    for square, articles in covered:
        if ground[square] or not articles:
            raise Malformed("a square is named once, with one or two articles", field="square")
        ground[square] = articles
    return tuple(ground)


def _calls(called: tuple[Called, Called, Called]) -> list[Calls]:
    return [Calls(tuple(i for i, _ in one), tuple(n for _, n in one)) for one in called if any(called)]


def _called(calls: Sequence[Calls]) -> tuple[Called, ...]:
    if len(calls) not in (0, 3):
        raise Malformed("three lists have what eyes call pieces, or none")
    for ids, numbers in calls:
        if len(ids) != len(numbers) or any(a >= b for a, b in pairwise(ids)) or len(set(numbers)) < len(numbers):
            raise Malformed("ids are in order, each with a number of its own")
    return tuple(tuple(zip(ids, numbers, strict=True)) for ids, numbers in calls) or ((), (), ())


def _revision_number(revision: int) -> int:
    return revision if revision > 1 else 0


def _revision(number: int) -> int:
    return number or 1


def _shared_fault(value: Position | View, known: tuple[int, ...]) -> Fault | None:
    """Return what contradicts itself in a position or view; the reserves of the `known` have a kind."""
    if value.winner is not None and value.end == End.ON:
        return "winner", "a game that is on has no winner"
    if any(a.id >= b.id for a, b in pairwise(value.pieces)):
        return "pieces", "pieces are in order of id, each once"
    places = sorted([piece.place for piece in value.pieces])
    if any(a == b for a, b in zip(places, places[2:], strict=False)):
        return "pieces", "there are more than two pieces on a place"
    for number, reserve in enumerate(value.reserves):
        if reserve.kind is None and reserve.seat in known:
            return f"reserves[{number}].kind", "this reinforcement has a kind"
    return None


def _position_fault(position: Position) -> Fault | None:
    if wrong := _shared_fault(position, (0, 1)):
        return wrong
    names = position.names
    if len(names) not in (0, 4):
        return "names", "four lists have the pieces that are known, or none"
    for known, white in zip(names, _ARE_WHITE, strict=False):
        if len(set(known)) < len(known) or 0 in known or any((n > WHITE_IDS) != white for n in known):
            return "names", "a list has pieces of one side, each once"
    return None


def _view_fault(view: View) -> Fault | None:
    return _shared_fault(view, (view.eye,))


def _transit_fault(transit: Transit) -> Fault | None:
    return None if transit.transport in TRANSPORTS else ("transport", "this is no transport")


def _projectile_fault(projectile: Projectile) -> Fault | None:
    return None if projectile.weapon in LAUNCHERS else ("weapon", "a projectile is a Rocket, SAM or Torpedo")


def _item_fault(item: Item) -> Fault | None:
    return None if item.letter in _LETTERS else ("letter", "an item has a letter")


def _memory_fault(memory: Memory) -> Fault | None:
    return ("gone", "no piece has the id 0") if 0 in memory.gone else None


def _turn_fault(turn: Turn) -> Fault | None:
    for name, hits in (("hits", turn.hits), ("believed", turn.believed)):
        if any(a[:2] >= b[:2] for a, b in pairwise(hits)):
            return name, "hits are in order, each once"
    return None


PAIRS = Pairs(
    "Wec",
    pb.DESCRIPTOR.message_types_by_name,
    Differences(
        ways={
            "WecPosition.ground": As(tuple[Ground, ...], _covered, _ground),
            "WecView.ground": As(tuple[Ground, ...], _covered, _ground),
            "WecPosition.called": As(tuple[Calls, ...], _calls, _called),
            "WecPosition.revision": As(int, _revision_number, _revision),
        },
        checks={
            Position: _position_fault,
            View: _view_fault,
            Transit: _transit_fault,
            Projectile: _projectile_fault,
            Item: _item_fault,
            Memory: _memory_fault,
            Turn: _turn_fault,
        },
        judged=frozenset({"WecOptions"}),
        left_out=frozenset({"WecOptions", "WecTurn", "WecMemory", "WecTexts"}),
        unread=frozenset(
            {
                "WecCarried.turns",
                "WecLine.in_full",  # lines.py reads and writes it
                "WecPiece.turns_first",
                "WecPiece.turns_second",
                "WecPiece.turns_stunned",
            }
        ),
        written=frozenset({"WecPosition.active", "WecView.active", "WecProjectile.place"}),
        rules={"WecAction": "WEC-TURN-2"},
    ),
)
