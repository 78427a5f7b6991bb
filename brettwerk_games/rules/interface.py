"""The game interface: what a folder in `brettwerk_games/rules` must and may offer, and all that the platform knows of a game.

In ten lines: a game has `facts` (data) and a `codec` (values to bytes and back). `new` makes the first position from options and
a seed. `seats` tells how many play and `to_act` whose turn it is; `view` is what a seat (or a spectator, None) may know;
`actions` lists what the view's seat may do, in a fixed order; `apply` plays one of them and returns the next position with its
events; `system_action` is what comes from outside of the turns (resigning, a lost clock, an agreed draw, changed options);
`outcome` says how it ended: who has won, and the place of every seat. `show` is an event as a seat may see it; `expire` names the
action that is played when time is over; `sample` guesses a position that fits a view, so that computer players can search;
`write` and `read` are the notation; `choice`, `tell` and `scene` describe an action, an event and a view to clients that know no
game, and `board_of` what all of its positions are played on. All are pure: no I/O, no clock, and chance only from `seed` (32
bytes, see chance.py). Positions are immutable. A refused action raises a refusal of refusals.py with the rule's id.
"""

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, IntEnum
from types import new_class
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from brettwerk_games.rules.board import Board, BoardPlace
from brettwerk_games.rules.chance import SEED_BYTES
from brettwerk_games.rules.facts import Facts
from brettwerk_games.rules.optional import NO_VOTES, DrawVotes, Group, OddsTable, Reach, Survey

P = TypeVar("P")
"""A position: everything, hidden things included. Immutable, comparable with ==."""
V = TypeVar("V")
"""A view: what one seat or a spectator may know; it names its seat."""
A = TypeVar("A")
"""An action of a seat. Immutable and hashable."""
E = TypeVar("E")
"""An event: something that happened in a step."""
O = TypeVar("O")  # noqa: E741 - options
"""The options of a game."""


class Kind(Enum):
    """The kinds of value that a codec carries."""

    OPTIONS = "options"
    POSITION = "position"
    VIEW = "view"
    ACTION = "action"
    EVENT = "event"

    # Members are single objects; Enum's own hash is slow, and codecs look kinds up all the time.
    __hash__ = object.__hash__


class Codec(Protocol):
    """Carries a game's values to canonical protobuf bytes and back: the only place of a game that knows generated code.

    The bytes of equal values are equal. A value decoded from bytes of a stranger is checked completely. The abstract methods are
    required.
    """

    @abstractmethod
    def type_name(self, kind: Kind) -> str:
        """Return the full name of the message of a kind (brettwerk.v1.EinsteinAction)."""
        ...

    @abstractmethod
    def encode(self, kind: Kind, value: Any) -> bytes:
        """Return the canonical bytes of a value."""
        ...

    @abstractmethod
    def decode(self, kind: Kind, data: bytes) -> Any:
        """Return the value of bytes. Raises Malformed for what is not one, naming the field."""
        ...

    def knows_all(self, kind: Kind, data: bytes) -> bool:
        """Return whether every field in the bytes of a value is known here. Unreadable bytes are left to `decode`."""
        return True

    def encode_views(self, views: Sequence[Any], position: bytes) -> Sequence[Sequence[bytes]]:
        """Return for each of a position's views the parts that joined are what `encode` returns of it, at most 8: here one.

        `position`: the bytes of the position itself. The common part of several views is best a part of its own at the same place
        in each of them, and the same object; an empty part stands for nothing.
        """
        return [(self.encode(Kind.VIEW, view),) for view in views]

    def encode_choices(self, view: Any, actions: Sequence[Any], field: int) -> bytes | None:
        """Return legal actions of a view, each as the field of this number that holds its ActionChoice (games.proto).

        It says what `choice` and `write` say, and has the action as an Any of `type.googleapis.com/`. None, as here, where a
        message is to be made for each.
        """
        return None


