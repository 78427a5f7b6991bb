"""A session in memory: at one version, with its last answers, updates and positions. Bounded in bytes.

All of it can be rebuilt from the store, so it may be forgotten at any time. Noting something twice has no effect.

It matches the store once that has confirmed it or a write has made it so, for as long as this process owns the shard and nothing
has happened that casts doubt on it. A doubt that arises while the store is being asked applies to the answer, too: so callers
take the era before they ask, and state it with what they have found.
"""

from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.internal.v1 import rules_pb2, session_state_pb2
from services.session.domain import conditional, orders
from services.session.domain.bounds import (
    POSITIONS_BYTES,
    POSITIONS_KEPT,
    REQUESTS_BYTES,
    REQUESTS_KEPT,
    STATE_BYTES,
    UPDATES_BYTES,
    UPDATES_KEPT,
)
from services.session.domain.conditional import Kept as KeptMoves
from services.session.domain.orders import NO_ORDERS, Orders
from services.session.domain.state import State
from services.session.domain.updates import PackedUpdate
from services.session.store.commits import Head
from services.sharding.shards import SHARDS, shard_of

_EACH = 100
"""Bytes that something takes beside its own."""

StoredAnswer = session_state_pb2.StoredAnswer


@dataclass(slots=True, eq=False)
class Memory:
    """The last answers, updates and positions of a session."""

    audiences: int = 0
    """Audiences that have been requested: updates are made for them from now on."""
    conditional: KeptMoves = ()
    """The conditional moves of its seats, as they are at its newest version. They are in the store beside the log."""
    orders: Orders = NO_ORDERS
    """The orders of its seats, as the store has them beside the log."""
    _answers: OrderedDict[bytes, tuple[int, StoredAnswer]] = field(default_factory=OrderedDict)
    _answers_bytes: int = 0
    _updates: deque[tuple[int, PackedUpdate]] = field(default_factory=deque)
    _updates_bytes: int = 0
    _positions: OrderedDict[int, AnyMessage] = field(default_factory=OrderedDict)
    _positions_bytes: int = 0

    @property
    def size(self) -> int:
        """The bytes of all of it."""
        known = self._answers_bytes + self._updates_bytes + self._positions_bytes
        if self.conditional:
            known += conditional.size(self.conditional)
        return known + orders.size(self.orders) if self.orders.sheets else known

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


@dataclass(slots=True)
class CachedSession:
    """A session at one version, as this process knows it."""

    state: State
    head: Head
    """The version, as the store has it."""
    perspectives: rules_pb2.Step | None = field(default=None, repr=False)
    """Its position as each audience may see it, once that is known."""
    memory: Memory = field(default_factory=Memory, repr=False)
    """The memory of it, newer versions included."""
    logged: int = 0
    """The bytes of its log."""
    replayed: int = 0
    """Roughly how many plies a reader has to replay after reading it from the store."""
    has_former: bool = False
    """Whether the store has it as release 0.1.0 kept it."""
    due_ms: int | None = None
    """When it is due according to the store; None if unknown."""

    @property
    def size(self) -> int:
        """The bytes of the session: of the parts that can be large, and an estimate for the rest."""
        state = self.state
        large = sum([proposal.ByteSize() for proposal in state.proposals])
        large += 0 if state.options is None else len(state.options.value)
        if not state.has_begun:
            large += state.created.ByteSize()
        position = 0 if state.position is None else len(state.position.value)
        perspectives = 0 if self.perspectives is None else self.perspectives.ByteSize()
        return STATE_BYTES + len(state.plies) + large + position + perspectives + self.memory.size


DOUBTED = -1
"""The era of anything that is not believed."""


class CacheValidity:
    """Which sessions in memory match the store, without asking it."""

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
