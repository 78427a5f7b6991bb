"""Messages that wait for a client come in order and are bounded."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brettwerk.v1 import errors_pb2
from gateway.streams import send_queue as module
from gateway.streams.send_queue import MAX_BYTES, MAX_FRAMES, SendQueue
from services.runtime.refusal import Refused


def fail(refused: Refused) -> None:
    raise AssertionError(refused)


async def take_all(send_queue: SendQueue) -> list[bytes]:
    return [message async for message in send_queue.messages()]


@given(st.lists(st.binary(max_size=100), max_size=30))
async def test_everything_comes_in_order_also_after_the_end_of_taking_in(frames: list[bytes]) -> None:
    before = SendQueue.in_all
    send_queue = SendQueue(fail)
    for frame in frames:
        send_queue.put(frame[:3], frame[3:])
    send_queue.close()
    send_queue.put(b"too late")
    assert await take_all(send_queue) == frames
    assert SendQueue.in_all == before


@pytest.mark.parametrize(("frame", "count"), [(b"x" * 100_000, MAX_BYTES // 100_000), (b"x", MAX_FRAMES)])
async def test_a_client_who_does_not_read_is_parted_from_at_the_bound(frame: bytes, count: int) -> None:
    before = SendQueue.in_all
    received: list[Refused] = []
    send_queue = SendQueue(received.append)
    for _ in range(count):
        send_queue.put(frame)
    assert not received
    send_queue.put(frame)
    send_queue.put(frame)
    assert [refused.reason for refused in received] == [errors_pb2.REASON_FULL]
    assert send_queue.is_closed
    assert send_queue.ending is received[0]
    assert SendQueue.in_all == before
    assert await take_all(send_queue) == []


async def test_a_message_handed_out_still_counts_until_it_has_been_taken() -> None:
    before = SendQueue.in_all
    received: list[Refused] = []
    send_queue = SendQueue(received.append)
    messages = send_queue.messages()
    send_queue.put(b"x" * (MAX_BYTES - 10))
    await anext(messages)
    send_queue.put(b"x" * 5)
    send_queue.put(b"x" * 50)
    assert received
    assert SendQueue.in_all == before + MAX_BYTES - 10
    await messages.aclose()  # type: ignore[attr-defined]
    assert SendQueue.in_all == before


async def test_so_much_is_taken_at_a_time_and_one_message_at_least() -> None:
    before = SendQueue.in_all
    send_queue = SendQueue(fail)
    for size in (10, 50, 50, 500, 1):
        send_queue.put(b"head ", b"x" * size)
    assert [len(body) for _, body in send_queue.take(100)] == [10, 50, 50]
    assert [len(body) for _, body in send_queue.take(100)] == [500]
    assert SendQueue.in_all == before + 611 + 25
    send_queue.mark_sent()
    assert SendQueue.in_all == before + 6
    send_queue.discard()
    assert SendQueue.in_all == before
    assert send_queue.take(100) == []


async def test_one_message_may_be_larger_than_the_bound() -> None:
    send_queue = SendQueue(fail)
    send_queue.put(b"x" * (MAX_BYTES + 1))
    send_queue.close()
    assert len(await take_all(send_queue)) == 1


async def test_when_all_outboxes_together_are_full_the_slow_ones_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_BYTES_IN_ALL", SendQueue.in_all + 200_000)
    received: list[str] = []
    slow, quick = SendQueue(lambda _: received.append("slow")), SendQueue(lambda _: received.append("quick"))
    for _ in range(10):
        slow.put(b"x" * 19_000)
    quick.put(b"x" * 5_000)
    quick.put(b"x" * 6_000)
    slow.put(b"x" * 10_000)
    assert received == ["slow"]
    quick.discard()
