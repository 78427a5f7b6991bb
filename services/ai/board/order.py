"""The orders that the board gives to workers, and their outcomes."""

from dataclasses import dataclass
from enum import IntEnum


class Urgency(IntEnum):
    """The audience of a want, in the order in which it is thought about; hints go beside persons' moves."""

    PERSON = 1
    HINT = 2
    WATCHER = 3
    NOBODY = 4
    BACKGROUND = 5

    @property
    def label(self) -> str:
        """The name that it has in series (person)."""
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Order:
    """Something to think about now; all times are in milliseconds.

    `key` is "<session>:<seat>" or "review:<mark>"; `version` is the version that it was wanted for. `kind` says what `payload`
    is: move (ai_pb2.Want; the position is still to be fetched) or review (ai_pb2.ReviewRequest, to be answered into the Redis
    list `reply_to`). `think_ms` is how long to think now, `named_ms` what the level names; `attempt` counts from 1.
    """

    key: str
    version: int
    kind: str
    think_ms: int
    named_ms: int
    waits: Urgency
    waited_ms: int
    attempt: int
    payload: bytes
    reply_to: str
    traceparent: str


@dataclass(frozen=True, slots=True)
class Finished:
    """An order that a worker is done with, up to the newest version that it handled.

    `outcome` is played, late (answered, but not wanted any more), gone (nothing was wanted), odd (it cannot be carried out here),
    failed (it could not be handed over: wanted again after a pause) or reviewed. `spent_ms` is how long it thought, `was_full`
    whether with all the time that the level names.
    """

    key: str
    version: int
    outcome: str
    spent_ms: int
    was_full: bool


@dataclass(frozen=True, slots=True)
class Taken:
    """Orders, and how many others wait that the same process could have.

    `pass_on` says that another worker has a place for what waits: the ticket that led here is to be published once more.
    """

    orders: tuple[Order, ...]
    waiting: int
    pass_on: bool = False
