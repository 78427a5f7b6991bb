"""What a game may offer besides the interface (interface.py), and when it is asked for it."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, runtime_checkable

from services.games.interface import Choice, E, O, P, Step, Text


class ViewsCodec(Protocol):
    """What a codec offers besides when the views of one position have much in common: that is encoded once for all of them."""

    def encode_views(self, views: Sequence[Any], position: bytes) -> Sequence[Sequence[bytes]]:
        """Return for each of a position's views the parts that joined are what `encode` returns of it, at most 8.

        `position`: the bytes of the position itself. What several views have in common is a part of its own at the same place
        in each of them, best the same object; an empty part stands for nothing.
        """
        ...


class ChoicesCodec(Protocol):
    """What a codec offers besides when it can put long lists of actions together without a message for each."""

    def encode_choices(self, view: Any, actions: Sequence[Any], field: int) -> bytes:
        """Return legal actions of a view, each as the field of this number that holds its ActionChoice (games.proto).

        It says what `choice` and `write` say, and has the action as an Any of `type.googleapis.com/`.
        """
        ...


@runtime_checkable
class FirstTeller(Protocol):
    """What a game offers besides when a view can have many more actions than a client is shown at once."""

    def first_actions(self, view: Any, most: int) -> Sequence[Any]:
        """Return the first `most` of `actions`, without the work for the others."""
        ...


class Group(NamedTuple):
    """Actions that follow one another in a list, and what tells whether they were met before.

    Where the keys of two groups of one game are equal, so are their actions, and what `choice` and `write` return of each in
    the views that the groups are of: so it is enough to describe and encode them once.
    """

    key: Hashable
    size: int
    """How many they are, at least one."""
    actions: Callable[[], Sequence[Any]]
    """Makes them."""


@runtime_checkable
class GroupTeller(Protocol):
    """What a game offers besides when the same actions are listed again and again."""

    def groups(self, view: Any) -> Iterable[Group]:
        """Return `actions` in groups, in order."""
        ...


@runtime_checkable
class ChoiceTeller(Protocol):
    """What a game offers besides when many actions of one view are told of more cheaply together than one by one."""

    def choices(self, view: Any, actions: Iterable[Any]) -> Iterator[tuple[Choice, str]]:
        """Yield for each action what `choice` and `write` return of it."""
        ...


class StepReader(Protocol[P, E]):
    """What a game offers besides when what others may read of an action depends on what came of it.

    Where there is none, they read what `write` returns in their view of the position before it.
    """

    def read_by(self, step: Step[P, E], seat: int | None) -> str:
        """Return the action that made a step as a seat that did not act, or a spectator, may read it."""
        ...


class Perceiver(Protocol[P, E]):
    """What a game offers besides when a seat can act unperceived by others (`facts.hides_actions`).

    For those a step has not happened: they are sent nothing of it, and it counts in none of their numbers. So that nobody waits
    for ever, they perceive at least the step after which others are to act, the end, and every system action.
    """

    def unaware(self, before: P, step: Step[P, E]) -> Sequence[int | None]:
        """Return the seats, and None for spectators, that perceive nothing of a step: their views are as they were `before`."""
        ...

    def can_hide(self, position: P) -> bool:
        """Return whether a seat can ever act unperceived, as the position's options are: everybody knows that."""
        ...


class OpenTeller(Protocol):
    """What a game offers besides when only some of its options hide nothing, so that conditional moves depend on them.

    Where there is none, `facts.conditional_moves` goes for all options.
    """

    def is_open(self, position: Any) -> bool:
        """Return whether every seat knows all of a position, and of what follows from it, as its options are."""
        ...


@runtime_checkable
class Lister(Protocol):
    """What a game offers besides when actions can be given with something that changes nothing but how they look (a way)."""

    def listed(self, action: Any) -> Any:
        """Return the action as `actions` has it."""
        ...


class SeatTeller(Protocol[P, E]):
    """What a game offers besides when its rules depend on who plays (`facts.tells_seats`): sessions tell it so."""

    def seated(self, position: P, computers: Sequence[bool], seed: bytes) -> Step[P, E]:
        """Return the step in which the game learns which of its seats computers play. Raises GameOver after the end."""
        ...


