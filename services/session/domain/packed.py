"""The updates of one version, encoded, as a process remembers and tells them. Nothing of them is stored."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(slots=True)
class PackedUpdate:
    """What is told of a version. It is not changed after it was made."""

    version: int
    at_ms: int
    """When the version was made, as its entry says, in milliseconds since 1970."""
    audiences: int
    """For whom it is, as bits; those that are sent nothing of it, too."""
    messages: Mapping[bytes, int] = field(repr=False)
    """Encoded WatchResponses, each with the audiences that it is for: those that are told the same share one."""
    unaware: int = 0
    """The audiences that perceive nothing of it, and so are sent nothing."""
    numbers: Mapping[bytes, int] = field(default_factory=dict, repr=False)
    """The number that the version has for those who are sent a message, where that may be another than the log's."""
    seat_changed: int = 0
    """The seat that changed hands with this version plus one: tokens for it are void from here on; 0 for none."""
    dealt: tuple[int, ...] = ()
    """For every seat the seat at which the one who sits there now sat before this version; empty when nobody moved."""

    @property
    def size(self) -> int:
        """The bytes of the messages."""
        return sum(map(len, self.messages))
