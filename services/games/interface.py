"""The game interface: what a folder in `services/games` must offer, and all that the platform knows of a game.

In ten lines: a game has `facts` (data) and a `codec` (values to bytes and back). `new` makes the first position from options
and a seed. `seats` tells how many play and `to_act` whose turn it is; `view` is what a seat (or a spectator, None) may know;
`actions` lists what the view's seat may do, in a fixed order; `apply` plays one of them and returns the next position with its
events; `system_action` is what comes from outside of the turns (resigning, a lost clock, an agreed draw, changed options);
`outcome` says how it ended: who has won, and the place of every seat. `show` is an event as a seat may see it; `expire` names
the action that is played when time is over; `sample` guesses a position that fits a view, so that computer players can search;
`write` and `read` are the notation; `choice` and `scene` describe an action and a view to clients that know no game. All are
pure: no I/O, no clock, and chance only from `seed` (32 bytes, see chance.py). Positions are immutable. What is refused raises a
refusal of refusals.py with the rule's id.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, IntEnum
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from services.games.facts import Facts

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

    The bytes of equal values are equal. What is decoded from bytes of a stranger is checked completely.
    """

    def type_name(self, kind: Kind) -> str:
        """Return the full name of the message of a kind (brettwerk.v1.EinsteinAction)."""
        ...

    def encode(self, kind: Kind, value: Any) -> bytes:
        """Return the canonical bytes of a value."""
        ...

    def decode(self, kind: Kind, data: bytes) -> Any:
        """Return the value of bytes. Raises Malformed for what is not one, naming the field."""
        ...


@dataclass(frozen=True, slots=True)
class Text:
    """A sentence in every language: a key of the game's catalogue and what stands in for its {names}."""

    key: str
    args: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Step(Generic[P, E]):
    """What one action or system action did. `reveals` is set when a seat learnt something hidden: undo never goes back over it.

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
    """What an action does to what stands on the board, with the numbers of the contract (Effect in games.proto)."""

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


@dataclass(frozen=True, slots=True)
class Thing:
    """Something on a place: a short mark, what is spoken for it, and whose it is (None: nobody's)."""

    mark: str
    label: Text
    owner: int | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """A square, node or country: its name in the notation, where it is drawn, what is spoken, what stands on it."""

    name: str
    row: int
    column: int
    label: Text
    things: tuple[Thing, ...] = ()


@dataclass(frozen=True, slots=True)
class Scene:
    """A view for a client that knows no game. `facts` are pairs of what and how (roll, 5)."""

    rows: int
    columns: int
    places: tuple[Place, ...]
    facts: tuple[tuple[Text, Text], ...] = ()


class Game(Protocol[P, V, A, E, O]):
    """One game. The module docstring explains all of it."""

    @property
    def facts(self) -> Facts:
        """The facts."""
        ...

    @property
    def codec(self) -> Codec:
        """The codec."""
        ...

    def new(self, options: O, seats: int, start: P | None, seed: bytes) -> Step[P, E]:
        """Return the first position. Raises Malformed or Illegal for options, seats or a start position that cannot be."""
        ...

    def seats(self, position: P) -> int:
        """Return how many seats the game is played with."""
        ...

    def to_act(self, position: P) -> tuple[int, ...]:
        """Return the seats that are to act, in order; empty when the game is over."""
        ...

    def view(self, position: P, seat: int | None) -> V:
        """Return what a seat, or a spectator (None), may know."""
        ...

    def actions(self, view: V) -> Sequence[A]:
        """Return what the view's seat may do, unique and in a fixed order; empty when it is not to act.

        Where `facts.lists_all` is false, other amounts of what is listed may be legal too.
        """
        ...

    def apply(self, position: P, seat: int, action: A, seed: bytes) -> Step[P, E]:
        """Return the step that the action makes. Raises Illegal with the rule's id."""
        ...

    def system_action(self, position: P, system_action: SystemAction[O], seed: bytes) -> Step[P, E]:
        """Return the step of a system action. Raises Illegal where the rules do not know it (a draw where there is none)."""
        ...

    def outcome(self, position: P) -> Outcome | None:
        """Return how the game ended, or None while it is on."""
        ...

    def show(self, event: E, seat: int | None) -> E | None:
        """Return the event as a seat or a spectator may see it; None when it may not know of it."""
        ...

    def expire(self, view: V) -> A:
        """Return the action that is played for the view's seat when the time of its turn is over."""
        ...

    def sample(self, view: V, seed: bytes) -> P:
        """Return a position that looks like `view` to its seat; where nothing is hidden, the position itself."""
        ...

    def write(self, view: V, action: A) -> str:
        """Return the action in notation, as the view's seat may know it, in the position before it."""
        ...

    def read(self, view: V, text: str) -> A:
        """Return the action of a notation. Raises Malformed, Ambiguous or Illegal. `read(v, write(v, a)) == a` for legal a."""
        ...

    def choice(self, view: V, action: A) -> Choice:
        """Describe an action."""
        ...

    def scene(self, view: V) -> Scene:
        """Describe a view."""
        ...


AnyGame: TypeAlias = Game[Any, Any, Any, Any, Any]
"""A game whose kinds of value are known to itself only: what the platform handles. It passes values on and never looks inside."""
