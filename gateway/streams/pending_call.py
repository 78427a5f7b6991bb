"""A call of a Connect stream, from its arrival to its answer. Most run without a task (services/runtime/eager_call.py)."""

from collections.abc import Awaitable, Callable
from typing import TypeAlias

from brettwerk.v1 import play_pb2
from gateway.messages import framing
from gateway.messages.contract import Method
from services.runtime import trace
from services.runtime.call_scope import Entry, explained
from services.runtime.eager_call import EagerCall
from services.runtime.refusal import Refused

Tell: TypeAlias = Callable[["PendingCall", bytes, Refused | None], None]
"""Takes an encoded Answer to a call and, if it was refused, the refusal."""


class PendingCall:
    """It is traced and counted, and its answer told once, unless it was cancelled."""

    __slots__ = ("_entry", "_running", "_tell", "method", "number")

    def __init__(self, number: int, method: Method | None, tell: Tell) -> None:
        """Take the id of its request, and its method, if there is such a one."""
        self.number = number
        self.method = method
        self._tell: Tell | None = tell
        self._running: EagerCall | None = None
        self._entry = Entry("gateway")

    def begin(self, work: Awaitable[bytes]) -> None:
        """Answer by what the work returns or raises, in a trace of its own: now, or later."""
        if self.method is None:
            trace.begin()
        else:
            self._entry.name = self.method.name
            self._entry.trace(self.method.field)
        self._running = EagerCall(self._carry_out(work))

    def cancel(self) -> None:
        """Abandon the call; nothing more is sent."""
        self._tell = None
        if self._running is not None:
            self._running.cancel()

    def give_up(self) -> None:
        """Cancel, because the client is no longer waiting."""
        self.cancel()
        self._entry.end("CANCELLED")

    async def _carry_out(self, work: Awaitable[bytes]) -> None:
        refused: Refused | None = None
        try:
            answer = await work
            if framing.is_refusal(answer):
                refused = Refused.of(play_pb2.Answer.FromString(answer).refusal)
        except Exception as error:  # noqa: BLE001 - whatever it is, the caller gets an answer
            refused = explained(error, self._entry.name)
            answer = play_pb2.Answer(refusal=refused.refusal).SerializeToString()
        tell, self._tell = self._tell, None  # which knows the stream, and that this call
        if tell is not None:  # nobody has cancelled it since
            self._entry.end("OK" if refused is None else refused.code.name)
            tell(self, answer, refused)
