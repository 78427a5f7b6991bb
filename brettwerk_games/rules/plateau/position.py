"""The position: where the armies are, whose turn it is, and what of the turn has been made."""

from enum import IntEnum
from typing import NamedTuple, TypeAlias

from brettwerk_games.rules.plateau.board import ARMIES, Army, Board, Setup, setup
from brettwerk_games.rules.plateau.options import Options

Armies: TypeAlias = tuple[int, int, int, int]
"""The armies of a seat: the nodes of its twos, fours, sixes and of its emblem, as sets."""

NO_ARMIES: Armies = (0, 0, 0, 0)
COUNTS = (12, 4, 2, 1)
"""By army: how many an empire begins with (EP-ARMY-1)."""
STEPS_DUE = 6
"""Steps of a turn, where that many can be made (EP-TURN-2)."""
QUIET_ROUNDS = 40
"""Rounds without a capture after which the game is a draw (EP-END-3)."""
REPETITIONS = 3
"""How often a position stands until the game is a draw (EP-END-2)."""
MAX_TURNS = 2_000
"""Turns of a game at most (EP-END-6): 16,000 actions, for which a session has room."""
MAX_SEATS = 4


class Order(IntEnum):
    """The armies that have moved in the turn, in their order (EP-TURN-6). The numbers are those of the contract."""

    NONE = 0
    SMALL = 1
    EMBLEM = 2
    SMALL_EMBLEM = 3
    EMBLEM_SMALL = 4


class End(IntEnum):
    """How a game ended. The numbers are those of the contract."""

    CONQUEST = 1
    ARMIES = 2
    RESIGNED = 3
    TIME = 4
    REPETITION = 5
    ROUNDS = 6
    AGREED = 7
    TURNS = 8


DRAWS = (End.REPETITION, End.ROUNDS, End.AGREED, End.TURNS)


class Turn(NamedTuple):
    """The running turn: steps made by small armies and by the emblem, and the nodes of armies that move no more in it.

    `due` is how many steps it must have (EP-TURN-2), fewer than six only by EP-TURN-8.
    """

    small: int = 0
    emblem: int = 0
    order: Order = Order.NONE
    moved: int = 0
    due: int = STEPS_DUE

    @property
    def total(self) -> int:
        """Return the steps of all armies."""
        return self.small + self.emblem


class Position(NamedTuple):
    """Everything there is; nothing in this game is hidden.

    `armies` by seat. `fallen` are the seats that are out, in the order of falling. `history` has a digest of the position at the
    beginning of every turn since something was last captured (EP-END-2, EP-END-3). When a game ends, the board stays as it
    stands and `to_move` with the last mover; `winner` is None in a draw and while the game is on. `turns` is how many have begun
    (EP-END-6); None in games of the first revision of the rules, in which they are not counted.
    """

    options: Options
    armies: tuple[Armies, ...]
    to_move: int
    turn: Turn = Turn()
    fallen: tuple[int, ...] = ()
    history: tuple[int, ...] = ()
    winner: int | None = None
    end: End | None = None
    turns: int | None = 0

    @property
    def setup(self) -> Setup:
        """Return the board and where the bases lie."""
        found = setup(self.options.size, self.options.shape, len(self.armies))
        assert found is not None, "a position is on a board that there is"
        return found

    @property
    def board(self) -> Board:
        """Return the board."""
        return self.setup.board


class View(NamedTuple):
    """The view of a seat, or of a spectator (None): all of the position."""

    position: Position
    seat: int | None


def all_of(armies: Armies) -> int:
    """Return the nodes of a seat's armies."""
    return armies[0] | armies[1] | armies[2] | armies[3]


def army_at(armies: Armies, node: int) -> Army | None:
    """Return which of a seat's armies stands on a node."""
    for army, nodes in zip(ARMIES, armies, strict=True):
        if nodes >> node & 1:
            return army
    return None


def holder(position: Position, node: int) -> tuple[int, Army] | None:
    """Return whose army stands on a node, and which."""
    for seat, armies in enumerate(position.armies):
        if all_of(armies) >> node & 1:
            army = army_at(armies, node)
            assert army is not None
            return seat, army
    return None


def living(position: Position) -> tuple[int, ...]:
    """Return the seats that are not out."""
    return tuple(seat for seat in range(len(position.armies)) if seat not in position.fallen)


def side(position: Position, seat: int) -> int:
    """Return the side of a seat: opposite seats are one side in an alliance (EP-MULTI-8), else each is its own."""
    return seat % 2 if position.options.alliance else seat


def sides(position: Position) -> tuple[int, ...]:
    """Return the side of every seat."""
    return tuple(side(position, seat) for seat in range(len(position.armies)))


def base_of(position: Position, node: int) -> int | None:
    """Return the seat whose base a node is; None for other nodes and for fallen bases (EP-MULTI-4)."""
    bases = position.setup.bases
    if node not in bases:
        return None
    seat = bases.index(node)
    return None if seat in position.fallen else seat


def on_base(position: Position, seat: int) -> bool:
    """Tell whether small armies of a seat stand on its base, which they must not (EP-MOVE-7)."""
    twos, fours, sixes, _ = position.armies[seat]
    return bool((twos | fours | sixes) >> position.setup.bases[seat] & 1)
