"""Where a saved game with hidden things is continued: at one table at a time, and by those who played it (WEC-ONLINE-3).

Players who go on without another player will see, at the latest at the end, what that player hid. So once some have gone on
without another, the game can no longer be continued together, and while several people play it, nobody goes on with it alone.
What some play without another is a separate game, whose saves are theirs. All sessions of a game, and of those that follow from
it, are in the shard where it began, and its owner opens one save at a time, so nothing happens in between.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from brettwerk.v1 import errors_pb2, record_pb2
from services.runtime.refusal import Refused
from services.session.domain.bounds import SHARDS, TABLES_PER_GAME
from services.session.domain.fair_play import REPLACED
from services.session.domain.ids import derived_id, shard_of
from services.session.live.rebuilds import Rebuilds

_GAMES = 16
"""The maximum number of games, each continued from the previous one, that are followed."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a saved game is continued: in a new session, or in one that somebody else has opened from the same save."""

    session_id: str
    is_there: bool = False


class Continuations:
    """Finds out where. Raises Refused."""

    def __init__(self, rebuilds: Rebuilds, id_key: bytes) -> None:
        self._rebuilds = rebuilds
        self._id_key = id_key
        self._turns = tuple(asyncio.Lock() for _ in range(SHARDS))

    @asynccontextmanager
    async def turn(self, game_id: str) -> AsyncIterator[None]:
        """Keep everybody else from opening a save of the game in the meantime."""
        async with self._turns[shard_of(game_id)]:
            yield

    def default_id(self, game_id: str, player: str, request_id: str) -> str:
        """Return the id of the session that a request creates if every request for it would create the same one."""
        return derived_id(self._id_key, "session", player, request_id, shard=shard_of(game_id))

    def without_id(self, game_id: str) -> str:
        """Return the id of the first session in which somebody goes on without another player."""
        return derived_id(self._id_key, "without", game_id, shard=shard_of(game_id))

    async def together(self, saved_from: record_pb2.SavedFrom) -> Place:
        """Return where a game is continued together.

        Raises Refused: STILL_RUNNING while it is played elsewhere, GAME_OVER when somebody has gone on without another, FULL.
        """
        if await self._rebuilds.is_known(self.without_id(saved_from.game_id)):
            raise _was_gone_on_with()
        newest, following = await self._tables(saved_from.game_id)
        state = await self._rebuilds.live(newest) if newest else None
        if state is not None and not state.is_over:
            if state.created.saved_from == saved_from:
                return Place(newest, is_there=True)
            raise _still_running()
        await self._nobody_plays(saved_from)
        if not following:
            raise Refused(errors_pb2.REASON_FULL, f"a game can be continued together at most {TABLES_PER_GAME} times")
        return Place(following)

    async def without(self, saved_from: record_pb2.SavedFrom, player: str, request_id: str, *, is_alone: bool) -> Place:
        """Return where a player goes on without another player, alone or with some; only once, and then with their own saves.

        Raises Refused: STILL_RUNNING while several play the game elsewhere, GAME_OVER.
        """
        await self._nobody_plays(saved_from)
        first = self.without_id(saved_from.game_id)
        if not await self._rebuilds.is_known(first):
            await self._nobody_plays_on(saved_from.game_id)
            return Place(first)
        if not is_alone:
            raise _was_gone_on_with()
        game_id = saved_from.game_id
        for _ in range(_GAMES):
            await self._nobody_plays_on(game_id)
            game_id = self.without_id(game_id)
            if not await self._rebuilds.is_known(game_id):
                break
            if await self._is_played(game_id, by_several=True):
                raise _still_running()
        return Place(self.default_id(saved_from.game_id, player, request_id))

    async def _tables(self, game_id: str) -> tuple[str, str]:
        """Return the newest table at which a game is or was continued together, and the next one; empty for none."""
        newest = ""
        for number in range(TABLES_PER_GAME):
            session_id = derived_id(self._id_key, "together", game_id, str(number), shard=shard_of(game_id))
            if not await self._rebuilds.is_known(session_id):
                return newest, session_id
            newest = session_id
        return newest, ""

    async def _nobody_plays(self, saved_from: record_pb2.SavedFrom) -> None:
        """Check that neither the saved session nor the one in which the game began is still going on. Raises Refused."""
        for session_id in {saved_from.game_id, saved_from.session_id}:
            if await self._is_played(session_id):
                raise _still_running()

    async def _nobody_plays_on(self, game_id: str) -> None:
        """Check that the game is not being continued together. Raises Refused (STILL_RUNNING)."""
        newest, _ = await self._tables(game_id)
        if newest and await self._is_played(newest, by_several=True):
            raise _still_running()

    async def _is_played(self, session_id: str, *, by_several: bool = False) -> bool:
        """Return whether a session is going on, or will; `by_several`: as a game of more than one person."""
        state = await self._rebuilds.live(session_id)
        if state is None or state.is_over:
            return False
        return not by_several or len({*state.created.saved_from.held_by} - {"", REPLACED}) > 1


def _was_gone_on_with() -> Refused:
    message = "some have gone on with this game without another, so it cannot be continued together any more"
    return Refused(errors_pb2.REASON_GAME_OVER, message)


def _still_running() -> Refused:
    return Refused(
        errors_pb2.REASON_STILL_RUNNING, "the game is still being played at another table; what is hidden must stay so"
    )
