"""How session processes tell each other which sessions have new versions: by a channel that keeps nothing.

A process that is alone tells nobody. Who begins to listen says so, and is told from then on.
"""

import secrets
from collections import OrderedDict
from collections.abc import Iterable

from brettwerk.v1 import session_state_pb2
from services.session.store.write import Write

CHANNEL = "bw:moved"
_MOST = 1024
"""Sessions in a notice, and those that are remembered as untold."""

Moved = session_state_pb2.Moved
Notice = session_state_pb2.Notice


class Notices:
    """What this process tells the others."""

    def __init__(self) -> None:
        self.origin = secrets.token_bytes(8)
        self.has_others = True
        """Whether other processes may listen; true until it is known."""
        self._untold: OrderedDict[str, int] = OrderedDict()

    @property
    def channel(self) -> str:
        """Where to tell others what was written now; empty when there are none."""
        return CHANNEL if self.has_others else ""

    def moved(self, writes: Iterable[Write]) -> bytes:
        """Return the notice of writes that are made now."""
        if self.has_others:
            moved = [Moved(session_id=one.session_id, version=one.version, updates=one.updates) for one in writes]
            return Notice(origin=self.origin, moved=moved).SerializeToString()
        for write in writes:
            self._untold[write.session_id] = write.version
            self._untold.move_to_end(write.session_id)
        while len(self._untold) > _MOST:
            self._untold.popitem(last=False)
        return b""

    def untold(self) -> bytes:
        """Return the notice of what was written last while nobody listened: who has just begun to may have missed some."""
        self.has_others = True
        moved = [Moved(session_id=name, version=version) for name, version in self._untold.items()]
        self._untold.clear()
        return Notice(origin=self.origin, moved=moved).SerializeToString()

    def present(self, session_id: str, seats: int) -> bytes:
        """Return the notice of who is connected to a session."""
        return Notice(origin=self.origin, session_id=session_id, present=seats).SerializeToString()

    def new(self) -> bytes:
        """Return the notice that this process listens from now on."""
        return Notice(origin=self.origin, is_new=True).SerializeToString()
