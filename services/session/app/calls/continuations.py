"""Saved games that go on, and where those with hidden things do: at one table at a time, by those who played it (WEC-ONLINE-3).

Players who go on without another player will see, at the latest at the end, what that player hid. So once some have gone on
without another, the game can no longer be continued together, and while several people play it, nobody goes on with it alone.
What some play without another is a separate game, whose saves are theirs. All sessions of a game, and of those that follow from
it, are in the shard where it began, and its owner opens one save at a time, so nothing happens in between.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

from google.protobuf.message import Message

from brettwerk.internal.v1 import session_pb2
from brettwerk.v1 import errors_pb2, play_pb2, record_pb2
from services.runtime.refusal import Refused, malformed
from services.session.app.calls.blocks import Blocks
from services.session.app.calls.creation import NewSessions
from services.session.app.calls.saves import Saves, is_shared
from services.session.domain.bounds import TABLES_PER_GAME
from services.session.domain.commands import access, creation
from services.session.domain.commands.decision import answer_with_session
from services.session.domain.commands.seats import take_kept_seats
from services.session.domain.fair_play import REPLACED
from services.session.domain.ids import Request, derived_id
from services.session.live.rebuilds import Rebuilds
from services.session.live.rules_client import Games
from services.session.live.writer import Writer
from services.sharding.shards import SHARDS, shard_of

_GAMES = 16
"""The maximum number of games, each continued from the previous one, that are followed."""


class Continuations:
    """Finds out where. Raises Refused."""

    def __init__(self, rebuilds: Rebuilds, id_key: bytes) -> None:
        self._rebuilds = rebuilds
        self._id_key = id_key
        self._turns = tuple(asyncio.Lock() for _ in range(SHARDS))

    def turn(self, game_id: str) -> asyncio.Lock:
        """Return what keeps everybody else from opening a save of the game in the meantime."""
        return self._turns[shard_of(game_id)]

    def default_id(self, game_id: str, player: str, request_id: str) -> str:
        """Return the id of the session that a request creates if every request for it would create the same one."""
        return derived_id(self._id_key, "session", player, request_id, shard=shard_of(game_id))

    def without_id(self, game_id: str) -> str:
        """Return the id of the first session in which somebody goes on without another player."""
        return derived_id(self._id_key, "without", game_id, shard=shard_of(game_id))

    async def together(self, saved_from: record_pb2.SavedFrom) -> tuple[str, bool]:
        """Return the session in which a game is continued together, and whether somebody else has opened it from the same save.

        Raises Refused: STILL_RUNNING while it is played elsewhere, GAME_OVER when somebody has gone on without another, FULL.
        """
        if await self._rebuilds.is_known(self.without_id(saved_from.game_id)):
            raise _was_gone_on_with()
        newest, following = await self._tables(saved_from.game_id)
        state = await self._rebuilds.live(newest) if newest else None
        if state is not None and not state.is_over:
            if state.created.saved_from == saved_from:
                return newest, True
            raise _still_running()
        await self._nobody_plays(saved_from)
        if not following:
            raise Refused(errors_pb2.REASON_FULL, f"a game can be continued together at most {TABLES_PER_GAME} times")
        return following, False

    async def without(self, saved_from: record_pb2.SavedFrom, player: str, request_id: str, *, is_alone: bool) -> str:
        """Return the session in which a player goes on without another one, alone or with some: once, then with their own saves.

        Raises Refused: STILL_RUNNING while several play the game elsewhere, GAME_OVER.
        """
        await self._nobody_plays(saved_from)
        first = self.without_id(saved_from.game_id)
        if not await self._rebuilds.is_known(first):
            await self._nobody_plays_on(saved_from.game_id)
            return first
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
        return self.default_id(saved_from.game_id, player, request_id)

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


@dataclass(eq=False, repr=False)
class Imports:
    """Creates the sessions in which records go on. Raises Refused."""

    _new_sessions: NewSessions
    _continuations: Continuations
    _games: Games
    _saves: Saves
    _writer: Writer
    _blocks: Blocks

    async def import_session(self, asked: play_pb2.ImportSessionRequest, caller: session_pb2.Caller, request: Request) -> Message:
        """Create a session that continues a record, and return it. Raises Refused: MALFORMED, and as `Saves.open` does."""
        access.player(caller)
        if asked.save_id and asked.HasField("record"):
            raise malformed("save_id", "give either a record or a saved game from the list")
        record = await self._saves.find(asked.save_id, caller.player_id) if asked.save_id else asked.record
        if game_id := await self._saves.game_of(record):
            new_id = self._new_sessions.owned(self._continuations.default_id(game_id, caller.player_id, asked.request_id))
        else:
            new_id = self._new_sessions.id(caller.player_id, asked.request_id)
        save = await self._saves.open(record, caller)
        if save.saved_from is not None:
            return await self._reopen(save, save.saved_from, asked, new_id, caller, request)
        plan = await self._continued(save, asked.seats, caller, public=asked.public)
        return await self._new_sessions.found(new_id, plan, caller, request, _imported, is_replayed=True)

    async def _reopen(
        self,
        save: creation.Save,
        saved_from: record_pb2.SavedFrom,
        asked: play_pb2.ImportSessionRequest,
        new_id: str,
        caller: session_pb2.Caller,
        request: Request,
    ) -> Message:
        """Create a session that continues a game with hidden things, or seat the caller in the existing one."""
        player, game_id = caller.player_id, saved_from.game_id
        seats = creation.seating(asked.seats, player, saved_from.held_by, save.occupants, competitive=save.created.competitive)
        await self._blocks.check(player, seats.kept_for)
        if seats.is_without:
            save = replace(save, saved_from=record_pb2.SavedFrom(held_by=seats.held_by))
        plan = await self._continued(save, seats.wishes, caller, kept_for=seats.kept_for, public=asked.public)
        if not is_shared(saved_from, player):
            return await self._new_sessions.found(new_id, plan, caller, request, _imported, is_replayed=True)
        async with self._continuations.turn(game_id):
            if seats.is_without:
                for known in (self._continuations.without_id(game_id), new_id):
                    repeated = await self._writer.repeated(known, request)
                    if repeated is not None:
                        return repeated
                is_alone = not seats.is_with_others
                new_id = await self._continuations.without(saved_from, player, asked.request_id, is_alone=is_alone)
            else:
                new_id, is_there = await self._continuations.together(saved_from)
                if is_there:
                    return await self._writer.answer(new_id, take_kept_seats(caller, _imported), request)
            return await self._new_sessions.found(new_id, plan, caller, request, _imported, is_replayed=True)

    async def _continued(
        self,
        save: creation.Save,
        wishes: Sequence[play_pb2.SeatWish],
        caller: session_pb2.Caller,
        *,
        kept_for: Sequence[str] = (),
        public: bool,
    ) -> creation.Plan:
        bound = save.saved_from
        if bound is not None and not is_shared(bound, caller.player_id) and not save.created.competitive:
            save = replace(save, saved_from=None)  # it belongs to the caller alone
        facts, draw = await self._games.facts(save.created.game), self._new_sessions.secret
        return creation.continued(save, wishes, caller, facts, draw, public=public, kept_for=kept_for)


_imported = answer_with_session("import_session")
