"""Which sessions in memory match the store, without asking it.

A session does once the store has confirmed it or a write has made it so, for as long as this process owns the shard and nothing
has happened that casts doubt on it. A doubt that arises while the store is being asked applies to the answer, too: so callers
take the era before they ask, and state it with what they have found.
"""

from collections.abc import Callable, Iterable

from services.session.domain.bounds import SHARDS
from services.session.domain.ids import shard_of

DOUBTED = -1
"""The era of anything that is not believed."""


class CacheValidity:
    """What is believed."""

    def __init__(self, owns: Callable[[int], bool]) -> None:
        """`owns` says whether nobody else can have written to a shard, or set it back, since this process began to serve it."""
        self._owns = owns
        self._eras = [0] * SHARDS
        """How often each shard has been in doubt."""
        self._noted: dict[str, int] = {}

    def holds(self, session_id: str) -> bool:
        """Return whether a session is as last noted."""
        shard = shard_of(session_id)
        return self._noted.get(session_id) == self._eras[shard] and self._owns(shard)

    def era(self, session_id: str) -> int:
        """Return the era to state with anything found, or written, from now on."""
        return self._eras[shard_of(session_id)]

    def noted(self, session_id: str) -> int:
        """Return the era in which a session was noted."""
        return self._noted.get(session_id, DOUBTED)

    def note(self, session_id: str, era: int) -> None:
        """Note that a session is as found, or written, since an era."""
        self._noted[session_id] = era

    def drop(self, session_id: str) -> None:
        """Stop believing a session until it is noted again."""
        self._noted.pop(session_id, None)

    def doubt(self, shards: Iterable[int]) -> None:
        """Stop believing anything that has been found in some shards so far, or is being found."""
        for shard in shards:
            self._eras[shard] += 1
