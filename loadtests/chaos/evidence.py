"""The system's account of a session afterwards: its log, the updates of every audience, whether a check found it good."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from loadtests.chaos.ledger import Digest


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of the log. `actor` is the seat plus one that acted, 0 when none did."""

    version: int
    actor: int = 0
    action: bytes = b""
    is_fallback: bool = False


@dataclass(frozen=True, slots=True)
class Evidence:
    """A session as the system shows it. `updates` has, by audience and version, what ListUpdates returned."""

    entries: tuple[Entry, ...]
    updates: Mapping[int, Mapping[int, Digest]] = field(default_factory=dict)
    is_verified: bool = True
    fault: str = ""
    """The finding of the check, when it is not verified."""

    @property
    def head(self) -> int:
        """The newest version."""
        return self.entries[-1].version if self.entries else 0
