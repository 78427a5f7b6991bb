"""Sessions for players who have found each other: ordered in the transaction that brings them together, created after it.

A process that dies in between leaves an order that any process of the service carries out later. The session service creates one
session for an arrangement, however often it is asked; so nobody who was paired once comes to two sessions, or to none.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Any

from sqlalchemy import Connection, Row, delete, select, update

from brettwerk.internal.v1 import players_pb2, session_pb2
from brettwerk.v1 import errors_pb2
from services.archive.access import Access
from services.players.news import feed
from services.players.opponents.sessions import Sessions
from services.players.opponents.tables import ARRANGEMENTS
from services.runtime.logs import logger
from services.runtime.refusal import Refused
from services.runtime.wall_clock import wall_ms

POOL, CHALLENGE, TOURNAMENT, ARENA = "pool", "challenge", "tournament", "arena"
"""Kinds of arrangement."""
WANTED, MADE, FAILED, OVER = "wanted", "made", "failed", "over"
"""States: to be created; created; impossible; and nothing left to be done."""
KEPT_MS = 2 * 86_400_000
"""How long it is remembered what became of an order."""
MAX_ATTEMPTS = 12
_FIRST_PAUSE_MS, _MAX_PAUSE_MS = 1_000, 60_000
LOOK_AGAIN_MS = 3_600_000
"""When to check again on a session of a tournament that was not over."""
_AT_ONCE = 50
_PASSING = (errors_pb2.REASON_UNAVAILABLE, errors_pb2.REASON_DEADLINE, errors_pb2.REASON_INTERNAL)
log = logger(__name__)

Announce = Callable[[Connection, str, str], Sequence[players_pb2.NotedNews]]
"""Returns the news of a session that was made (arrangement, session); for an empty session, that there can be none."""
Conclude = Callable[[Connection, str, session_pb2.CloseWaitingResponse | None], bool]
"""Takes what became of a session that waited long enough, None where it is lost; returns whether nothing is left to be done."""


def order(
    connection: Connection, kind: str, request: session_pb2.ArrangeSessionRequest, now_ms: int, *, join_timeout_ms: int = 0
) -> None:
    """Order a session. `join_timeout_ms`: how long it waits for its players; 0 for as long as its kind does."""
    made = {"arrangement_id": request.arrangement_id, "kind": kind, "request": request.SerializeToString(), "state": WANTED}
    connection.execute(ARRANGEMENTS.insert().values(**made, created_at_ms=now_ms, due_ms=now_ms, join_timeout_ms=join_timeout_ms))


def give_up(connection: Connection, arrangements: Sequence[str]) -> None:
    """Let sessions that were ordered, and are not there yet, not be created any more."""
    wanted = ARRANGEMENTS.c.arrangement_id.in_(arrangements) & (ARRANGEMENTS.c.state == WANTED)
    connection.execute(update(ARRANGEMENTS).where(wanted).values(state=OVER))


def request_of(connection: Connection, arrangement_id: str) -> session_pb2.ArrangeSessionRequest:
    """Return what was ordered; an empty request for an order that there is not."""
    query = select(ARRANGEMENTS.c.request).where(ARRANGEMENTS.c.arrangement_id == arrangement_id)
    return session_pb2.ArrangeSessionRequest.FromString(connection.execute(query).scalar_one_or_none() or b"")


def count_as_made(connection: Connection, arrangement_id: str, session_id: str, due_ms: int) -> bool:
    """Note the session of an order; return whether that is new."""
    mine = (ARRANGEMENTS.c.arrangement_id == arrangement_id) & (ARRANGEMENTS.c.state == WANTED)
    changed = connection.execute(update(ARRANGEMENTS).where(mine).values(state=MADE, session_id=session_id, due_ms=due_ms))
    return changed.rowcount == 1


class Arranging:
    """Carries orders out."""

    def __init__(
        self,
        store: Access,
        sessions: Sessions,
        announce: Mapping[str, Announce],
        wake: Callable[[dict[str, int]], None],
        join_timeout_s: float,
        now_ms: Callable[[], int] = wall_ms,
        conclude: Mapping[str, Conclude] | None = None,
    ) -> None:
        """`announce` and `conclude` by kind; `wake` takes the players who have news, with their newest versions.

        `join_timeout_s`: how long a session of a pool waits for both to come.
        """
        self._store = store
        self._sessions = sessions
        self._announce = announce
        self._conclude = conclude or {}
        self._wake = wake
        self._join_timeout_ms = round(join_timeout_s * 1000)
        self._now_ms = now_ms

    async def carry_out_due(self) -> None:
        """Carry out what is due, a part of it if there is much. Raises Refused (UNAVAILABLE) without the database."""
        now_ms = self._now_ms()
        due = (
            select(ARRANGEMENTS.c.arrangement_id, ARRANGEMENTS.c.state)
            .where(ARRANGEMENTS.c.state.in_([WANTED, MADE]), ARRANGEMENTS.c.due_ms <= now_ms)
            # Sessions that players wait for come before those that are looked at again.
            .order_by(ARRANGEMENTS.c.state == MADE, ARRANGEMENTS.c.due_ms)
            .limit(_AT_ONCE)
        )
        for row in await self._store.run(lambda connection: connection.execute(due).all()):
            await (self.make(row.arrangement_id) if row.state == WANTED else self._end(row.arrangement_id))

    async def forget_old(self) -> None:
        """Remove what was remembered long enough."""
        over = ARRANGEMENTS.c.state.in_([FAILED, OVER]) & (ARRANGEMENTS.c.created_at_ms < self._now_ms() - KEPT_MS)
        await self._store.run(lambda connection: connection.execute(delete(ARRANGEMENTS).where(over)))

    async def make(self, arrangement_id: str, address: str = "") -> None:
        """Create the session of an order, unless another process is about to.

        `address`: the network address that it counts for, which is stored nowhere; empty where it is not known.
        """
        row = await self._store.run(partial(self._claim, arrangement_id=arrangement_id))
        if row is None:
            return
        request = session_pb2.ArrangeSessionRequest.FromString(row.request)
        request.address = address
        try:
            session_id = await self._sessions.arrange(request)
        except Refused as refused:
            if _may_be_tried_again(row, refused):
                log.warning("an arranged session could not be created yet", reason=errors_pb2.Reason.Name(refused.reason))
                return
            log.warning("an arranged session cannot be created", reason=errors_pb2.Reason.Name(refused.reason))
            await self._note(partial(self._fail, arrangement_id=arrangement_id, kind=row.kind))
            return
        await self._note(partial(self._made, order=row, session_id=session_id))

    async def _note(self, write: Callable[[Connection], dict[str, int]]) -> None:
        self._wake(await self._store.run(write))

    def _claim(self, connection: Connection, arrangement_id: str) -> Row[Any] | None:
        """Take an order that is due, and see to it that it is due again when nothing comes of it."""
        now_ms = self._now_ms()
        mine = (ARRANGEMENTS.c.arrangement_id == arrangement_id) & (ARRANGEMENTS.c.state == WANTED)
        row = connection.execute(select(ARRANGEMENTS).where(mine)).first()
        if row is None or row.due_ms > now_ms:
            return None
        wait_ms = min(_MAX_PAUSE_MS, _FIRST_PAUSE_MS << min(row.attempts, 10))
        claimed = update(ARRANGEMENTS).where(mine & (ARRANGEMENTS.c.attempts == row.attempts))
        changed = connection.execute(claimed.values(attempts=row.attempts + 1, due_ms=now_ms + wait_ms))
        return row if changed.rowcount == 1 else None

    def _made(self, connection: Connection, order: Row[Any], session_id: str) -> dict[str, int]:
        wait_ms = order.join_timeout_ms or (self._join_timeout_ms if order.kind == POOL else KEPT_MS)
        if not count_as_made(connection, order.arrangement_id, session_id, self._now_ms() + wait_ms):
            return {}
        return feed.note(connection, self._announce[order.kind](connection, order.arrangement_id, session_id))

    def _fail(self, connection: Connection, arrangement_id: str, kind: str) -> dict[str, int]:
        mine = (ARRANGEMENTS.c.arrangement_id == arrangement_id) & (ARRANGEMENTS.c.state == WANTED)
        if connection.execute(update(ARRANGEMENTS).where(mine).values(state=FAILED)).rowcount != 1:
            return {}
        return feed.note(connection, self._announce[kind](connection, arrangement_id, ""))

    async def _end(self, arrangement_id: str) -> None:
        """End what has waited long enough: where not all have come to a session but a challenge's, it is closed."""
        kind = await self._store.run(
            lambda connection: connection.execute(
                select(ARRANGEMENTS.c.kind).where(ARRANGEMENTS.c.arrangement_id == arrangement_id)
            ).scalar_one_or_none()
        )
        became: session_pb2.CloseWaitingResponse | None = None
        if kind in (POOL, TOURNAMENT, ARENA):
            try:
                became = await self._sessions.close_waiting(arrangement_id)
            except Refused as refused:
                if refused.reason in _PASSING:
                    return
        mine = ARRANGEMENTS.c.arrangement_id == arrangement_id

        def write(connection: Connection) -> None:
            conclude = self._conclude.get(kind or "")
            if conclude is None or conclude(connection, arrangement_id, became):
                connection.execute(update(ARRANGEMENTS).where(mine).values(state=OVER))
            else:
                connection.execute(update(ARRANGEMENTS).where(mine).values(due_ms=self._now_ms() + LOOK_AGAIN_MS))

        await self._store.run(write)


def _may_be_tried_again(order: Row[Any], refused: Refused) -> bool:
    """Return whether a session that could not be created may be there later; a round of a tournament waits for it."""
    if order.kind == TOURNAMENT and refused.reason in _PASSING:
        return True
    passes = refused.reason in _PASSING or (order.kind == TOURNAMENT and refused.reason == errors_pb2.REASON_FULL)
    return bool(passes and order.attempts < MAX_ATTEMPTS)


Maker = Callable[[str, str], Awaitable[None]]
"""Creates the session of an order (arrangement, network address)."""
