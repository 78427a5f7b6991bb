"""One write of a session, and its possible outcomes."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias


class Head(NamedTuple):
    """A version of a session as the store has it: its number, and the SHA-1 of the log's element that made it.

    The number alone is not enough: a store that was set back may have made another version of the same number.
    """

    version: int
    tip: str


def head_of(version: int, element: bytes) -> Head:
    """Return the head of a log that ends with an element."""
    return Head(version, hashlib.sha1(element, usedforsecurity=False).hexdigest())


@dataclass(frozen=True, slots=True)
class Kept:
    """A state that the store keeps, so that a log need not be read from its beginning."""

    version: int
    state: bytes = field(repr=False)
    logged: int
    """The bytes of the log up to that version."""


@dataclass(frozen=True, slots=True)
class Write:
    """One write of a session. What is empty stays as it is."""

    session_id: str
    before: Head | None
    """What it goes on from; None for a new session."""
    elements: Sequence[bytes] = field(repr=False)
    """What the log gets."""
    due_ms: int | None = None
    score: int = 0
    place: str = ""
    players: Mapping[str, bool] = field(default_factory=dict)
    """Players whose lists change: whether each still plays here."""
    reopens: bool = False
    is_over: bool | None = None
    kept: Kept | None = None
    secrets: bytes = field(default=b"", repr=False)
    """What the log does not know (StoredSecrets)."""
    landed: Callable[[Head], None] | None = field(default=None, repr=False)
    """Is called once it is stored, whether anybody still waits for that or not. It must neither wait nor raise."""
    failed: Callable[[], None] | None = field(default=None, repr=False)
    """Is called in the same way when it is not stored, or nobody knows whether it is."""
    has_former: bool = False
    """Whether the store has what release 0.1.0 kept of the session, and what can go now."""

    @property
    def version(self) -> int:
        """The version that it makes."""
        return len(self.elements) + (0 if self.before is None else self.before.version)

    @property
    def size(self) -> int:
        """Its bytes, about."""
        return sum(map(len, self.elements)) + len(self.secrets) + (0 if self.kept is None else len(self.kept.state))


@dataclass(frozen=True, slots=True)
class Committed:
    """The write is stored."""

    head: Head


@dataclass(frozen=True, slots=True)
class Moved:
    """Another process owns the session's shard."""


@dataclass(frozen=True, slots=True)
class Lost:
    """Another writer was faster, or the store was set back."""


@dataclass(frozen=True, slots=True)
class Gone:
    """There is no such session, or not any more."""


@dataclass(frozen=True, slots=True)
class Archived:
    """The session is in the archive and cannot go on."""


Result: TypeAlias = Committed | Moved | Lost | Gone | Archived
