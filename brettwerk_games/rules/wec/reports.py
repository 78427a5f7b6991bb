"""The events of a step, as the parts of the rules note them; disclosure.py says who may read how much of it.

`at_once` is the same number for what came about at once, in the order of ids; 0 for what came one after another.
"""

from typing import NamedTuple, TypeAlias

from brettwerk_games.rules.wec.pieces import Piece


class Affected(NamedTuple):
    """Something that befell a piece: a hit, a loss, a bump. `piece` is as it was then, `stun` its countdown afterwards.

    `taker` is the id of the piece that did it, 0 where none did, and `witness` the seat that knows of it in any case, whose
    mover stands there now. `seen` says for each eye whether it saw the piece at that moment.
    """

    code: str
    piece: Piece
    stun: int
    seen: tuple[bool, bool, bool]
    taker: int = 0
    witness: int | None = None
    at_once: int = 0


class Public(NamedTuple):
    """The part that everybody sees: the way of a projectile (WEC-RUL-61)."""

    text: str
    at_once: int = 0


class Shifted(NamedTuple):
    """A step of a transit: the piece as it was, and where it came to."""

    piece: Piece
    place: int
    at_once: int = 0


class Arrived(NamedTuple):
    """The end of a transit, or a fall: the piece where it is then."""

    piece: Piece
    at_once: int = 0


Report: TypeAlias = Affected | Public | Shifted | Arrived
