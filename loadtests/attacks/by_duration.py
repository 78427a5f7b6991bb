"""Attacks by connections that are kept open."""

import asyncio
import itertools

import websockets

from brettwerk.v1 import play_pb2
from loadtests.attacks.target import ADDRESS, Target

HEADERS = {"x-forwarded-for": ADDRESS}


async def idle_sockets(target: Target) -> None:
    """Open WebSockets, as many as an address may and some more, and say nothing."""
    opened = []
    for _ in range(1100):
        if not target.is_on:
            break
        try:
            opened.append(
                await websockets.connect(f"ws://{target.web_address}/v1/connect", additional_headers=HEADERS, compression=None)
            )
            target.tally["open"] += 1
        except (OSError, websockets.WebSocketException):
            target.tally["refused"] += 1
            await asyncio.sleep(0.01)
    await target.wait()
    await asyncio.gather(*(socket.close() for socket in opened), return_exceptions=True)


async def half_requests(target: Target) -> None:
    """Begin HTTP requests and never end them."""
    host, _, port = target.web_address.rpartition(":")
    writers = []
    for _ in range(1000):
        if not target.is_on:
            break
        try:
            _, writer = await asyncio.open_connection(host, int(port))
            writer.write(b"POST /v1/ListGames HTTP/1.1\r\nhost: x\r\n")
            writers.append(writer)
            target.tally["open"] += 1
        except OSError:
            target.tally["refused"] += 1
    while target.is_on:
        await asyncio.sleep(0.5)
        for writer in writers:
            if not writer.is_closing():
                writer.write(b"x-y: z\r\n")
    for writer in writers:
        writer.close()


async def deaf_socket(target: Target) -> None:
    """Ask for much through WebSockets and read nothing of it."""
    asked = play_pb2.ConnectRequest(id=1, call=play_pb2.Call(get_game=play_pb2.GetGameRequest(game="wec", language="en")))
    sockets = []
    for _ in range(20):
        socket = await websockets.connect(
            f"ws://{target.web_address}/v1/connect", additional_headers=HEADERS, compression=None, max_queue=1
        )
        sockets.append(socket)
    while target.is_on:
        for socket in sockets:
            try:
                asked.id += 1
                async with asyncio.timeout(0.2):
                    await socket.send(asked.SerializeToString())
                target.tally["sent"] += 1
            except (TimeoutError, websockets.WebSocketException):
                target.tally["stuck or cut"] += 1
        await asyncio.sleep(0.005)
    for socket in sockets:
        socket.transport.abort()


async def deaf_watches(target: Target) -> None:
    """Watch a busy table by gRPC from its first version and read nothing."""
    who = await target.guest()
    session, _ = await target.played(who, "einstein", 4)
    calls = []
    for _ in range(64):
        calls.append(target.stub.Watch(play_pb2.WatchRequest(session_id=session), metadata=who))
        target.tally["begun"] += 1
    await target.wait()
    for call in calls:
        call.cancel()


async def resumed_watches(target: Target) -> None:
    """Watch a long game from changing versions on, thousands of times, each ended after a moment."""
    who = await target.guest()
    session, token = target.long_game
    head, counted = await target.head(who), itertools.count()

    async def one() -> None:
        asked = play_pb2.WatchRequest(session_id=session, seat_token=token, after_version=7 * next(counted) % head)
        call = target.stub.Watch(asked, metadata=who)
        await target.answer(call.read(), "begun")
        call.cancel()

    await target.flood(one)
