"""The wants that are put on the board, and the board's answers to the AI service."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from services.ai.board.order import Urgency


@dataclass(frozen=True, slots=True)
class Wanted:
    """Something that is wanted of a computer player; times are in milliseconds, `since_ms` and `ends_ms` since 1970.

    `kind` and `payload` are an order's. `named_ms` is what the level names for thinking, `least_ms` the least that it may get,
    `level` "<game> <level>". `mark` and `address` say whom it counts for: hexadecimal, empty for nobody else. A want with an end
    is thrown away then.
    """

    key: str
    version: int
    kind: str
    waits: Urgency
    named_ms: int
    least_ms: int
    since_ms: int
    level: str
    payload: bytes = field(repr=False)
    mark: str = ""
    address: str = ""
    ends_ms: int = 0
    reply_to: str = ""
    traceparent: str = ""


@dataclass(frozen=True, slots=True)
class Demand:
    """How much is wanted, and how much can be done; `noted` counts all that stands on the board, in hand or not.

    `wanted_ms` is the thinking time that is wanted in a second, on average over the last minute or so; `is_active` says whether
    anything waits, or was wanted within a minute.
    """

    epoch: str
    workers: int
    slots: int
    waiting: int
    backlog_ms: int
    noted: int
    wanted_ms: int
    is_active: bool


@dataclass(frozen=True, slots=True)
class Offered:
    """The outcomes of wants: indexes of those that are new, and of those for which there is no room.

    `tickets` are to be published now; `seconds` is the thinking time that the new ones take in full.
    """

    demand: Demand
    tickets: int
    noted: Sequence[int]
    no_room: Sequence[int]
    seconds: Mapping[Urgency, float]


@dataclass(frozen=True, slots=True)
class WantStatus:
    """How a want stands: unknown (1), waiting (2), thinking (3) or unplayable (4); `wait_ms` is when its turn comes, about."""

    state: int
    before: int
    wait_ms: int
    version: int


@dataclass(frozen=True, slots=True)
class ClassDemand:
    """How much of one class waits, how long the oldest has, and what all of it takes in full."""

    waiting: int
    oldest_ms: int
    backlog_ms: int


@dataclass(frozen=True, slots=True)
class Swept:
    """The results of a sweep: tickets to publish, how each class stands, and what became of wants since the last one."""

    demand: Demand
    tickets: int
    classes: Mapping[Urgency, ClassDemand]
    outcomes: Mapping[str, int]
