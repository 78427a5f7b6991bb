"""A session in memory: at one version, with what a process remembers of it."""

from dataclasses import dataclass, field

from brettwerk.internal.v1 import rules_pb2
from services.session.domain.bounds import STATE_BYTES
from services.session.domain.state import State
from services.session.live.memory import Memory
from services.session.store.commits import Head


@dataclass(frozen=True, slots=True)
class CachedSession:
    """A session at one version, as this process knows it."""

    state: State
    head: Head
    """The version, as the store has it."""
    perspectives: rules_pb2.Step | None = field(default=None, repr=False)
    """What everybody may see of its position, once that is known."""
    memory: Memory = field(default_factory=Memory, repr=False)
    """What is remembered of it, newer versions included."""
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
        large = sum(proposal.ByteSize() for proposal in state.proposals)
        large += 0 if state.options is None else len(state.options.value)
        if not state.has_begun:
            large += state.created.ByteSize()
        position = 0 if state.position is None else len(state.position.value)
        perspectives = 0 if self.perspectives is None else self.perspectives.ByteSize()
        return STATE_BYTES + len(state.plies) + large + position + perspectives + self.memory.size
