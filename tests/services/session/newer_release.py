"""Data that a newer release would have written, put into the store of a table."""

from collections.abc import Callable
from typing import Any

from brettwerk.internal.v1 import session_state_pb2
from brettwerk_games.protobuf_wire.fields import block, block_tag
from services.session.domain.ids import session_key
from tests.services.session.table import Table

ROOM = 10_000
"""Field numbers from here on are nobody's."""


def field(number: int, value: bytes) -> bytes:
    return block(block_tag(number), value)


async def plant(table: Table, session: str, change: Callable[[session_state_pb2.StoredState], Any]) -> None:
    """Write a session's state as another release would have."""
    store = table.wiring.store
    message = await raw(table, session)
    change(message)
    key = session_key(session, "state")
    await store._client.hset(key, mapping={"state": message.SerializeToString(), "at": message.version, "logged": 0})
    for wiring in table.processes:
        wiring.session_cache.forget(session)


def commands(table: Table) -> Any:
    """Return the store's Redis."""
    return table.wiring.store._client


async def raw(table: Table, session: str) -> session_state_pb2.StoredState:
    """Return a session as a process that knows nothing of it yet finds it."""
    table.wiring.session_cache.forget(session)
    state = (await table.wiring.session_cache.newest(session)).state
    return session_state_pb2.StoredState.FromString(state.encode())