@dataclass(frozen=True, slots=True)
class Text:
    """A sentence in every language: a key of the game's catalogue and what stands in for its {names}."""

    key: str
    args: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Step(Generic[P, E]):
    """The result of an action or system action. `reveals` is set when a seat learnt something hidden: undo never passes it.

    `final` is set where the game's options forbid taking back (touch move): undo does not go back over it either.
    `retractable` is set where something was revealed (or options changed), but the rules let those who play take it back, if
    all of them agree: undo then goes back over it unless the session is competitive.
    """

    position: P
    events: tuple[E, ...] = ()
    reveals: bool = False
    final: bool = False
    retractable: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended: who has won, the place and the score of each seat, why, and by which rule; `ranking.py` makes them.

    `winners` are the seats that have won, in order: several where partners win together, nobody in a draw. `places` count from
    1; seats that share one have the same number, and those behind them count all of them (1, 2, 2, 4). `scores` add up to 1,
    which those at the first place share alike. `sides` has the same number for partners; it is empty where each seat played
    for itself.
    """

    winners: tuple[int, ...]
    places: tuple[int, ...]
    scores: tuple[float, ...]
    reason: Text
    rule: str
    sides: tuple[int, ...] = ()

    def chance(self, seat: int) -> float:
        """Return what a seat's chance to win came to: 1 when it or its side has won, the side's share in a draw, else 0."""
        if not self.sides:
            return self.scores[seat]
        return sum(score for score, side in zip(self.scores, self.sides, strict=True) if side == self.sides[seat])


@dataclass(frozen=True, slots=True)
class Resign:
    """A seat gives up."""

    seat: int


@dataclass(frozen=True, slots=True)
class Flag:
    """A seat's whole time has run out."""

    seat: int


@dataclass(frozen=True, slots=True)
class Draw:
    """The seats have agreed on a draw."""


@dataclass(frozen=True, slots=True)
class Reoption(Generic[O]):
    """The seats have agreed on new options."""

    options: O


SystemAction: TypeAlias = Resign | Flag | Draw | Reoption[O]


class Effect(IntEnum):
    """An effect of an action on the pieces on the board, with the numbers of the contract (Effect in games.proto)."""

    TAKES = 1
    CRASHES = 2
    BLOCKED = 3
    TAKES_OFF = 4
    LANDS = 5
    DIVES = 6
    SURFACES = 7
    ON_GROUND = 8
    IN_AIR = 9
    UNDER_WATER = 10

    __hash__ = int.__hash__


@dataclass(frozen=True, slots=True)
class Choice:
    """An action for a client that knows no game: the places that name it, in touching order, and a button's text.

    `effects` say, in ascending order, what it does as far as the view shows; something hidden can still thwart it.
    """

    places: tuple[str, ...]
    label: Text
    effects: tuple[Effect, ...] = ()


class Shape(IntEnum):
    """The shape of a thing, with the numbers of the contract (Shape in games.proto)."""

    DISC = 0
    DIE = 1
    """Drawn with pips for a mark from 1 to 6, and covered without a mark."""
    CARD = 2
    """It lies face down without a mark."""


@dataclass(frozen=True, slots=True)
class Thing:
    """Something on a place: a short mark, what is spoken for it, and whose it is (None: nobody's).

    `count` says how many of them lie there on each other, such as the cards of a pile.
    """

    mark: str
    label: Text
    owner: int | None = None
    shape: Shape = Shape.DISC
    count: int = 1


@dataclass(frozen=True, slots=True)
class Place:
    """A square, node or country: its name in the notation, where it is drawn, what is spoken, what stands on it.

    Where it is `stacked`, things lie on each other, the lowest one first; otherwise side by side.
    """

    name: str
    row: int
    column: int
    label: Text
    things: tuple[Thing, ...] = ()
    stacked: bool = False


class Tiling(IntEnum):
    """How the places of a grid fill it, with the numbers of the contract (Tiling in games.proto)."""

    SQUARES = 0
    HEXAGONS = 1
    """With a point at the top; columns count halves of them, so that those above and below are one column to the side."""


@dataclass(frozen=True, slots=True)
class Area:
    """Places beside the grid that belong together, by their names: a hand of cards, a row of dice; and whose they are."""

    label: Text
    places: tuple[str, ...]
    owner: int | None = None


@dataclass(frozen=True, slots=True)
class Scene:
    """A view for a client that knows no game. `facts` are pairs of what and how (roll, 5).

    Rows and columns of places that are in an area do not count. Without rows, those that are in none are a list.
    """

    rows: int
    columns: int
    places: tuple[Place, ...]
    facts: tuple[tuple[Text, Text], ...] = ()
    areas: tuple[Area, ...] = ()
    tiling: Tiling = Tiling.SQUARES

    @property
    def grid(self) -> tuple[Place, ...]:
        """The places in rows and columns; none where there are no rows."""
        beside = {name for area in self.areas for name in area.places}
        return tuple(place for place in self.places if place.name not in beside) if self.rows else ()


@dataclass(frozen=True, slots=True)
class Narration:
    """Something that has happened: a sentence, the places of the scene where it was, and what was seen of it (dice, a card)."""

    text: Text
    places: tuple[str, ...] = ()
    things: tuple[Thing, ...] = ()


