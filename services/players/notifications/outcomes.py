"""What comes of handing a message to a push service or a mail server."""

from dataclasses import dataclass
from enum import StrEnum


class Outcome(StrEnum):
    """What came of it."""

    SENT = "sent"
    GONE = "gone"
    """Nobody is there any more: a subscription that has ended, an address that is refused for good."""
    FAILED = "failed"
    """It may succeed later."""


@dataclass(frozen=True, slots=True)
class Sent:
    """What came of a message."""

    outcome: Outcome
    why: str = ""
    """For logs and refusals: a status, or the name of an error. It holds no address and no text of others."""
    wait_s: float = 0.0
    """For how long the other side does not want to be asked again."""
