"""Which sessions in memory are as the store has them, without asking it.

That is so after the store has said it, or a write has made it so, for as long as this process owns the shard and nothing has
happened that puts it in doubt. A doubt that comes while the store is asked holds for the answer, too: so whoever asks takes the
era before, and says it with what they have found.
"""

from collections.abc import Callable

from services.session.domain.bounds import SHARDS
from services.session.domain.ids import shard_of

DOUBTED = -1
"""The era of what is not believed."""


class Belief:
    """What is believed."""

    def __init__(self, owns: Callable[[int], bool]) -> None:
        """`owns` tells whether nobody else can have written in a shard since this process began to serve it, nor set it back."""
        self._owns = owns
        self._eras = [0] * SHARDS
        """Of each shard how often it was in doubt."""
        self._noted: dict[str, int] = {}

    def holds(self, session_id: str) -> bool:
        """Return whether a session is as it was noted last."""
        shard = shard_of(session_id)
        return self._noted.get(session_id) == self._eras[shard] and self._owns(shard)

    def era(self, session_id: str) -> int:
        """Return what to say with what is found, or written, from now on."""
        return self._eras[shard_of(session_id)]

    def noted(self, session_id: str) -> int:
        """Return the era in which a session was noted."""
        return self._noted.get(session_id, DOUBTED)

    def note(self, session_id: str, era: int) -> None:
        """Take in that a session is as it was found, or written, since an era."""
        self._noted[session_id] = era

    def drop(self, session_id: str) -> None:
        """Believe a session no more until it is noted again."""
        self._noted.pop(session_id, None)

    def doubt(self, shard: int) -> None:
        """Believe nothing of a shard that was found until now, or is being found."""
        self._eras[shard] += 1

    def doubt_all(self) -> None:
        """Believe nothing that was found until now, or is being found."""
        self._eras = [era + 1 for era in self._eras]
