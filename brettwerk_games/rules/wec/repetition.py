"""Positions that come up again, as a view and the history in it tell, and what computer players say to a draw because of that.

There is no rule of repetition (WEC-RUL-55), so a game could go round for ever. A Turn after which nothing but places differ can
be taken back in thought: a Move, with or without a passenger, a step that was bumped (WEC-RUL-27), and Fires that brought
nothing but a projectile. With anything else (a loss, a stun, an article, a transit, dozing) something has happened, and what
was before does not come back.
"""

import re
from collections import Counter
from functools import cache
from hashlib import blake2b
from typing import NamedTuple

from brettwerk_games.rules.optional import DrawVotes
from brettwerk_games.rules.wec.board import SQUARES, distance, place_of, square_at
from brettwerk_games.rules.wec.kinds import ARTICLE_CODES, NATURES, TRANSPORTS, Hand, Kind
from brettwerk_games.rules.wec.notation_signs import BUMPED, HAND_SIGNS, LEVEL_SIGNS
from brettwerk_games.rules.wec.notation_writer import NO_MOVE, UNSEEN_MOVE
from brettwerk_games.rules.wec.pieces import Piece
from brettwerk_games.rules.wec.position import Position, View
from brettwerk_games.rules.wec.view import view as view_of

TIMES = 3
"""A position that has come up so often is a reason to agree on a draw."""
QUIET_TURNS = 100
"""So are so many Turns of both sides together in which nothing happened."""
AGAIN_TURNS = 20
"""Turns until a computer player offers a draw again, when still nothing has happened."""
LONGEST = 200
"""Turns that are looked back at most."""

_KINDS = {nature.code: kind for kind, nature in NATURES.items()}
_TRANSPORT_CODES = {ARTICLE_CODES[transport] for transport in TRANSPORTS}
_PARTS = re.compile(r",(?=[A-Z]{2}\d?:|DO>)", re.ASCII)
_PLACE = r"([\^v]?)\((\d+),(\d+)\)"
_PIECE = rf"([A-Z]+){_PLACE}(?:\d[A-Z]+)?([<>]?)(?:#\d)?"
_MOVE = re.compile(rf"MV:{_PIECE}->{_PLACE}(?:-TRA->{_PIECE}{_PLACE})?", re.ASCII)
_FIRE = re.compile(r"FI\d:([A-Z]+)/", re.ASCII)
_FLIGHT = re.compile(r"[RST](?:->|v|\*)", re.ASCII)
_BUMP = re.compile(rf"{BUMPED}\*", re.ASCII)

Stand = tuple[int, Kind, Hand, int]
"""The pieces on their places: seat, kind, hand and place."""
Shift = tuple[tuple[Kind, Hand, int], int]
"""A piece as it was before a Move, with its place, and the place where the Move ended."""


class Trail(NamedTuple):
    """The same as one number: now, and at the beginning of the Turns since something happened, the newest first."""

    now: int
    before: tuple[int, ...]

    @property
    def times(self) -> int:
        """How often the position has come up with the same side to act, this time among them."""
        return 1 + self.before[1::2].count(self.now)

    def after_moves(self) -> Counter[int]:
        """Return how often each position has come up with the other side to act."""
        return Counter(self.before[0::2])

    def moved(self, piece: Piece, place: int, passenger: Piece | None = None) -> int:
        """Return the number of the position after a Move, with a passenger if one is given."""
        number = self.now
        for one in (piece, passenger):
            if one is not None:
                number += _sign((one.seat, one.kind, one.hand, place)) - _sign((one.seat, one.kind, one.hand, one.place))
        return number