class SeedHolder(Protocol):
    """What a game offers besides when what is taken back must not roll anew, whatever is done instead (`facts.holds_seeds`).

    A seed is then held: all steps get the same one, from a step that is never taken back to the next. The position counts what
    was drawn from it, so it goes back with the position.
    """

    def hold(self, position: Any) -> Any:
        """Return the position that counts what is drawn from seeds that are held; itself where it does so already."""
        ...


@runtime_checkable
class SideTeller(Protocol):
    """What a game offers besides when seats can be partners, who win and lose together."""

    def sides(self, position: Any) -> Sequence[int]:
        """Return the side of every seat; partners have the same number."""
        ...


class FormerBeginner(Protocol):
    """What a game offers besides when its positions know by which revision of the rules they are played (`facts.also_plays`)."""

    def new_by(self, rules_version: str, options: Any, seats: int, start: Any, seed: bytes) -> Step[Any, Any]:
        """Return what `new` does by a revision of the rules that is still played. Raises Malformed for another."""
        ...


@runtime_checkable
class WritesText(Protocol):
    """What a game offers besides when its games are kept as texts, too, line by line (services/rules/game_text).

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


@dataclass(frozen=True, slots=True)
class DrawVotes:
    """Seats that are out of the game and so not asked for a draw, and seats whose computer players would agree to one.

    `offering` are the seats whose computer players, having just acted, ask the others for one.
    """

    silent: tuple[int, ...]
    agreeing: tuple[int, ...]
    offering: tuple[int, ...] = ()


class DrawTeller(Protocol):
    """What a game offers besides when it says what computer players think of a draw; elsewhere they decline, and offer none."""

    def draw_votes(self, position: Any) -> DrawVotes:
        """Return what the seats would say in a position that is not over."""
        ...


class StartTeller(Protocol):
    """What a game offers besides where start positions can be edited (`facts.start_positions`) and some are odd, but allowed."""

    def start_warnings(self, position: Any) -> Sequence[Text]:
        """Return what the author of a game's first position should know (a side that cannot move)."""
        ...


class HasBoards(Protocol):
    """What a game offers besides when its presets name prepared boards (`PresetFacts.board`)."""

    def board(self, name: str) -> Any:
        """Return a prepared board as a start position. Raises KeyError when there is no such board."""
        ...


class RematchTeller(Protocol[O]):
    """What a game offers besides when a rematch does not begin with the options of the game before (who begins alternates)."""

    def rematch_options(self, options: O, first: Any) -> O:
        """Return a rematch's options, given those in force at the end of a game and the position it began in.

        In a rematch every player sits one seat further on.
        """
        ...


class Reach(NamedTuple):
    """Where a piece could go and what it could hit if its side were to act: the id that the view has for it, and places."""

    piece: int
    goes: tuple[int, ...]
    hits: tuple[int, ...]
    alone: tuple[int, ...]
    """Where it goes without carrying others or pushing them."""


class ReachTeller(Protocol):
    """What a game offers besides when players may ask what each piece on the board reaches, the other side's included."""

    def reaches(self, view: Any) -> Sequence[Reach]:
        """Return what the pieces of a view reach, as far as the view shows; places have the numbers of its messages."""
        ...


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


class OddsTeller(Protocol):
    """What a game offers besides when its dice can be counted out."""

    def odds_tables(self) -> Sequence[OddsTable]:
        """Return the tables, always the same."""
        ...


class SurveyMark(NamedTuple):
    """Something that is counted of a seat in statistics; the catalogue has `statistics.<kind>` and `<kind>.<key>`."""

    kind: str
    key: str
    seat: int


class Survey(NamedTuple):
    """What a game notes of a session for statistics: its last round, and marks of seats."""

    rounds: int
    marks: tuple[SurveyMark, ...]


class Surveyor(Protocol):
    """What a game offers besides when statistics count more of it than who won and how long it took."""

    def survey(self, positions: Iterable[tuple[int, Any]]) -> Survey:
        """Return what is noted of a session's positions, each with its ply's number; a lower one says that it went back."""
        ...
