"""Passes on calls that came by gRPC and are for another shard's owner: workers and other callers call any session process.

Workers ask and answer in batches: each item is answered separately, and a bad one does not affect the others.

Calls that came over a link are never passed on: such callers call the owner itself, and are refused (moved) if they were
mistaken.
"""

from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from typing import TypeVar

from google.protobuf.message import Message

from brettwerk.internal.v1 import session_pb2, session_pb2_grpc
from brettwerk.v1 import errors_pb2
from services.runtime.link import LinkChannel, metadata_for_shard
from services.runtime.refusal import Refused
from services.session.computers.computer_moves import ComputerMoves
from services.sharding.batch import Batch

ANSWER_BYTES = 4 * 1024 * 1024
"""Maximum bytes of positions in an answer; workers accept about 8 MiB."""
_RETRY_MS = 200
_Answered = TypeVar("_Answered", bound=Message)


class Peers:
    """The other session processes."""

    def __init__(self, address: str) -> None:
        """Take the address at which session processes accept links."""
        self._channel = LinkChannel(address, "session service", "session")
        self._stub = session_pb2_grpc.SessionServiceStub(self._channel)

    async def ask(self, method: str, request: Message, shard: int, timeout_s: float | None) -> Message:
        """Return the answer of a shard's owner to a call of SessionService. Raises Refused."""
        call: Callable[..., Awaitable[Message]] = getattr(self._stub, method)
        return await call(request, timeout=timeout_s, metadata=metadata_for_shard(shard))

    async def find(
        self, seats: Sequence[session_pb2.SeatToMove], shard: int, within_s: float
    ) -> "list[session_pb2.WantedPosition | errors_pb2.Refusal]":
        """Return the positions from the owner of a shard. Raises Refused."""
        request = session_pb2.FindPositionsRequest(seats=seats)
        response = await self._stub.FindPositions(request, timeout=within_s, metadata=metadata_for_shard(shard))
        return [one.wanted if one.WhichOneof("kind") == "wanted" else one.refusal for one in response.positions]

    async def submit(
        self, actions: Sequence[session_pb2.SubmitActionRequest], shard: int, within_s: float
    ) -> "list[session_pb2.SubmitActionResponse | errors_pb2.Refusal]":
        """Return the answers of a shard's owner to actions. Raises Refused."""
        request = session_pb2.SubmitActionsRequest(actions=actions)
        response = await self._stub.SubmitActions(request, timeout=within_s, metadata=metadata_for_shard(shard))
        return [one.response if one.WhichOneof("kind") == "response" else one.refusal for one in response.actions]

    async def close(self) -> None:
        """Close the links."""
        await self._channel.close()


class Batches:
    """Answers workers. The number of items is bounded by the contract."""

    def __init__(
        self, computers: ComputerMoves, peers: Peers, serves: Callable[[int], bool], owns: Callable[[int], bool]
    ) -> None:
        """`serves` says whether a shard is this process's, `owns` whether that is certain; the rest is passed on to its peers."""
        self._finding = Batch(computers.find, peers.find, serves, owns)
        self._submitting = Batch(computers.submit, peers.submit, serves, owns)

    async def find_positions(
        self, request: session_pb2.FindPositionsRequest, passed_on_s: float | None = None
    ) -> session_pb2.FindPositionsResponse:
        """Return wanted positions. Those of other processes are passed on for so long; without a time, raises Refused (moved)."""
        found = await self._finding.answer(request.seats, passed_on_s)
        response = session_pb2.FindPositionsResponse()
        for one, fits in _with_room(found, session_pb2.WantedPosition.ByteSize):
            if isinstance(one, errors_pb2.Refusal):
                response.positions.add(refusal=one)
            elif fits:
                response.positions.add(wanted=one)
            else:
                message = "the answer has no room for this position; ask again"
                response.positions.add(refusal=Refused(errors_pb2.REASON_FULL, message, retry_after_ms=_RETRY_MS).refusal)
        return response

    async def submit_actions(
        self, request: session_pb2.SubmitActionsRequest, passed_on_s: float | None = None
    ) -> session_pb2.SubmitActionsResponse:
        """Accept computer players' actions, and return what became of them. Other processes' are passed on, or not, as above."""
        submitted = await self._submitting.answer(request.actions, passed_on_s)
        response = session_pb2.SubmitActionsResponse()
        for one, fits in _with_room(submitted, lambda answer: answer.next.ByteSize()):
            if isinstance(one, errors_pb2.Refusal):
                response.actions.add(refusal=one)
                continue
            if not fits:
                one.ClearField("next")  # the sweeper requests that move
            response.actions.add(response=one)
        return response


def _with_room(
    answers: Iterable[_Answered | errors_pb2.Refusal], size: Callable[[_Answered], int]
) -> Iterator[tuple[_Answered | errors_pb2.Refusal, bool]]:
    """Yield each answer, and whether its position fits into ANSWER_BYTES with those before it; refusals always fit."""
    total = 0
    for one in answers:
        if not isinstance(one, errors_pb2.Refusal):
            total += size(one)
        yield one, total <= ANSWER_BYTES
