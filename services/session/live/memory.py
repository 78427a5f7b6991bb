"""What a process remembers of a session in addition to its state: its last answers, updates and positions. Bounded in bytes.

All of it can be rebuilt from the store, so it may be forgotten at any time. Noting something twice has no effect.
"""

from collections import OrderedDict, deque
from collections.abc import Iterable, Mapping, Sequence

from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.internal.v1 import session_state_pb2
from services.session.domain import conditional
from services.session.domain.bounds import (
    POSITIONS_BYTES,
    POSITIONS_KEPT,
    REQUESTS_BYTES,
    REQUESTS_KEPT,
    UPDATES_BYTES,
    UPDATES_KEPT,
)
from services.session.domain.updates import PackedUpdate

_EACH = 100
"""Bytes that something takes beside its own."""

StoredAnswer = session_state_pb2.StoredAnswer


class Memory:
    """The last answers, updates and positions of a session."""

    __slots__ = (
        "_answers",
        "_answers_bytes",
        "_positions",
        "_positions_bytes",
        "_updates",
        "_updates_bytes",
        "audiences",
        "conditional",
    )

    def __init__(self, audiences: int = 0) -> None:
        self.audiences = audiences
        """Audiences that have been requested: updates are made for them from now on."""
        self.conditional: conditional.Kept = ()
        """The conditional moves of its seats, as they are at its newest version. They are in the store beside the log."""
        self._answers: OrderedDict[bytes, tuple[int, StoredAnswer]] = OrderedDict()
        self._answers_bytes = 0
        self._updates: deque[tuple[int, PackedUpdate]] = deque()
        self._updates_bytes = 0
        self._positions: OrderedDict[int, AnyMessage] = OrderedDict()
        self._positions_bytes = 0

    @property
    def size(self) -> int:
        """The bytes of all of it."""
        known = self._answers_bytes + self._updates_bytes + self._positions_bytes
        return known + conditional.size(self.conditional) if self.conditional else known

    def answer(self, request: bytes, since: int = 0) -> StoredAnswer | None:
        """Return the answer to a request that made a version, this one or a later one; None if it is unknown."""
        found = self._answers.get(request)
        return None if found is None or found[0] < since else found[1]

    def note_answer(self, version: int, request: bytes, answer: StoredAnswer) -> None:
        """Remember the answer to a request that made a version."""
        if request in self._answers:
            return
        self._answers[request] = version, answer
        self._answers_bytes += len(answer.answer) + _EACH
        while len(self._answers) > 1:
            oldest, (since, first) = next(iter(self._answers.items()))
            if since > version - REQUESTS_KEPT and self._answers_bytes <= REQUESTS_BYTES:
                break
            del self._answers[oldest]
            self._answers_bytes -= len(first.answer) + _EACH

    def note_update(self, packed: PackedUpdate) -> None:
        """Remember the update of the next version."""
        if self._updates and packed.version <= self._updates[-1][1].version:
            return
        size = packed.size + _EACH
        self._updates.append((size, packed))
        self._updates_bytes += size
        while len(self._updates) > 1 and (self._updates_bytes > UPDATES_BYTES or len(self._updates) > UPDATES_KEPT):
            self._updates_bytes -= self._updates.popleft()[0]

    def updates(self, first: int, last: int, audiences: int) -> Sequence[PackedUpdate] | None:
        """Return the updates of the versions from `first` to `last`; None if not all are remembered for all these audiences."""
        if not self._updates or self._updates[0][1].version > first or self._updates[-1][1].version < last:
            return None
        found = [packed for _, packed in self._updates if first <= packed.version <= last]
        return None if any(audiences & ~packed.audiences for packed in found) else found

    def position(self, plies: int) -> AnyMessage | None:
        """Return the position of the variation after that many plies, or None."""
        return self._positions.get(plies)

    def note_positions(self, kept: Mapping[int, AnyMessage], dropped: Iterable[int]) -> None:
        """Remember positions by the number of plies before them, and forget those that are no longer part of the variation."""
        for plies in dropped:
            self._forget_position(plies)
        for plies, position in kept.items():
            self._forget_position(plies)
            self._positions[plies] = position
            self._positions_bytes += len(position.value) + _EACH
        while self._positions and (self._positions_bytes > POSITIONS_BYTES or len(self._positions) > POSITIONS_KEPT):
            self._forget_position(next(iter(self._positions)))

    def _forget_position(self, plies: int) -> None:
        position = self._positions.pop(plies, None)
        if position is not None:
            self._positions_bytes -= len(position.value) + _EACH
