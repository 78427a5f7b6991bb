"""The interface of all faults."""

from typing import Protocol


class Fault(Protocol):
    """One way to hurt the system."""

    name: str

    async def strike(self) -> str:
        """Hurt the system once; return in a few words how. What takes its time to heal goes on in the background."""
        ...

    async def heal(self) -> None:
        """Return when all that this has done is over."""
        ...
