"""Tells gateways and session processes whose tokens are void, within half a second."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import Connection, Row, func, select

from brettwerk.internal.v1 import players_pb2
from services.archive.access import Access
from services.players.accounts.tables import SIGN_OUTS
from services.runtime.refusal import Refused
from services.runtime.wall_clock import wall_ms

PAGE, AGAIN = 1000, 200
"""Sign-outs in a page, and how many of them may be there again."""
AGAIN_MS = 60_000
"""Sign-outs this recent are listed again: transactions may become visible in another order than they took their numbers in."""
LOOK_S = 0.4
"""How often it is looked for new ones while somebody waits: whichever process has noted them, none is told later than that."""
MAX_WAIT_S = 30.0


class SignOuts:
    """Those who are told. Methods that read the database raise Refused (UNAVAILABLE)."""

    def __init__(self, store: Access, now_ms: Callable[[], int] = wall_ms) -> None:
        self._store = store
        self._now_ms = now_ms
        self._head = 0
        self._waiting = 0
        self._somebody_waits = asyncio.Event()
        self._changed = asyncio.Event()
        self._is_closing = False

    async def page(self, request: players_pb2.ListSignOutsRequest) -> players_pb2.ListSignOutsResponse:
        """Return a page of sign-outs, and wait for the next one as long as the request says."""
        found = await self._store.run(lambda connection: self._found(connection, request.after))
        if request.wait_ms and not any(row.number > request.after for row in found):
            await self._wait(request.after, min(MAX_WAIT_S, request.wait_ms / 1000))
            found = await self._store.run(lambda connection: self._found(connection, request.after))
        made = [players_pb2.SignOut(player_id=row.player_id, generation=row.generation, number=row.number) for row in found]
        return players_pb2.ListSignOutsResponse(sign_outs=made, cursor=max([request.after, *(row.number for row in found)]))

    async def run(self) -> None:
        """Look for new ones while somebody waits, until `close`."""
        changes = self._store.changes()
        while True:
            await self._somebody_waits.wait()
            if self._is_closing:
                return
            if changes.may_have_come():
                await self._look()
            await asyncio.sleep(LOOK_S)

    async def _look(self) -> None:
        try:
            head = await self._store.run(lambda connection: connection.execute(select(func.max(SIGN_OUTS.c.number))).scalar())
        except Refused:
            return  # the database is away, and its access has said so
        if head is not None and head != self._head:
            self._head = head
            self._changed.set()
            self._changed = asyncio.Event()

    def close(self) -> None:
        """Let nobody wait any more."""
        self._is_closing = True
        self._somebody_waits.set()
        self._changed.set()

    async def _wait(self, after: int, wait_s: float) -> None:
        self._waiting += 1
        self._somebody_waits.set()
        try:
            async with asyncio.timeout(wait_s):
                while self._head <= after and not self._is_closing:
                    await self._changed.wait()
        except TimeoutError:
            pass
        finally:
            self._waiting -= 1
            if not self._waiting and not self._is_closing:
                self._somebody_waits.clear()

    def _found(self, connection: Connection, after: int) -> Sequence[Row[Any]]:
        number = SIGN_OUTS.c.number
        recent = (number <= after) & (SIGN_OUTS.c.at_ms >= self._now_ms() - AGAIN_MS)
        again = connection.execute(select(SIGN_OUTS).where(recent).order_by(number.desc()).limit(AGAIN)).all()
        fresh = select(SIGN_OUTS).where(number > after).order_by(number).limit(PAGE - AGAIN)
        return [*reversed(again), *connection.execute(fresh).all()]
