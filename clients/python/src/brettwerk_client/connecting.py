"""How a channel to the server is opened, and how long it may be silent, for both clients."""

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Iterator
from typing import Any, TypeVar, cast

import grpc
from google.protobuf.message import Message

from brettwerk_client import refusals

MAX_MESSAGE_BYTES = 16 * 1024 * 1024
"""The largest answer that is taken; a record has 8 MiB at most."""
_Message = TypeVar("_Message", bound=Message)

OPTIONS = (
    # A connection over which nothing comes back, not even a ping, is given up after 9 seconds while something is awaited; calls
    # are sent again and watches go on over another. The server takes pings as often as every 5 seconds.
    ("grpc.keepalive_time_ms", 5_000),
    ("grpc.keepalive_timeout_ms", 4_000),
    ("grpc.http2.ping_timeout_ms", 4_000),  # of its own pings, which measure the line: while one is out no other is sent
    ("grpc.http2.max_pings_without_data", 0),  # whoever only watches sends no data
    # A server that is back is noticed within a few seconds, also if whatever stood in for it accepted connections in silence.
    ("grpc.initial_reconnect_backoff_ms", 200),
    ("grpc.min_reconnect_backoff_ms", 5_000),
    ("grpc.max_reconnect_backoff_ms", 2_500),
    ("grpc.max_receive_message_length", MAX_MESSAGE_BYTES),
    # Attempts are made here, where the refusals are understood.
    ("grpc.enable_retries", 0),
)


def credentials_of(tls: bool | grpc.ChannelCredentials) -> grpc.ChannelCredentials | None:
    """Return the credentials for a channel; None for one that is not encrypted."""
    if tls is True:
        return grpc.ssl_channel_credentials()
    return tls or None


def metadata_of(token: str) -> tuple[tuple[str, str], ...]:
    """Return the metadata that proves who calls."""
    return (("authorization", f"Bearer {token}"),) if token else ()


async def heard(stream: "grpc.aio.UnaryStreamCall[Any, _Message]", silence_s: float) -> AsyncIterator[_Message]:
    """Yield the messages of a stream. Raises what grpc raises, and Refused (Unavailable) after so long a silence."""
    while True:
        try:
            async with asyncio.timeout(silence_s):
                message = await stream.read()
        except TimeoutError:
            raise refusals.ended(f"nothing was heard for {silence_s:.0f} s") from None
        if message is grpc.aio.EOF:
            return
        yield cast("_Message", message)


def heard_in_thread(stream: "grpc._CallIterator[_Message]", silence_s: float) -> Iterator[_Message]:
    """Yield the messages of a stream. Raises what grpc raises, and Refused (Unavailable) after so long a silence."""
    waits_since: float | None = None
    has_ended, is_silent = threading.Event(), threading.Event()

    def cancel_when_silent() -> None:
        while not has_ended.wait(silence_s / 10):
            since = waits_since  # None while the messages are being dealt with, however long that takes
            if since is not None and time.monotonic() - since > silence_s:
                is_silent.set()
                stream.cancel()

    threading.Thread(target=cancel_when_silent, daemon=True).start()
    try:
        while True:
            waits_since = time.monotonic()
            message = next(stream, None)
            waits_since = None
            if message is None:
                return
            yield message
    except grpc.RpcError:
        if is_silent.is_set():
            raise refusals.ended(f"nothing was heard for {silence_s:.0f} s") from None
        raise
    finally:
        has_ended.set()