class Game(Protocol[P, V, A, E, O]):
    """One game. The module docstring explains all of it. The attributes and the abstract methods are required; others are not."""

    facts: Facts
    codec: Codec

    @abstractmethod
    def new(self, options: O, seats: int, start: P | None, seed: bytes) -> Step[P, E]:
        """Return the first position. Raises Malformed or Illegal for options, seats or a start position that cannot be."""
        ...

    @abstractmethod
    def seats(self, position: P) -> int:
        """Return how many seats the game is played with."""
        ...

    @abstractmethod
    def to_act(self, position: P) -> tuple[int, ...]:
        """Return the seats that are to act, in order; empty when the game is over."""
        ...

    @abstractmethod
    def view(self, position: P, seat: int | None) -> V:
        """Return what a seat, or a spectator (None), may know."""
        ...

    @abstractmethod
    def actions(self, view: V) -> Sequence[A]:
        """Return what the view's seat may do, unique and in a fixed order; empty when it is not to act.

        Where `facts.lists_all` is false, other amounts of what is listed may be legal too.
        """
        ...

    @abstractmethod
    def apply(self, position: P, seat: int, action: A, seed: bytes) -> Step[P, E]:
        """Return the step that the action makes. Raises Illegal with the rule's id."""
        ...

    @abstractmethod
    def system_action(self, position: P, system_action: SystemAction[O], seed: bytes) -> Step[P, E]:
        """Return the step of a system action. Raises Illegal where the rules do not know it (a draw where there is none)."""
        ...

    @abstractmethod
    def outcome(self, position: P) -> Outcome | None:
        """Return how the game ended, or None while it is on."""
        ...

    @abstractmethod
    def show(self, event: E, seat: int | None) -> E | None:
        """Return the event as a seat or a spectator may see it; None when it may not know of it."""
        ...

    @abstractmethod
    def expire(self, view: V) -> A:
        """Return the action that is played for the view's seat when the time of its turn is over."""
        ...

    @abstractmethod
    def sample(self, view: V, seed: bytes) -> P:
        """Return a position that looks like `view` to its seat; where nothing is hidden, the position itself."""
        ...

    @abstractmethod
    def write(self, view: V, action: A) -> str:
        """Return the action in notation, as the view's seat may know it, in the position before it."""
        ...

    @abstractmethod
    def read(self, view: V, text: str) -> A:
        """Return the action of a notation. Raises Malformed, Ambiguous or Illegal. `read(v, write(v, a)) == a` for legal a."""
        ...

    @abstractmethod
    def choice(self, view: V, action: A) -> Choice:
        """Describe an action."""
        ...

    @abstractmethod
    def scene(self, view: V) -> Scene:
        """Describe a view."""
        ...

    def board_of(self, options: O, seats: int) -> Board:
        """Return what games with these options and so many seats are played on: here the places of their first scene.

        Best with what is next to what, made of the data that the rules use. Raises Malformed or Illegal, as `new` does, for
        options and seats that no game can have.
        """
        scene = self.scene(self.view(self.new(options, seats, None, bytes(SEED_BYTES)).position, None))
        grid = {place.name for place in scene.grid}
        places = tuple(
            BoardPlace(number, place.name, *((place.column, place.row) if place.name in grid else (None, None)))
            for number, place in enumerate(scene.places)
        )
        return Board(places, width=scene.columns, height=scene.rows)

    def tell(self, view: V, event: E) -> Narration | None:
        """Return an event in words, as `show` has shown it to the view's seat, which looks at the position after it.

        None, as here, for what the notation of the action says already. A client may ask about any view and any event together:
        words and numbers of the event itself are always there. Raises Malformed for two that cannot go together.
        """
        return None

    def first_actions(self, view: V, most: int) -> Sequence[A]:
        """Return the first `most` of `actions`; best without the work for the others, where a view can have very many."""
        return self.actions(view)[:most]

    def position_after(self, position: P, seat: int, action: A, seed: bytes) -> P:
        """Return the position that `apply` makes of an action that `actions` has just listed for the seat.

        A search asks for it thousands of times in a second: best without checking again that the action is legal.
        """
        return self.apply(position, seat, action, seed).position

    def estimate(self, position: P) -> Sequence[float] | None:
        """Return what the seats can expect of a position that is not over, as `Outcome.scores`; None where the game has no idea.

        It lets a search look at a position at once instead of playing it to its end at random. It may know all that is hidden.
        """
        return None

    def groups(self, view: V) -> Iterable[Group] | None:
        """Return `actions` in groups, in order, where the same ones are listed again and again; None where they are not."""
        return None

    def choices(self, view: V, actions: Iterable[A]) -> Iterator[tuple[Choice, str]]:
        """Yield for each action what `choice` and `write` return of it; best cheaper together than one by one."""
        return ((self.choice(view, action), self.write(view, action)) for action in actions)

    def listed(self, action: A) -> A:
        """Return the action as `actions` has it, where it can be given with what changes only how it looks (a way)."""
        return action

    def read_by(self, step: Step[P, E], seat: int | None) -> str | None:
        """Return the action that made a step as a seat that did not act, or a spectator, may read it.

        None where they read what `write` returns in their view of the position before it.
        """
        return None

    def unaware(self, before: P, step: Step[P, E]) -> Sequence[int | None]:
        """Return the seats, and None for spectators, that perceive nothing of a step: their views are as they were `before`.

        Asked where `facts.hides_actions`. For those it has not happened: they are sent nothing of it, and it counts in none of
        their numbers. So that nobody waits for ever, they perceive at least the step after which others are to act, the end, and
        every system action.
        """
        return ()

    def can_hide(self, position: P) -> bool:
        """Return whether a seat can ever act unperceived, as the position's options are: everybody knows that."""
        return self.facts.hides_actions

    def is_open(self, position: P) -> bool:
        """Return whether every seat knows all of a position, and of what follows from it, as its options are.

        Asked where `facts.conditional_moves` allows them with some of the options.
        """
        return True

    def seated(self, position: P, computers: Sequence[bool], seed: bytes) -> Step[P, E]:
        """Return the step in which the game learns which of its seats computers play, where rules depend on that.

        Asked where `facts.tells_seats`. Raises GameOver after the end.
        """
        return Step(position)

    def hold(self, position: P) -> P:
        """Return the position that counts what is drawn from seeds that are held; itself where it does so already.

        Asked where `facts.holds_seeds`: what is taken back must not roll anew, whatever is done instead. All steps get the same
        seed, from a step that is never taken back to the next. The position counts what was drawn from it, so it goes back with
        the position.
        """
        return position

    def sides(self, position: P) -> Sequence[int]:
        """Return the side of every seat; partners, who win and lose together, have the same number."""
        return range(self.seats(position))

    def new_by(self, rules_version: str, options: O, seats: int, start: P | None, seed: bytes) -> Step[P, E]:
        """Return what `new` does by a revision of the rules that is still played (`facts.also_plays`).

        Positions that differ by it know their own. Raises what `new` raises, and Malformed for another revision.
        """
        return self.new(options, seats, start, seed)

    def rematch_options(self, options: O, first: P) -> O:
        """Return a rematch's options, given those in force at the end of a game and the position it began in.

        In a rematch every player sits one seat further on.
        """
        return options

    def draw_votes(self, position: P) -> DrawVotes:
        """Return what the seats' computer players think of a draw, in a position that is not over: here they decline."""
        return NO_VOTES

    def start_warnings(self, position: P) -> Sequence[Text]:
        """Return what the author of a game's first position should know that is odd, but allowed (a side that cannot move)."""
        return ()

    def reaches(self, view: V) -> Sequence[Reach]:
        """Return what each piece of a view reaches, the other side's included, as far as the view shows."""
        return ()

    def odds_tables(self) -> Sequence[OddsTable]:
        """Return what can be counted out of its dice, always the same."""
        return ()

    def survey(self, positions: Iterable[tuple[int, P]]) -> Survey | None:
        """Return what is noted of a session's positions, each with its ply's number; a lower one says that it went back.

        None where statistics count no more than who won and how long it took.
        """
        return None


AnyGame: TypeAlias = Game[Any, Any, Any, Any, Any]
"""A game whose kinds of value are known to itself only: what the platform handles. It passes values on and never looks inside."""


def completed(kind: Any, given: Any) -> Any:
    """Return a Game or Codec (`kind`) with what it need not have: itself, where it is made of that kind and so has it.

    A package may bring anything that has the required names, such as a module. Raises TypeError that says which are missing.
    """
    if kind in type(given).__mro__:
        return given
    names = {name: getattr(given, name) for name in dir(given) if name[0] != "_"}
    own = {name: staticmethod(value) if callable(value) else value for name, value in names.items()}
    return new_class(type(given).__name__, (kind,), exec_body=lambda body: body.update(own))()
