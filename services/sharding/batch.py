"""Batches of items for several shards: each item goes to its shard's owner, and a bad one does not affect the others."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from brettwerk.v1 import errors_pb2
from services.runtime.logs import logger
from services.runtime.refusal import Refused, internal, moved, moved_shard
from services.sharding.shards import shard_if_any

log = logger(__name__)

_ROUNDS = 3
"""How often items are requested from the owner of their shard, which may change in the meantime."""
_SHARE = 0.8
"""The share of a caller's time that owners may use: what they have not answered by then is refused, and the rest is answered."""


class Named(Protocol):
    """An item of a batch."""

    session_id: str


_Item = TypeVar("_Item", bound=Named)
_Answer = TypeVar("_Answer")


@dataclass(eq=False, repr=False)
class Batch(Generic[_Item, _Answer]):
    """How the items of a batch are answered, here and by other processes, both of which refuse items one by one."""

    _here: Callable[[_Item], Awaitable[_Answer]]
    """Answers one that is for this process; whatever it raises is that one's refusal."""
    _there: Callable[[Sequence[_Item], int, float], Awaitable["Sequence[_Answer | errors_pb2.Refusal]"]]
    """Asks the owner of a shard, for some seconds."""
    _serves: Callable[[int], bool]
    """Says whether this process is the owner, as far as it knows."""
    _owns: Callable[[int], bool]
    """Says whether that is certain."""

    def check(self, items: Sequence[_Item]) -> None:
        """Check that all items are for this process. Raises Refused (moved)."""
        for item in items:
            shard = shard_if_any(item.session_id)
            if shard is not None and not self._serves(shard):
                raise moved(shard)

    async def answer_here(self, items: Sequence[_Item]) -> "list[_Answer | errors_pb2.Refusal]":
        """Return the answers to items that are for this process, in order."""
        return list(await asyncio.gather(*map(self._answer_or_refusal, items)))

    async def answer(self, items: Sequence[_Item], within_s: float | None) -> "list[_Answer | errors_pb2.Refusal]":
        """Return the answers to items, in order, whoever gives them, before their caller's time is up.

        If this process is no longer certain, because the store does not answer, others may know better (perhaps that it is the
        owner). Without a time nobody else is asked: raises Refused (moved) if any is for another process.
        """
        if within_s is None:
            self.check(items)
            return await self.answer_here(items)
        found: dict[int, _Answer | errors_pb2.Refusal] = {}
        loop = asyncio.get_running_loop()
        until = loop.time() + within_s * _SHARE
        left = list(range(len(items)))
        for _ in range(_ROUNDS):
            shards: dict[int | None, list[int]] = {}
            for number in left:
                shard = shard_if_any(items[number].session_id)
                shards.setdefault(None if shard is None or self._owns(shard) else shard, []).append(number)
            left_s = until - loop.time()
            await asyncio.gather(*(self._fill(found, items, shard, numbers, left_s) for shard, numbers in shards.items()))
            answers = ((number, found[number]) for number in left)
            left = [number for number, one in answers if isinstance(one, errors_pb2.Refusal) and moved_shard(one) is not None]
            if not left or loop.time() >= until:
                break
        return [found[number] for number in range(len(items))]

    async def _answer_or_refusal(self, item: _Item) -> "_Answer | errors_pb2.Refusal":
        try:
            return await self._here(item)
        except Refused as refused:
            return refused.refusal
        except Exception as error:
            log.error("an item of a batch failed", exc_info=error)
            return internal().refusal

    async def _fill(
        self,
        found: "dict[int, _Answer | errors_pb2.Refusal]",
        items: Sequence[_Item],
        shard: int | None,
        numbers: Sequence[int],
        within_s: float,
    ) -> None:
        asked = [items[number] for number in numbers]
        answers: Sequence[_Answer | errors_pb2.Refusal]
        try:
            answers = await self.answer_here(asked) if shard is None else await self._there(asked, shard, within_s)
        except Refused as refused:
            answers = [refused.refusal] * len(asked)
        found.update(zip(numbers, answers, strict=True))
