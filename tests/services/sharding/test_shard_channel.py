"""Messages on the channel of shards are heard, and so is that something may have gone by."""

import asyncio
import contextlib

import redis.asyncio

from services.sharding.leases import CHANNEL
from services.sharding.shard_channel import ShardChannel


async def test_a_message_is_heard_and_after_a_break_that_something_may_have_been_missed(redis_url: str) -> None:
    client = redis.asyncio.Redis.from_url(redis_url)
    heard: asyncio.Queue[bytes] = asyncio.Queue()
    back: asyncio.Queue[bool] = asyncio.Queue()
    listening = ShardChannel(client, heard.put_nowait, lambda _shards: back.put_nowait(True))
    running = asyncio.create_task(listening.run())
    try:
        async with asyncio.timeout(30):
            assert await back.get()
            await listening.ready()
            for word in (b"one", b"other"):
                await client.publish(CHANNEL, word)
            assert [await heard.get() for _ in range(2)] == [b"one", b"other"]
            await client.client_kill_filter(_type="pubsub", skipme=True)
            assert await back.get()
            while not listening.is_there:  # noqa: ASYNC110 - it is seen from outside
                await asyncio.sleep(0.01)
            await client.publish(CHANNEL, b"again")
            assert await heard.get() == b"again"
    finally:
        running.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await running
        await client.aclose()
