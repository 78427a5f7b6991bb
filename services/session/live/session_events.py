"""What happens to sessions in this process, for the parts that subscribe to it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from services.session.domain.state import State
from services.session.domain.updates import PackedUpdate


@dataclass(frozen=True, slots=True)
class SessionEvents:
    """Who is told of what, in their order. Listeners must neither wait nor raise."""

    committed: list[Callable[[State, State | None, Sequence[PackedUpdate]], None]] = field(default_factory=list)
    """Told of each commit: the state after and before it, and its updates."""
    moved: list[Callable[[str, int], None]] = field(default_factory=list)
    """Told of a session and its version that were found in the store, where another one was in memory."""
    forgotten: list[Callable[[str], None]] = field(default_factory=list)
    """Told of a session whose last write may be stored or not, or whose wants nobody may know of."""
    unreadable: list[Callable[[str], None]] = field(default_factory=list)
    """Told of a session that only a newer release can read."""
