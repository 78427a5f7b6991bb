"""The interface of endgame tables as a worker offers them to operators: what there is on its machine, and what can be had.

A module of this folder may have them as `TABLES`. Up to some number of stones they are small and always there; larger ones are
built only where somebody asks for them.
"""

from dataclasses import dataclass
from enum import IntEnum
from typing import Protocol


class Fault(IntEnum):
    """Why the last change was not carried out."""

    NONE = 0
    NO_ROOM = 1
    BUSY = 2
    """Another process is building there."""
    FAILED = 3
    """The process that builds has ended, and has said in the worker's log why."""


@dataclass(frozen=True, slots=True)
class Offer:
    """Large tables that are not there."""

    stones: int
    """Up to so many."""
    size: int
    """Bytes that are to be written for it."""
    seconds: float
    """Of a core."""


@dataclass(frozen=True, slots=True)
class State:
    """How it stands on a machine."""

    stones: int
    """Up to how many stones there are tables; 0 for none."""
    large_bytes: int
    """How much those take that somebody has asked for."""
    room: int
    """For how many bytes of new tables there is room."""
    building: int
    """Of how many stones the table is that is being built, by whatever process; 0 for none."""
    share: float
    """How much of it there is, from 0 to 1."""
    left_s: float
    """In how many seconds it is done, as far as known."""
    fault: Fault
    offers: tuple[Offer, ...]


class EndgameTables(Protocol):
    """The tables of this machine."""

    def is_building(self) -> bool:
        """Return whether this process has some built."""
        ...

    def state(self) -> State:
        """Return how it stands."""
        ...

    def change(self, stones: int) -> None:
        """Have tables of up to so many stones built, and delete larger ones; returns at once. The small ones always stay.

        The next state has the fault that prevents it.
        """
        ...
