"""The driver's memory of one session: what was acknowledged to it, and what each of its watchers was sent.

Times are in seconds of the driver's monotonic clock.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from google.protobuf.message import Message

from brettwerk.v1 import sessions_pb2

Digest: TypeAlias = Mapping[str, bytes]
"""A short hash of every field of an update that is set, so that a difference has a name."""


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """An action that the system said it had carried out."""

    version: int
    seat: int
    action: bytes
    sent_s: float
    at_s: float


@dataclass(frozen=True, slots=True)
class Received:
    """A message of a watch that brings a picture. `cause` is that of a resync, None of an update."""

    version: int
    digest: Digest
    at_s: float
    cause: str | None = None
    sent: bytes = b""
    """A short hash of the message as it was sent."""


@dataclass(slots=True)
class Watched:
    """The updates that one watcher was sent. `audience` is the seat whose view it had, -1 for a spectator's."""

    audience: int
    received: list[Received] = field(default_factory=list)
    left_early: bool = False
    """Whether it went before the end of the game."""

    @property
    def last(self) -> int:
        """The last version; 0 when there is none."""
        return self.received[-1].version if self.received else 0


@dataclass(slots=True)
class Ledger:
    """One session."""

    session_id: str
    game: str
    created_at_s: float
    hides: bool = False
    """Whether what is hidden does not count until the end, so that versions have other numbers then than in the log."""
    persons: frozenset[int] = frozenset()
    """The seats that the driver plays."""
    acknowledged: list[Acknowledged] = field(default_factory=list)
    unanswered: int = 0
    """Actions that were sent and never answered: they may have been carried out."""
    watched: list[Watched] = field(default_factory=list)
    noticed_at_s: dict[int, float] = field(default_factory=dict)
    """When anybody first knew of a version, since the store last lost one."""
    running_since_s: float | None = None
    over_at_s: float | None = None

    def notice(self, version: int, at_s: float) -> None:
        """Remember when a version was first known."""
        self.noticed_at_s.setdefault(version, at_s)

    def forget_after(self, version: int) -> None:
        """Versions beyond this one were lost: they will be recreated."""
        for later in [known for known in self.noticed_at_s if known > version]:
            del self.noticed_at_s[later]


def digest(update: sessions_pb2.Update) -> Digest:
    """Return what two updates have to have in common to be the same.

    The notation of what was played is not part of it: once the game is over, the log has it in full.
    """
    made = {}
    if update.happening.notation:
        whole, update = update, sessions_pb2.Update()
        update.CopyFrom(whole)
        update.happening.ClearField("notation")
    for descriptor, value in update.ListFields():
        values = value if descriptor.is_repeated else (value,)
        hashed = hashlib.blake2b(digest_size=8)
        for one in values:
            data = one.SerializeToString(deterministic=True) if isinstance(one, Message) else repr(one).encode()
            hashed.update(len(data).to_bytes(4, "big") + data)
        made[descriptor.name] = hashed.digest()
    return made
