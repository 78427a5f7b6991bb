"""The actions of players, and their events."""

from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple, TypeAlias

from brettwerk_games.rules.emperado.position import End

TO_THE_END = 0
"""The number of throws of an attack that goes on until it is decided."""
MAX_THROWS = 10_000
"""Throws of one attack at most, also of one to the end (EMP-LIMIT-1)."""


class Card(IntEnum):
    """A kind of card (EMP-CARD-1)."""

    RIDER = 1
    SOLDIER = 2
    CANNON = 3


class CardSet(IntEnum):
    """Three cards that can be turned in (EMP-CARD-3)."""

    RIDERS = 1
    SOLDIERS = 2
    CANNONS = 3
    MIXED = 4


@dataclass(frozen=True, slots=True)
class Exchange:
    """Turn in a set of cards (EMP-CARD-4)."""

    set: CardSet


@dataclass(frozen=True, slots=True)
class Place:
    """Place armies in an own country; more than are left mean all that are left (EMP-REINF-8)."""

    country: int
    armies: int


@dataclass(frozen=True, slots=True)
class Attack:
    """Attack a foreign neighbour with a series of throws (EMP-ATTACK-3), or TO_THE_END."""

    source: int
    target: int
    throws: int


@dataclass(frozen=True, slots=True)
class Enter:
    """Say how many armies move into the captured country, those that had to included (EMP-ATTACK-11)."""

    armies: int


@dataclass(frozen=True, slots=True)
class Move:
    """Move armies to an own neighbour; more than there are mean all but one (EMP-MOVE-2)."""

    source: int
    target: int
    armies: int


@dataclass(frozen=True, slots=True)
class Done:
    """End the turn (EMP-TURN-4)."""


Action: TypeAlias = Exchange | Place | Attack | Enter | Move | Done


class Throw(NamedTuple):
    """One throw of both sides, highest dice first (EMP-ATTACK-6).

    `won` is how many pairs the attacker wins where dice do not decide alone (EMP-ATTACK-15); None where they do.
    """

    attacker: tuple[int, ...]
    defender: tuple[int, ...]
    won: int | None = None


@dataclass(frozen=True, slots=True)
class Received:
    """A turn began, and the seat received the sum of these armies (EMP-REINF-1)."""

    seat: int
    basic: int
    continents: int
    countries: int
    cards: int


@dataclass(frozen=True, slots=True)
class Exchanged:
    """A set was turned in and paid that many armies; which set is known to its owner only (None)."""

    seat: int
    set: CardSet | None
    paid: int


@dataclass(frozen=True, slots=True)
class Placed:
    """Armies were placed in a country that had `before` (EMP-TABLE-1)."""

    seat: int
    country: int
    armies: int
    before: int


@dataclass(frozen=True, slots=True)
class Fought:
    """A country was attacked. `defender` owned it; `entered` armies moved in at once, 0 when it was not captured.

    `attackers` and `defenders` are all armies in the two countries before; `last` are the last throws, at most 20.
    """

    seat: int
    source: int
    target: int
    defender: int
    attackers: int
    defenders: int
    attackers_lost: int
    defenders_lost: int
    throws: int
    last: tuple[Throw, ...]
    entered: int


@dataclass(frozen=True, slots=True)
class Entered:
    """The conqueror said how many armies move in."""

    seat: int
    source: int
    target: int
    armies: int


@dataclass(frozen=True, slots=True)
class Moved:
    """Armies were moved; the target is blocked now (EMP-MOVE-4)."""

    seat: int
    source: int
    target: int
    armies: int


@dataclass(frozen=True, slots=True)
class Eliminated:
    """A seat went out of the game, by a conqueror who took that many cards or because it gave up (None)."""

    seat: int
    by: int | None
    cards: int


@dataclass(frozen=True, slots=True)
class Drew:
    """A seat received a card; which is known to its owner only (None)."""

    seat: int
    card: Card | None


@dataclass(frozen=True, slots=True)
class Ended:
    """The game ended; there is no winner in a draw."""

    winner: int | None
    end: End


Event: TypeAlias = Received | Exchanged | Placed | Fought | Entered | Moved | Eliminated | Drew | Ended