def trail(view: View, *, unseen_ends: bool = False) -> Trail:
    """Return the trail that leads to the running Turn of a view, whose Move has not been made.

    Where the history tells of a Move of a piece that the eye does not see, nothing has changed for it; with `unseen_ends` that
    is the end of the trail.
    """
    stands = Counter((piece.seat, piece.kind, piece.hand, piece.place) for piece in view.pieces)
    now = number = sum(_sign(stand) * times for stand, times in stands.items())
    before: list[int] = []
    for back, line in enumerate(reversed(view.history[-LONGEST:]), 1):
        shifts = _shifts(line)
        if shifts is None:
            break
        seat = (view.ply - back + 1) % 2
        found = [((seat, kind, hand, place), (seat, kind, hand, after)) for (kind, hand, place), after in shifts]
        known = all(stands[after] > 0 for _, after in found)
        if unseen_ends and (line.startswith(UNSEEN_MOVE) or not known):
            break
        for former, after in found if known else ():
            stands[after] -= 1
            stands[former] += 1
            number += _sign(former) - _sign(after)
        before.append(number)
    return Trail(now, tuple(before))


def draw_votes(position: Position) -> DrawVotes:
    """Return which computer players would agree to a draw, and which offer one.

    Both go by what everybody sees, so that no offer tells of hidden pieces. When a position has come up for the third time, or
    nothing has happened for long, they agree; the one that has just moved offers it.
    """
    if position.turn.items or position.ply <= 2 * TIMES:
        return DrawVotes((), ())
    path = trail(view_of(position, None), unseen_ends=True)
    quiet = len(path.before)
    if path.times < TIMES and quiet < QUIET_TURNS:
        return DrawVotes((), ())
    offers = path.times % TIMES == 0 or (quiet - QUIET_TURNS) % AGAIN_TURNS in (0, 1)
    return DrawVotes((), (0, 1), (1 - position.active,) if offers else ())


def bumps(view: View, turns: int) -> Counter[Shift]:
    """Return how often each Move of the eye was stopped where it began, in so many last Turns of both sides."""
    found: Counter[Shift] = Counter()
    for line in view.history[len(view.history) - turns :][-2::-2] if turns else ():
        move, *others = _PARTS.split(line)
        match = _MOVE.fullmatch(move)
        if match is not None and any(_is_bump(part) for part in others) and _shifts(line) == ():
            found[_first_shift(match)] += 1
    return found


def _is_bump(part: str) -> bool:
    return part.startswith("RS:") and any(_BUMP.match(result) for result in _results(part))


def _results(part: str) -> list[str]:
    return re.split(r",(?=[A-Z?])", part[3:])


def _first_shift(match: re.Match[str]) -> Shift:
    kind, level, row, column, hand, to_level, to_row, to_column = match.groups()[:8]
    return (_KINDS[kind], _hand(hand), _place(level, row, column)), _place(to_level, to_row, to_column)


def _shifts(line: str) -> tuple[Shift, ...] | None:
    """Return what a Turn has shifted, or None when more than that happened in it."""
    move, *others = _PARTS.split(line)
    bumped = any(_is_bump(part) for part in others)
    for part in others:
        fire = _FIRE.match(part)
        if fire is not None and fire[1] not in _TRANSPORT_CODES:
            continue
        if part.startswith("OR:"):
            continue
        if part.startswith("RS:") and all(_FLIGHT.match(result) or _BUMP.match(result) for result in _results(part)):
            continue
        return None
    if move in (NO_MOVE, UNSEEN_MOVE):
        return ()
    match = _MOVE.fullmatch(move)
    if match is None:
        return None
    found = [_first_shift(match)]
    if bumped:
        (_, _, start), end = found[0]
        # Farther away it may have stopped anywhere in between.
        return () if distance(start % SQUARES, end % SQUARES) <= 1 else None
    if match[9]:
        kind, level, row, column, hand, to_level, to_row, to_column = match.groups()[8:]
        found.append(((_KINDS[kind], _hand(hand), _place(level, row, column)), _place(to_level, to_row, to_column)))
    return tuple(found)


def _place(level: str, row: str, column: str) -> int:
    return place_of(square_at(int(row), int(column)), LEVEL_SIGNS.index(level))


def _hand(sign: str) -> Hand:
    return Hand(HAND_SIGNS.index(sign))


@cache
def _sign(stand: Stand) -> int:
    return int.from_bytes(blake2b(repr(tuple(map(int, stand))).encode(), digest_size=8).digest(), "big")
