"""Items of a batch are answered by whoever owns their shards, and what one owner does not answer holds nobody else up."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from brettwerk.v1 import errors_pb2
from services.runtime.refusal import Refused, moved
from services.sharding.batch import Batch


@dataclass
class Item:
    session_id: str


def item(shard: int) -> Item:
    return Item(f"{shard:02x}{'a' * 22}")


Answers = list[str | errors_pb2.Refusal]


class Owners:
    """The owners of shards 0 and 1: this process and another one, each as far as it is said."""

    def __init__(self, serves: set[int], owns: set[int]) -> None:
        self.there: list[tuple[int, float]] = []
        self.hangs: set[int] = set()
        self.moves: list[int] = []
        """Shards that another process refuses once, as moved."""
        self.batch: Batch[Item, str] = Batch(self._here, self._ask, serves.__contains__, owns.__contains__)

    async def _here(self, one: Item) -> str:
        return "here"

    async def _ask(self, items: Sequence[Item], shard: int, within_s: float) -> Answers:
        self.there.append((shard, within_s))
        if shard in self.hangs:
            await asyncio.sleep(within_s)  # this is the fault
            raise Refused(errors_pb2.REASON_DEADLINE, "it did not answer in time")
        if shard in self.moves:
            self.moves.remove(shard)
            raise moved(shard)
        return ["there"] * len(items)


async def test_items_of_an_owner_that_hangs_are_refused_while_there_is_time_to_say_so() -> None:
    owners = Owners({0}, {0})
    owners.hangs = {1}
    began = asyncio.get_running_loop().time()
    answers = await owners.batch.answer([item(1), item(0), item(2), item(1)], 0.5)
    ((_, for_one), (_, for_two)) = owners.there
    assert 0 < for_one < 0.5
    assert 0 < for_two < 0.5
    assert asyncio.get_running_loop().time() - began >= for_one
    assert answers[1:3] == ["here", "there"]
    for refusal in (answers[0], answers[3]):
        assert isinstance(refusal, errors_pb2.Refusal)
        assert refusal.reason == errors_pb2.REASON_DEADLINE


async def test_a_process_unsure_of_a_shard_asks_for_its_owner() -> None:
    owners = Owners({0, 1}, {0})
    assert await owners.batch.answer([item(0), item(1)], 5) == ["here", "there"]
    owners.batch.check([item(0), item(1)])


async def test_items_of_a_moved_shard_are_asked_for_again() -> None:
    owners = Owners(set(), set())
    owners.moves = [1]
    assert await owners.batch.answer([item(1), item(2)], 5) == ["there", "there"]
    assert [shard for shard, _ in owners.there] == [1, 2, 1]
