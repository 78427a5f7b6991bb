"""The updates of one version, encoded, as a process remembers and sends them. They are never stored."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(slots=True)
class PackedUpdate:
    """What is sent about a version. It is never changed afterwards."""

    version: int
    at_ms: int
    """When the version was made, as its entry says, in milliseconds since 1970."""
    audiences: int
    """The audiences that it is for, as bits, including those that receive nothing of it."""
    messages: Mapping[bytes, int] = field(repr=False)
    """Encoded WatchResponses, each with the audiences that it is for: those that receive the same share one."""
    unaware: int = 0
    """The audiences that perceive nothing of it, and so receive nothing."""
    numbers: Mapping[bytes, int] = field(default_factory=dict, repr=False)
    """The version's number for the recipients of a message, if it can differ from the log's."""
    seat_changed: int = 0
    """The seat that changed hands with this version, plus one: its earlier tokens are void from here on; 0 for none."""
    dealt: tuple[int, ...] = ()
    """For each seat, the seat that its player had before this version; empty if nobody moved."""

    @property
    def size(self) -> int:
        """The bytes of the messages."""
        return sum(map(len, self.messages))
