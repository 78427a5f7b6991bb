"""Passes on what came by gRPC and is for the owner of another shard: workers and other callers ask any session process.

What came over a link is never passed on: who calls that way asks the owner itself, and is refused (moved) when it was mistaken.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Generic, Protocol, TypeVar

from brettwerk.v1 import errors_pb2, session_pb2, session_pb2_grpc
from services.runtime.link import LinkChannel, metadata_for_shard
from services.runtime.refusal import Refused, moved, moved_shard
from services.session.domain.ids import shard_if_any

_ROUNDS = 3
"""How often items are asked of the owner of their shard, which may change meanwhile."""


class Named(Protocol):
    """An item of a batch."""

    session_id: str


_Item = TypeVar("_Item", bound=Named)
_Answer = TypeVar("_Answer")


class Batch(Generic[_Item, _Answer]):
    """How the items of a batch are answered, here and by other processes."""

    def __init__(
        self,
        here: Callable[[_Item], Awaitable["_Answer | errors_pb2.Refusal"]],
        there: Callable[[Sequence[_Item], int], Awaitable["Sequence[_Answer | errors_pb2.Refusal]"]],
        serves: Callable[[int], bool],
    ) -> None:
        """`there` asks the owner of a shard; `serves` tells whether that is this process. Both refuse items one by one."""
        self._here = here
        self._there = there
        self._serves = serves

    def check(self, items: Sequence[_Item]) -> None:
        """Return when all items are for this process. Raises Refused (moved)."""
        for item in items:
            shard = shard_if_any(item.session_id)
            if shard is not None and not self._serves(shard):
                raise moved(shard)

    async def answer_here(self, items: Sequence[_Item]) -> "list[_Answer | errors_pb2.Refusal]":
        """Return the answers to items that are for this process, in order."""
        return list(await asyncio.gather(*map(self._here, items)))

    async def answer(self, items: Sequence[_Item]) -> "list[_Answer | errors_pb2.Refusal]":
        """Return the answers to items, in order, whoever has to give them."""
        found: dict[int, _Answer | errors_pb2.Refusal] = {}
        left = list(range(len(items)))
        for _ in range(_ROUNDS):
            shards: dict[int | None, list[int]] = {}
            for number in left:
                shard = shard_if_any(items[number].session_id)
                shards.setdefault(None if shard is None or self._serves(shard) else shard, []).append(number)
            await asyncio.gather(*(self._fill(found, items, shard, numbers) for shard, numbers in shards.items()))
            left = [number for number in left if _has_moved(found[number])]
            if not left:
                break
        return [found[number] for number in range(len(items))]

    async def _fill(
        self,
        found: "dict[int, _Answer | errors_pb2.Refusal]",
        items: Sequence[_Item],
        shard: int | None,
        numbers: Sequence[int],
    ) -> None:
        asked = [items[number] for number in numbers]
        answers: Sequence[_Answer | errors_pb2.Refusal]
        try:
            answers = await self.answer_here(asked) if shard is None else await self._there(asked, shard)
        except Refused as refused:
            answers = [refused.refusal] * len(asked)
        found.update(zip(numbers, answers, strict=True))


class Peers:
    """The other session processes."""

    def __init__(self, address: str, timeout_s: float) -> None:
        """Take the address at which session processes take links, and how long a call may take."""
        self._channel = LinkChannel(address, "session service", "session")
        self._stub = session_pb2_grpc.SessionServiceStub(self._channel)
        self._timeout_s = timeout_s

    async def carry_out(
        self, request: session_pb2.CarryOutRequest, shard: int, timeout_s: float | None
    ) -> session_pb2.CarryOutResponse:
        """Let the owner of a shard carry a call out. Raises Refused."""
        response: session_pb2.CarryOutResponse = await self._stub.CarryOut(
            request, timeout=timeout_s, metadata=metadata_for_shard(shard)
        )
        return response

    async def find(
        self, seats: Sequence[session_pb2.SeatToMove], shard: int
    ) -> "list[session_pb2.WantedPosition | errors_pb2.Refusal]":
        """Return the positions that the owner of a shard gives. Raises Refused."""
        request = session_pb2.FindPositionsRequest(seats=seats)
        response = await self._stub.FindPositions(request, timeout=self._timeout_s, metadata=metadata_for_shard(shard))
        return [one.wanted if one.WhichOneof("kind") == "wanted" else one.refusal for one in response.positions]

    async def submit(
        self, actions: Sequence[session_pb2.SubmitActionRequest], shard: int
    ) -> "list[session_pb2.SubmitActionResponse | errors_pb2.Refusal]":
        """Return what the owner of a shard says to actions. Raises Refused."""
        request = session_pb2.SubmitActionsRequest(actions=actions)
        response = await self._stub.SubmitActions(request, timeout=self._timeout_s, metadata=metadata_for_shard(shard))
        return [one.response if one.WhichOneof("kind") == "response" else one.refusal for one in response.actions]

    async def close(self) -> None:
        """Close the links."""
        await self._channel.close()


def _has_moved(answer: object) -> bool:
    return isinstance(answer, errors_pb2.Refusal) and moved_shard(answer) is not None
