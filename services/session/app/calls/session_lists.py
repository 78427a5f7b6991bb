"""Lists of sessions: the lobby's, and a player's own, across all shards and on into the archive, and searches of the archive.

A page token names the last session that was shown, by time and id, so a list that changes in the meantime neither repeats nor
skips what stays in it. A search looks at a bounded number of games for each page, and says where it stopped.
"""

import asyncio
import base64
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from google.protobuf.message import Message

from brettwerk.internal.v1 import session_pb2
from brettwerk.v1 import errors_pb2, play_pb2, sessions_pb2, substitutes_pb2
from services.archive.archive import Archive
from services.archive.entry import Cursor, Listed
from services.runtime.places import placed
from services.runtime.refusal import Refused, is_newer, malformed
from services.session.app.calls.calls import MAX_PAGE, cursor_in, page_size
from services.session.domain.commands import access
from services.session.domain.perception import SPECTATOR, delayed, perceived
from services.session.domain.public_session import describe, seats_of, turn_of
from services.session.domain.state import State
from services.session.live.rules_client import Games
from services.session.live.session_cache import SessionCache
from services.session.store.store import Store
from services.sharding.shards import SHARDS

_LOOKS = 20
"""How often a list is searched for sessions of one game before the page is returned incomplete."""
_SEARCH_LOOKS = 5
"""How often a search reads MAX_PAGE archived games for a page."""
_NEWEST = 10**15

_KEYS = {play_pb2.LIST_FILTER_RUNNING: "running", play_pb2.LIST_FILTER_FINISHED: "finished"}
"""The lists of sessions that are not open."""


@dataclass(eq=False, repr=False)
class SessionLists:
    """Lists sessions. Raises Refused."""

    _store: Store
    _session_cache: SessionCache
    _archive: Archive
    _games: Games
    _now_ms: Callable[[], int]

    async def list_sessions(self, request: play_pb2.ListSessionsRequest, caller: session_pb2.Caller) -> Message:
        """Return a page, newest first."""
        mine = request.filter == play_pb2.LIST_FILTER_MINE
        player = access.player(caller) if mine else ""
        unfinished = mine and request.unfinished
        key = f"player:{player}" if mine else _KEYS.get(request.filter, "open")
        size = page_size(request)
        cursor, in_archive = _read(request.page_token)
        response = play_pb2.ListSessionsResponse()
        sessions, turns, now_ms = response.sessions, response.turns, self._now_ms()
        is_at_end = in_archive
        for _ in range(_LOOKS):
            if is_at_end or len(sessions) >= size:
                break
            found = await self._newest(key, cursor, size, playing=player if unfinished else "")
            is_at_end = len(found) < size
            states = await asyncio.gather(*(self._state(place.session_id) for place in found))
            for place, state in zip(found, states, strict=True):
                if len(sessions) < size:
                    cursor = place
                    if state is not None and not state.created.practice and request.game in ("", state.game):
                        session, turn = _shown(state, caller.player_id, now_ms)
                        sessions.append(session)
                        turns.append(turn)
                        if mine and not state.is_over:
                            turns[-1].own.CopyFrom(seats_of(state, player))
        has_archived = (mine and not unfinished) or key == "finished"
        if is_at_end and not in_archive and len(sessions) < size and has_archived:
            in_archive, cursor = True, Cursor(_NEWEST, "~")
        more = not is_at_end or len(sessions) >= size
        if in_archive and len(sessions) < size:
            archived = await self._archived(player, request.game, cursor, size - len(sessions))
            more = len(archived) == size - len(sessions)
            for place, session in archived:
                cursor = place
                sessions.append(session)
                turns.add(at_ms=place.finished_at_ms)
        if more:
            text = f"{'a' if in_archive else 's'}{cursor}"
            response.next_page_token = base64.urlsafe_b64encode(text.encode()).decode()
        elif not sessions:
            await self._require_game(request.game)
        return response

    async def list_open_seats(self, request: substitutes_pb2.ListOpenSeatsRequest, caller: session_pb2.Caller) -> Message:
        """Return a page of games with a seat that is offered, those first in which that came last."""
        size = page_size(request)
        cursor = cursor_in(request.page_token, "this list") if request.page_token else Cursor(_NEWEST, "~")
        response = substitutes_pb2.ListOpenSeatsResponse()
        now_ms, more = self._now_ms(), True
        for _ in range(_LOOKS):
            found = await self._newest("offered", cursor, size)
            states = await asyncio.gather(*(self._state(place.session_id) for place in found))
            for place, state in zip(found, states, strict=True):
                if len(response.sessions) == size:
                    break
                cursor = place
                if state is None or request.game not in ("", state.game):
                    continue
                session, turn = _shown(state, caller.player_id, now_ms)
                if any(seat.HasField("offer") for seat in session.seats):
                    response.sessions.append(session)
                    response.turns.append(turn)
            is_full = len(response.sessions) == size
            more = len(found) == size or (is_full and cursor != found[-1])
            if not more or is_full:
                break
        if more:
            response.next_page_token = str(cursor)
        elif not response.sessions:
            await self._require_game(request.game)
        return response

    async def _newest(self, key: str, before: Cursor, count: int, playing: str = "") -> list[Cursor]:
        """Return the newest entries of a list after `before`, from all shards; with `playing`, this player's unfinished ones."""

        async def in_shard(shard: int) -> list[Cursor]:
            # Those of the same millisecond come again; a few more are requested, so that the page is full without them.
            most = before.finished_at_ms, count + 50
            found = await (self._store.playing(playing, shard) if playing else self._store.listed(key, shard, *most))
            return [place for session_id, score in found if (place := Cursor(score, session_id)) < before]

        shards = await asyncio.gather(*map(in_shard, range(SHARDS)))
        return sorted((place for places in shards for place in places), reverse=True)[:count]

    async def _state(self, session_id: str) -> State | None:
        """Return a session; None if it is gone or not understood, so that the others can still be listed."""
        try:
            return (await self._session_cache.newest(session_id)).state
        except Refused as refused:
            if refused.reason in (errors_pb2.REASON_UNKNOWN, errors_pb2.REASON_RECORD_DAMAGED) or is_newer(refused.refusal):
                return None
            raise

    async def _archived(self, player_id: str, game: str, before: Cursor, count: int) -> list[tuple[Cursor, sessions_pb2.Session]]:
        """Return archived sessions that the store no longer lists."""
        found: list[tuple[Cursor, sessions_pb2.Session]] = []
        for _ in range(_LOOKS):
            if len(found) >= count:
                break
            rows = await self._listed(player_id, game, before)
            live = await asyncio.gather(*(self._store.version(row.session_id) for row in rows))
            for row, version in zip(rows, live, strict=True):
                if len(found) < count:
                    before = row.cursor
                    if version is None:
                        found.append((row.cursor, _archived_session(row.session)))
            if len(rows) < MAX_PAGE:
                break
        return found

    async def search_games(self, request: play_pb2.SearchGamesRequest, caller: session_pb2.Caller) -> Message:
        """Return a page of finished games, newest first. Raises Refused: MALFORMED, UNKNOWN for a game that never was here."""
        size = page_size(request)
        before = _search_start(request)
        response = play_pb2.SearchGamesResponse()
        for _ in range(_SEARCH_LOOKS):
            rows = await self._listed(request.player_id, request.game, before)
            for row in rows:
                if len(response.games) == size:
                    response.next_page_token = str(before)
                    return response
                if row.finished_at_ms < request.since_ms:
                    return response
                before = row.cursor
                if (session := _fitting(row, request, caller)) is not None:
                    found = play_pb2.FoundGame(session=session, finished_at_ms=row.finished_at_ms, cursor=str(row.cursor))
                    response.games.append(found)
            if len(rows) < MAX_PAGE:
                if not rows and not response.games:
                    await self._require_game(request.game)
                return response
        response.next_page_token = str(before)
        return response

    async def _require_game(self, game: str) -> None:
        """Raise Refused (UNKNOWN) for a game that nothing was found of, if there is none of this id.

        Games are found of one that is installed no more, or left out here.
        """
        try:
            if game:
                await self._games.facts(game)
        except Refused as refused:
            if refused.reason == errors_pb2.REASON_UNKNOWN:
                raise

    async def _listed(self, player_id: str, game: str, before: Cursor | None) -> Sequence[Listed]:
        """Return at most MAX_PAGE archived games before a place: a player's, or with an empty id all public ones."""
        if player_id:
            return await self._archive.list_player(player_id, game=game, limit=MAX_PAGE, before=before)
        return await self._archive.list_finished(game=game, limit=MAX_PAGE, before=before)


