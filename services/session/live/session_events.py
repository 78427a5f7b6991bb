"""The events of sessions in this process, for the parts that subscribe to them."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field

from brettwerk.internal.v1.session_state_pb2 import StoredTalkLine
from services.session.domain.state import State
from services.session.domain.updates import PackedUpdate


@dataclass(frozen=True, slots=True)
class SessionEvents:
    """The listeners of each event, in their order. Listeners must neither wait nor raise."""

    committed: list[Callable[[State, State | None, Sequence[PackedUpdate]], None]] = field(default_factory=list)
    """Told of each commit: the state after and before it, and its updates."""
    moved: list[Callable[[str, int], None]] = field(default_factory=list)
    """Told of a session and its version that were found in the store, where another one was in memory."""
    forgotten: list[Callable[[str], None]] = field(default_factory=list)
    """Told of a session whose last write may be stored or not, or whose wants nobody may know of."""
    unreadable: list[Callable[[str], None]] = field(default_factory=list)
    """Told of a session that only a newer release can read."""
    voided: list[Callable[[Collection[str]], None]] = field(default_factory=list)
    """Told after sign-outs of the sessions in memory in which seat tokens are good for nothing now."""
    said: list[Callable[[State, StoredTalkLine, bool], None]] = field(default_factory=list)
    """Told of each new line of talk, with its session's state, and whether anything is hidden in its game."""
    noted: list[Callable[[str, int, int], None]] = field(default_factory=list)
    """Told of a session all whose wants stand on the board, the version that they are of, and until when it needs nothing."""
    overdue: list[Callable[[str, int], None]] = field(default_factory=list)
    """Told of a session and a seat whose computer's move has been wanted for long."""
    unplayable: list[Callable[[str, int, int], None]] = field(default_factory=list)
    """Told of a session, a seat and a version for which no worker can move."""
