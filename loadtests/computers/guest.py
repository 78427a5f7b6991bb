"""Somebody with a connection of their own, from an address of their own: repeats what can help, and comes back when cut off."""

import asyncio
import contextlib
import random
import secrets

import grpc
import websockets

from brettwerk.v1 import errors_pb2, play_pb2, sessions_pb2
from loadtests.computers.notes import Notes
from loadtests.crowd.endpoints import Client, Endpoints, Feed, RefusedError

ANSWER_S = 30.0
"""A call that is not answered for so long counts as a lost connection."""
RETRY_AFTER_S = 0.5
OVER = (sessions_pb2.Session.STATE_FINISHED, sessions_pb2.Session.STATE_CLOSED)
ERRORS = (OSError, TimeoutError, websockets.WebSocketException, grpc.RpcError)
"""The exceptions of a lost connection."""
_PASSING = (
    errors_pb2.REASON_UNAVAILABLE,
    errors_pb2.REASON_DEADLINE,
    errors_pb2.REASON_TOO_MANY_REQUESTS,
    errors_pb2.REASON_FULL,
)


class Guest:
    """A player who calls and watches."""

    def __init__(self, endpoints: Endpoints, name: str, number: int, notes: Notes) -> None:
        """`number` makes the address."""
        self.notes = notes
        self.name = name
        self._endpoints = endpoints
        self._address = f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"
        self._token = ""
        self._client: Client | None = None
        self._entering = asyncio.Lock()

    async def client(self) -> Client:
        """Return the connection, a new one where it was lost. Raises ERRORS, RefusedError."""
        async with self._entering:
            if self._client is not None and not self._client.ended:
                return self._client
            await self._lose()
            client = self._client = await self._endpoints.open(self._address)
            if not self._token:
                request = play_pb2.CreatePlayerRequest(name=self.name, request_id=secrets.token_hex(8))
                self._token = (await client.call(play_pb2.Call(create_player=request))).create_player.player_token
            await client.authenticate(self._token)
            return client

    async def call(self, call: play_pb2.Call, *, attempts: int = 1_000) -> play_pb2.Answer:
        """Return the answer to a call, made again as it is while that can help. Raises RefusedError."""
        while True:
            attempts -= 1
            try:
                client = await self.client()
                async with asyncio.timeout(ANSWER_S):
                    return await client.call(call)
            except RefusedError as refused:
                self.notes.refusals[errors_pb2.Reason.Name(refused.refusal.reason)] += 1
                if refused.refusal.reason not in _PASSING or attempts <= 0:
                    raise
                await asyncio.sleep(max(refused.refusal.retry_after_ms / 1000, RETRY_AFTER_S * random.random()))
            except ERRORS:
                if attempts <= 0:
                    raise
                await self.drop()
                await asyncio.sleep(RETRY_AFTER_S)

    async def watch(self, request: play_pb2.WatchRequest, feed: Feed) -> tuple[Client, int]:
        """Begin a watch; returns the connection that carries it, and its number. Raises what `client` raises."""
        client = await self.client()
        return client, await client.watch(request, feed)

    async def drop(self) -> None:
        """Give the connection up; the next call opens another."""
        async with self._entering:
            await self._lose()

    async def _lose(self) -> None:
        if self._client is not None:
            self.notes.lost_connections += 1
            await self.close()

    async def close(self) -> None:
        """End the connection."""
        if self._client is not None:
            client, self._client = self._client, None
            with contextlib.suppress(Exception):
                await client.close()
