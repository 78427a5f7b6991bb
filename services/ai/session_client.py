"""The session service as a worker sees it: it is asked for positions and given actions.

Each process of the pool opens a channel of its own after the fork; none must be older than that. Every call is answered item by
item. An item refused because the service cannot be reached now, or because only a process of another release can do it, is asked
for again for a while; both calls may be repeated, since a ticket is good for one version. A session process that hangs takes one
attempt at most: a new channel is used only to those that have greeted it.
"""

import time
from collections.abc import Callable, Sequence
from typing import TypeVar

import grpc

from brettwerk.internal.v1 import session_pb2, session_pb2_grpc
from brettwerk.v1 import errors_pb2
from services.runtime import trace
from services.runtime.channel import open_blocking_channel
from services.runtime.refusal import is_newer, of_rpc_error

FIND_S = 1.0
"""The longest that asking for positions may take. A seat whose session has no owner for longer comes again soon, by the board."""
SUBMIT_S = 1.5
"""The longest that handing over answers may take."""
ATTEMPT_S = 1.0
"""How long one session process may take, besides, if it hangs. One that lives says before that what it knows (peers.py)."""
_PAUSE_S = 0.2
"""The pause before it is tried again."""
_MIN_S = 0.1
_PASSING = frozenset({errors_pb2.REASON_UNAVAILABLE, errors_pb2.REASON_DEADLINE, errors_pb2.REASON_FULL})

_In = TypeVar("_In")
_Out = TypeVar("_Out", session_pb2.FoundPosition, session_pb2.SubmittedAction)


class SessionClient:
    """The session service, for one process."""

    def __init__(self, address: str) -> None:
        """Open a channel; nothing is sent yet."""
        self._address = address
        self._open()

    def find(self, seats: Sequence[session_pb2.SeatToMove]) -> list[session_pb2.FoundPosition]:
        """Return the position of each seat, or why there is none."""

        def call(left: list[session_pb2.SeatToMove], timeout_s: float) -> list[session_pb2.FoundPosition]:
            request = session_pb2.FindPositionsRequest(seats=left)
            return list(self._stub.FindPositions(request, timeout=timeout_s, metadata=trace.metadata()).positions)

        return self._answers(seats, call, session_pb2.FoundPosition, FIND_S)

    def submit(self, actions: Sequence[session_pb2.SubmitActionRequest]) -> list[session_pb2.SubmittedAction]:
        """Hand actions over and return what became of each."""

        def call(left: list[session_pb2.SubmitActionRequest], timeout_s: float) -> list[session_pb2.SubmittedAction]:
            request = session_pb2.SubmitActionsRequest(actions=left)
            return list(self._stub.SubmitActions(request, timeout=timeout_s, metadata=trace.metadata()).actions)

        return self._answers(actions, call, session_pb2.SubmittedAction, SUBMIT_S)

    def _answers(
        self, items: Sequence[_In], call: Callable[[list[_In], float], list[_Out]], answer: type[_Out], within_s: float
    ) -> list[_Out]:
        until, was_silent = time.monotonic() + within_s, False
        answers = [answer() for _ in items]
        left = list(range(len(items)))
        while True:
            given, is_silent = [items[i] for i in left], False
            attempt_s = min(ATTEMPT_S, max(_MIN_S, until - time.monotonic()))
            try:
                got = call(given, attempt_s)
            except grpc.RpcError as error:
                refused = of_rpc_error(error, "session service")
                is_silent = refused.reason == errors_pb2.REASON_DEADLINE and attempt_s == ATTEMPT_S
                # The time begins anew, once: the process that hangs has used up that of those which live.
                if is_silent and not was_silent:
                    until, was_silent = time.monotonic() + within_s, True
                got = [answer(refusal=refused.refusal)] * len(left)
            # Answers are matched by their places alone: with one too few, each could be the answer to another question.
            if len(got) != len(left):
                refusal = errors_pb2.Refusal(reason=errors_pb2.REASON_INTERNAL, message="not as many answers as questions")
                got = [answer(refusal=refusal)] * len(left)
            for i, one in zip(left, got, strict=True):
                answers[i] = one
            left = [i for i in left if may_pass(answers[i].refusal)]
            if is_silent or any(_is_elsewhere(answers[i].refusal) for i in left):
                # Its processes may be so new that this channel has not heard of them, or so silent that it should not know them.
                self._channel.close()
                self._open()
            pause_s = 0.0 if is_silent else _PAUSE_S
            if not left or time.monotonic() + pause_s > until:
                return answers
            time.sleep(pause_s)

    def _open(self) -> None:
        self._channel = open_blocking_channel(self._address, "worker")
        self._stub = session_pb2_grpc.SessionServiceStub(self._channel)


def may_pass(refusal: errors_pb2.Refusal) -> bool:
    """Return whether what was refused may succeed a little later, or elsewhere."""
    return refusal.reason in _PASSING or _is_elsewhere(refusal)


def _is_elsewhere(refusal: errors_pb2.Refusal) -> bool:
    return is_newer(refusal) or refusal.reason == errors_pb2.REASON_NO_SUCH_METHOD
