"""Chance that comes from outside: step seeds from a committed secret, and dice from a step seed.

The secret's SHA-256 is published before the first step. A seat may contribute to the seeds before the start, so that nobody,
the server included, chooses the dice alone. Anybody who has the secret and the seed contributions can repeat every roll.
"""

import hashlib
import hmac
import struct
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple, TypeVar

SEED_BYTES = 32
_BLOCK = 8
"""Words of a block."""
_WORDS = struct.Struct(f">{_BLOCK}I")
_LENGTH = struct.Struct(">Q")
_WORD = 2**32

T = TypeVar("T")


def commitment(secret: bytes) -> bytes:
    """Return what is published of a secret before the game: its SHA-256."""
    return hashlib.sha256(secret).digest()


def step_seed(secret: bytes, session_id: str, ply: int, seed_contributions: Sequence[bytes]) -> bytes:
    """Return the 32-byte seed of one ply: HMAC-SHA256 (RFC 2104) of session, ply and the seats' contributions in seat order.

    Ply 0 is the set-up. The seed depends on the ply and not on what was played before, so taking a move back never
    rolls new dice.
    """
    message = _digest(b"brettwerk step 1", session_id.encode(), ply.to_bytes(8, "big"), *seed_contributions)
    return hmac.digest(secret, message, "sha256")


def deal_seed(secret: bytes, session_id: str, seed_contributions: Sequence[bytes]) -> bytes:
    """Return the 32-byte seed by which seats are dealt before the start: no step of the session has the same."""
    message = _digest(b"brettwerk deal 1", session_id.encode(), *seed_contributions)
    return hmac.digest(secret, message, "sha256")


def _digest(*parts: bytes) -> bytes:
    """Return the SHA-256 of parts, each behind its length in eight bytes."""
    joined: list[bytes] = []
    for part in parts:
        joined += (_LENGTH.pack(len(part)), part)
    return hashlib.sha256(b"".join(joined)).digest()


def deal(wishes: Sequence[int | None], seed: bytes) -> tuple[int, ...]:
    """Return for every seat who is to sit there: the number of the seat where they sit now.

    `wishes` are the seats that those who sit there would like to have, None for no wish. A player who alone wishes for a seat has
    it, and among equal wishes the lot decides. The others stay where they are if that seat is free, else they take the first free
    ones, in turn order.
    """
    dice = Dice(seed, "seats")
    count = len(wishes)
    dealt: dict[int, int] = {}
    for seat in range(count):
        wishing = [number for number, wish in enumerate(wishes) if wish == seat]
        if wishing:
            dealt[seat] = wishing[dice.below(len(wishing))]
    rest = [number for number in range(count) if number not in dealt.values()]
    for number in rest:
        if number not in dealt:
            dealt[number] = number
    moving = [number for number in rest if number not in dealt.values()]
    free = [seat for seat in range(count) if seat not in dealt]
    dealt.update(zip(free, moving, strict=True))
    return tuple(dealt[seat] for seat in range(count))


class Draw(NamedTuple):
    """A draw of a step: the purpose of its stream, its number there, and how many outcomes it has, all equally likely."""

    purpose: str
    number: int
    bound: int


class Undrawn(Exception):
    """A step needs a draw that nobody has made yet."""

    def __init__(self, draw: Draw) -> None:
        """Name the draw."""
        super().__init__(f"draw {draw.number} of {draw.purpose!r}, below {draw.bound}, is still to be made")
        self.draw = draw


class Drawn:
    """A step's chance as far as it has been drawn, in the place of its seed: for programs that look at every outcome.

    Dice of it give what has been drawn, and raise Undrawn for the first draw that has not: with that made, the step begins anew.
    There are no bytes in it, so whatever draws otherwise than by `Dice` is a TypeError.
    """

    def __init__(self, made: Mapping[Draw, int] = MappingProxyType({})) -> None:
        """Take the outcomes of the draws that have been made."""
        self._made = dict(made)

    def of(self, draw: Draw) -> int:
        """Return the outcome of a draw. Raises Undrawn where there is none yet."""
        if draw.bound == 1:
            return 0
        if draw not in self._made:
            raise Undrawn(draw)
        return self._made[draw]

    def after(self, draw: Draw, outcome: int) -> "Drawn":
        """Return what has been drawn after one draw more."""
        return Drawn({**self._made, draw: outcome})


class Dice:
    """A stream of fair draws from one step seed; equal seeds give equal draws on every machine and release."""

    def __init__(self, seed: bytes | Drawn, purpose: str = "") -> None:
        """Start the stream `purpose` of `seed` (32 bytes); streams of different purposes are independent."""
        self._purpose, self._number = purpose, 0
        self._drawn: Drawn | None = None
        if isinstance(seed, Drawn):
            self._drawn = seed
        elif len(seed) == SEED_BYTES:
            self._key = hmac.digest(seed, purpose.encode(), "sha256")
        else:
            raise ValueError(f"a step seed has {SEED_BYTES} bytes, not {len(seed)}")
        self._block = 0
        self._words: list[int] = []

    def go_to(self, block: int) -> None:
        """Go on with the draws of a block; a block has eight words, and a draw takes one, or very rarely more."""
        self._block, self._number = block, _BLOCK * block
        self._words = []

    def below(self, bound: int) -> int:
        """Return a uniform number from 0 to `bound` - 1, by rejection, so without bias.

        Raises ValueError for a bound that is not from 1 to 2**32.
        """
        if not 1 <= bound <= _WORD:
            raise ValueError(f"bound must be from 1 to 2**32, not {bound}")
        if self._drawn is not None:
            self._number += 1
            return self._drawn.of(Draw(self._purpose, self._number, bound))
        limit = _WORD - _WORD % bound
        while True:
            if not self._words:
                self._words = self._next_block()
            word = self._words.pop()
            if word < limit:
                return word % bound

    def _next_block(self) -> list[int]:
        """Return the next eight words, the first of them last."""
        digest = hmac.digest(self._key, self._block.to_bytes(8, "big"), "sha256")
        self._block += 1
        return list(_WORDS.unpack(digest)[::-1])

    def roll(self, sides: int = 6) -> int:
        """Return a roll from 1 to `sides`."""
        return self.below(sides) + 1

    def shuffled(self, items: Sequence[T]) -> tuple[T, ...]:
        """Return the items in a uniformly drawn order (Fisher-Yates)."""
        drawn = list(items)
        for i in range(len(drawn) - 1, 0, -1):
            j = self.below(i + 1)
            drawn[i], drawn[j] = drawn[j], drawn[i]
        return tuple(drawn)
