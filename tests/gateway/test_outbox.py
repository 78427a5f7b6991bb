"""What waits for a client comes in order and is bounded."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brettwerk.v1 import errors_pb2
from gateway import outbox as module
from gateway.outbox import MOST_BYTES, MOST_FRAMES, Outbox
from services.runtime.refusal import Refused


def fail(refused: Refused) -> None:
    raise AssertionError(refused)


async def take_all(outbox: Outbox) -> list[bytes]:
    return [message async for message in outbox.messages()]


@given(st.lists(st.binary(max_size=100), max_size=30))
async def test_everything_comes_in_order_also_after_the_end_of_taking_in(frames: list[bytes]) -> None:
    before = Outbox.in_all
    outbox = Outbox(fail)
    for frame in frames:
        outbox.put(frame[:3], frame[3:])
    outbox.close()
    outbox.put(b"too late")
    assert await take_all(outbox) == frames
    assert Outbox.in_all == before


@pytest.mark.parametrize(("frame", "count"), [(b"x" * 100_000, MOST_BYTES // 100_000), (b"x", MOST_FRAMES)])
async def test_a_client_who_does_not_read_is_parted_from_at_the_bound(frame: bytes, count: int) -> None:
    before = Outbox.in_all
    told: list[Refused] = []
    outbox = Outbox(told.append)
    for _ in range(count):
        outbox.put(frame)
    assert not told
    outbox.put(frame)
    outbox.put(frame)
    assert [refused.reason for refused in told] == [errors_pb2.REASON_FULL]
    assert outbox.is_closed
    assert outbox.ending is told[0]
    assert Outbox.in_all == before
    assert await take_all(outbox) == []


async def test_what_is_handed_out_still_counts_until_it_has_been_taken() -> None:
    before = Outbox.in_all
    told: list[Refused] = []
    outbox = Outbox(told.append)
    messages = outbox.messages()
    outbox.put(b"x" * (MOST_BYTES - 10))
    await anext(messages)
    outbox.put(b"x" * 5)
    outbox.put(b"x" * 50)
    assert told
    assert Outbox.in_all == before + MOST_BYTES - 10
    await messages.aclose()  # type: ignore[attr-defined]
    assert Outbox.in_all == before


async def test_so_much_is_taken_at_a_time_and_one_message_at_least() -> None:
    before = Outbox.in_all
    outbox = Outbox(fail)
    for size in (10, 50, 50, 500, 1):
        outbox.put(b"head ", b"x" * size)
    assert [len(body) for _, body in outbox.take(100)] == [10, 50, 50]
    assert [len(body) for _, body in outbox.take(100)] == [500]
    assert Outbox.in_all == before + 611 + 25
    outbox.settle()
    assert Outbox.in_all == before + 6
    outbox.discard()
    assert Outbox.in_all == before
    assert outbox.take(100) == []


async def test_one_message_may_be_larger_than_the_bound() -> None:
    outbox = Outbox(fail)
    outbox.put(b"x" * (MOST_BYTES + 1))
    outbox.close()
    assert len(await take_all(outbox)) == 1


async def test_when_all_outboxes_together_are_full_the_slow_ones_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_BYTES_IN_ALL", Outbox.in_all + 200_000)
    told: list[str] = []
    slow, quick = Outbox(lambda _: told.append("slow")), Outbox(lambda _: told.append("quick"))
    for _ in range(10):
        slow.put(b"x" * 19_000)
    quick.put(b"x" * 5_000)
    quick.put(b"x" * 6_000)
    slow.put(b"x" * 10_000)
    assert told == ["slow"]
    quick.discard()
