"""One write of a session, and what can become of it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Write:
    """One write of a session."""

    session_id: str
    expected: str
    """The revision that it goes on from; empty for a new session."""
    version: int
    state: bytes = field(repr=False)
    entries: Sequence[bytes] = field(repr=False)
    updates: Sequence[bytes] = field(repr=False)
    due_ms: int
    score: int
    request: bytes = b""
    answer: bytes = field(default=b"", repr=False)
    place: str = ""
    players: Mapping[str, bool] = field(default_factory=dict)
    """Players whose lists change: whether each still plays here."""
    kept: Mapping[int, bytes] = field(default_factory=dict, repr=False)
    dropped: Iterable[int] = ()
    asks_anew: bool = False
    reopens: bool = False
    is_over: bool = False
    is_final: bool = False
    """Whether it is stored even when the log is full."""


@dataclass(frozen=True, slots=True)
class Committed:
    """The write is stored, as this revision."""

    revision: str


@dataclass(frozen=True, slots=True)
class Known:
    """The request was carried out before, and this was answered."""

    answer: bytes


@dataclass(frozen=True, slots=True)
class Lost:
    """Another writer was faster: the newer revision and state."""

    revision: str
    state: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Gone:
    """There is no such session, or not any more."""


@dataclass(frozen=True, slots=True)
class Archived:
    """The session is in the archive and cannot go on."""


@dataclass(frozen=True, slots=True)
class Full:
    """The session's log has no room for it."""


Result: TypeAlias = Committed | Known | Lost | Gone | Archived | Full
