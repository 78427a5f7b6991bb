"""Methods of a game besides the interface: the values of that, and what only a few games are asked for as a whole."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, runtime_checkable

from brettwerk_games.rules.orders import Doing, Order


class Group(NamedTuple):
    """Actions that follow one another in a list, and what tells whether they were met before.

    Where the keys of two groups of one game are equal, so are their actions, and what `choice` and `write` return of each in
    the views that the groups are of: so it is enough to describe and encode them once.
    """

    key: Hashable
    size: int
    """How many they are, at least one."""
    actions: Callable[[], Iterable[Any]]
    """Makes them, one by one where they are many: of a group that is cut, the others are not asked for."""


@dataclass(frozen=True, slots=True)
class DrawVotes:
    """Seats that are out of the game and so not asked for a draw, and seats whose computer players would agree to one.

    `offering` are the seats whose computer players, having just acted, ask the others for one.
    """

    silent: tuple[int, ...]
    agreeing: tuple[int, ...]
    offering: tuple[int, ...] = ()


NO_VOTES = DrawVotes((), ())
"""The computer players of all seats decline a draw, and offer none."""


class Reach(NamedTuple):
    """Where a piece could go and what it could hit if its side were to act: the id that the view has for it, and places."""

    piece: int
    goes: tuple[int, ...]
    hits: tuple[int, ...]
    alone: tuple[int, ...]
    """Where it goes without carrying others or pushing them."""


class OddsTable(NamedTuple):
    """An exact table of chances (0 to 1) or of expected numbers; a negative value stands for nothing.

    The catalogue has its words: `odds.<id>.title`, `.help`, `.row` (what the rows are) and `.column`.
    """

    id: str
    rows: tuple[int, ...]
    columns: tuple[int, ...]
    values: tuple[tuple[float, ...], ...]
    """By row and column."""
    chances: bool


class SurveyMark(NamedTuple):
    """Something that is counted of a seat in statistics; the catalogue has `statistics.<kind>` and `<kind>.<key>`."""

    kind: str
    key: str
    seat: int


class Survey(NamedTuple):
    """The notes of a game on a session for statistics: its last round, and marks of seats."""

    rounds: int
    marks: tuple[SurveyMark, ...]


@runtime_checkable
class WritesText(Protocol):
    """The methods of a game whose games are kept as texts, too, line by line (services/rules/game_text).

    The dice that a line does not tell of are told by the one after it: `read` refuses what they forbid.
    """

    def line(self, before: Any, actions: Sequence[Any], after: Any) -> str:
        """Return the line of actions that were played one after another, from a position to another."""
        ...

    def ends_line(self, action: Any) -> bool:
        """Tell whether a line ends with an action."""
        ...

    def notations(self, line: str, *, whole: bool) -> Sequence[str]:
        """Return what `read` is to read, in the order of play; with `whole`, up to the end of the line's last action.

        Raises Malformed for what is no line, and Illegal for one that leaves out what its reader did not see.
        """
        ...

    def require_consistent(self, line: str, after: Any) -> None:
        """Raise Illegal where a line tells of something else than what has led to a position."""
        ...

    def open_to_all(self, options: Any) -> Any:
        """Return the options that a game read from a text has: it hides no play of the past."""
        ...


@runtime_checkable
class TakesOrders(Protocol):
    """The methods of a game that knows orders of its own (orders.py). Both are pure, and know no more than a seat's view."""

    def require_order(self, order: Order, view: Any) -> None:
        """Raise Malformed for an order that can never be carried out in the game of a view (places that are no neighbours)."""
        ...

    def next_action(self, order: Order, view: Any) -> Doing:
        """Return what comes of an order, or of what was left of it, in the view of a seat that is to act.

        The same view and order give the same. An action is legal for all that the view tells; one that the rules refuse all the
        same ends the order. Amounts that an order bounds are counted in what is left of it.
        """
        ...


class HasBoards(Protocol):
    """The method of a game whose presets name prepared boards (`PresetFacts.board`)."""

    def board(self, name: str) -> Any:
        """Return a prepared board as a start position. Raises KeyError when there is no such board."""
        ...
