"""The position: who owns which country with how many armies, the seats' cards, and where the turn stands."""

from enum import IntEnum
from typing import NamedTuple

from brettwerk_games.rules.emperado.maps import WORLDS
from brettwerk_games.rules.emperado.options import MAX_SEATS, Options
from brettwerk_games.rules.emperado.world import World

GHOST = -1
"""The owner of a white country (EMP-SETUP-6); it is not a seat."""
MAX_ARMIES = 1_000_000_000
"""More than any game can bring into being within its bounds (EMP-LIMIT-1)."""
MIN_SEATS = 2
REVISION = 3
"""The revision of the rules that games begin with. Those of the first two had 50,000 actions (EMP-LIMIT-1), and three equal cards
always went first (EMP-CARD-4)."""
MAX_ACTIONS = 16_000
"""Actions of a game at most (EMP-LIMIT-1). A session has room for as many, and for what else is done in it."""
FORMER_MAX_ACTIONS = 50_000
"""The same up to the second revision of the rules."""


class End(IntEnum):
    """How a game ended. The numbers are those of the contract."""

    FREED = 1
    AGREED = 2
    STILL = 3
    ROUNDS = 4
    RESIGNED = 5
    TIME = 6
    LIMIT = 7


class Party(NamedTuple):
    """The state of a seat apart from its countries: cards by kind, of which others see only how many (`hidden`).

    `fresh` is the "+": it received a card at the end of its latest turn (EMP-CARD-8). `out` is the round in which it went
    out of the game, 0 while it is in.
    """

    riders: int = 0
    soldiers: int = 0
    cannons: int = 0
    hidden: int = 0
    fresh: bool = False
    out: int = 0

    @property
    def cards(self) -> int:
        """How many cards it has."""
        return self.riders + self.soldiers + self.cannons + self.hidden


class Entry(NamedTuple):
    """A capture whose conqueror has still to say how many armies move in; `least` have moved in already (EMP-ATTACK-11)."""

    source: int
    target: int
    least: int


class Position(NamedTuple):
    """Everything there is.

    `captured` and `blocked` are of the present turn: a card is due (EMP-CARD-1), and which countries cannot act any more
    (EMP-MOVE-4). `exchanging` is true while the seat may turn in cards, if it has a set: before it has placed an army.
    `stirred` is the last round that counts against an automatic draw (EMP-END-5). `to_move` stays with the last seat when the
    game is over. `played` counts the actions (EMP-LIMIT-1). `thrown` counts the throws of held seeds (EMP-SETUP-10); None
    while every action has had a seed of its own. `revision` is the one of the rules that the game goes on with; 0 for the first
    two.
    """

    options: Options
    owners: tuple[int, ...]
    armies: tuple[int, ...]
    parties: tuple[Party, ...]
    card_bonus: int
    to_move: int = 0
    round: int = 1
    to_place: int = 0
    blocked: frozenset[int] = frozenset()
    captured: bool = False
    exchanging: bool = False
    entry: Entry | None = None
    card_clock: int = 0
    stirred: int = 0
    winner: int | None = None
    end: End | None = None
    played: int = 0
    thrown: int | None = None
    revision: int = REVISION

    @property
    def world(self) -> World:
        """The world that is played for (EMP-MAP-6)."""
        return WORLDS[self.options.map]


class View(NamedTuple):
    """The view of a seat, or of a spectator (None): the position with the kinds of others' cards hidden (EMP-CARD-8)."""

    position: Position
    seat: int | None


def hold(position: Position) -> Position:
    """Return the position that counts its throws."""
    return position if position.thrown is not None else position._replace(thrown=0)


def seats_in(position: Position) -> tuple[int, ...]:
    """Return the seats that are still in the game, in order."""
    return tuple(seat for seat, party in enumerate(position.parties) if not party.out)


def is_active(position: Position, country: int) -> bool:
    """Tell whether a country may act: it has more than one army and is not blocked (EMP-ATTACK-1).

    It does not matter whose it is and whether the turn has come to that.
    """
    return position.armies[country] > 1 and country not in position.blocked


def fault(position: Position) -> tuple[str, str] | None:
    """Return the field that contradicts the others and why, or None. Numbers by themselves are taken to be in range."""
    if not position.round:
        return "round", "rounds are counted from 1"
    if position.stirred > position.round:
        return "stirred", "the round has not come yet"
    world, seats = position.world, len(position.parties)
    if len(position.owners) != world.count or len(position.armies) != world.count:
        return "owners", f"there are {world.count} countries"
    if not MIN_SEATS <= seats <= MAX_SEATS:
        return "parties", f"there are {MIN_SEATS} to {MAX_SEATS} seats"
    owning = set(position.owners) - {GHOST}
    if owning != set(seats_in(position)):
        return "owners", "a seat owns countries exactly while it is in the game"
    if any(party.out and (party.cards or party.fresh) for party in position.parties):
        return "parties", "a seat that is out has no cards"
    if (wrong := _outside(position, world)) is not None:
        return wrong, f"there are {world.count} countries"
    if position.to_move >= seats or (position.parties[position.to_move].out and position.end is None):
        return "to_move", "the seat to act is in the game"
    if any(position.owners[country] != position.to_move for country in position.blocked):
        return "blocked", "only countries of the seat to act are blocked"
    if position.entry is not None and (wrong := _entry_fault(position, position.entry)):
        return "entry", wrong
    if position.exchanging and not position.to_place:
        return "exchanging", "cards are turned in before armies are placed"
    if position.end is None:
        return ("winner", "the game is on") if position.winner is not None else None
    if position.to_place or position.entry:
        return "end", "nothing is left to do in a game that has ended"
    won = position.end in (End.FREED, End.RESIGNED, End.TIME)
    if won != (position.winner in seats_in(position)):
        return "winner", "a game has a winner who is in it exactly when it was won"
    return None


def _outside(position: Position, world: World) -> str | None:
    """Return the field that names a country that the map does not have; the contract has room for those of the largest one."""
    if any(country >= world.count for country in position.blocked):
        return "blocked"
    entry = position.entry
    return "entry" if entry is not None and max(entry.source, entry.target) >= world.count else None


def _entry_fault(position: Position, entry: Entry) -> str | None:
    if position.owners[entry.source] != position.to_move or position.owners[entry.target] != position.to_move:
        return "armies move in from one country of the seat to act to another"
    if entry.least > position.armies[entry.target]:
        return "as many as must move in have done so"
    if position.to_place:
        return "nothing is captured before all armies are placed"
    return None