def _archived_session(data: bytes) -> sessions_pb2.Session:
    """Return a session as it was described when it was archived, with winners and places."""
    session = sessions_pb2.Session.FromString(data)
    if session.HasField("outcome"):
        session.outcome.CopyFrom(placed(session.outcome))
    return session


def _shown(state: State, player: str, now_ms: int) -> tuple[sessions_pb2.Session, sessions_pb2.TurnState]:
    """Return what a list says of a session. Where spectators are told later, others than its players learn of no turn."""
    if state.withheld and not (player and any(seat.player_id == player for seat in state.seats)):
        return describe(delayed(state)), sessions_pb2.TurnState()
    return describe(perceived(state, SPECTATOR)), turn_of(state, now_ms)


def _read(token: str) -> tuple[Cursor, bool]:
    if not token:
        return Cursor(_NEWEST, "~"), False
    try:
        text = base64.urlsafe_b64decode(token.encode()).decode()
        if text[:1] not in ("a", "s"):
            raise ValueError(text)
        return Cursor.parse(text[1:]), text[0] == "a"
    except ValueError:
        raise malformed("page_token", "that is not a token of this list") from None


def _search_start(request: play_pb2.SearchGamesRequest) -> Cursor | None:
    if request.page_token:
        return cursor_in(request.page_token, "this search")
    return Cursor(request.until_ms, "") if request.until_ms > 0 else None


def _fitting(row: Listed, request: play_pb2.SearchGamesRequest, caller: session_pb2.Caller) -> sessions_pb2.Session | None:
    """Return a game's session if it was finished, the caller may have it, and it fits."""
    is_own = bool(caller.player_id) and request.player_id == caller.player_id
    if not row.places or not (row.public or is_own):
        return None
    session = _archived_session(row.session)
    if request.competitive and not session.competitive:
        return None
    return None if request.arena and not session.arena else session
