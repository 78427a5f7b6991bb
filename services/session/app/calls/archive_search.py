"""Searches finished games in the archive, for those who want many of them: public ones, or a player's own.

A search looks at a bounded number of games for each page, and says where it stopped. Whoever goes on from there misses
nothing and gets nothing twice, also when other games end in between.
"""

from collections.abc import Sequence

from brettwerk.internal.v1 import session_pb2
from brettwerk.v1 import play_pb2, sessions_pb2
from services.archive.archive import Archive
from services.archive.entry import Cursor, Listed
from services.runtime.places import placed
from services.runtime.refusal import malformed
from services.session.app.calls.rows import Rows, of_caller

_PAGE, _MAX_PAGE = 20, 100
_LOOKED_AT = 100
"""Games that are read at a time."""
_LOOKS = 5
"""How often that is done for a page."""


class ArchiveSearch:
    """Searches. Raises Refused."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive

    @property
    def rows(self) -> Rows:
        """What it answers."""
        return {
            "search_games": of_caller(self.search),
        }

    async def search(self, request: play_pb2.SearchGamesRequest, caller: session_pb2.Caller) -> play_pb2.Answer:
        """Return a page, newest first. Raises Refused (MALFORMED) for a page token that is none."""
        size = min(request.page_size or _PAGE, _MAX_PAGE)
        before = _read(request)
        response = play_pb2.SearchGamesResponse()
        for _ in range(_LOOKS):
            rows = await self._rows(request, before)
            for row in rows:
                if len(response.games) == size:
                    response.next_page_token = str(before)
                    return play_pb2.Answer(search_games=response)
                if row.finished_at_ms < request.since_ms:
                    return play_pb2.Answer(search_games=response)
                before = row.cursor
                if (session := _fitting(row, request, caller)) is not None:
                    found = play_pb2.FoundGame(session=session, finished_at_ms=row.finished_at_ms, cursor=str(row.cursor))
                    response.games.append(found)
            if len(rows) < _LOOKED_AT:
                return play_pb2.Answer(search_games=response)
        response.next_page_token = str(before)
        return play_pb2.Answer(search_games=response)

    async def _rows(self, request: play_pb2.SearchGamesRequest, before: Cursor | None) -> Sequence[Listed]:
        if request.player_id:
            return await self._archive.list_player(request.player_id, game=request.game, limit=_LOOKED_AT, before=before)
        return await self._archive.list_finished(game=request.game, limit=_LOOKED_AT, before=before)


def _read(request: play_pb2.SearchGamesRequest) -> Cursor | None:
    """Return where the search begins."""
    if request.page_token:
        try:
            return Cursor.parse(request.page_token)
        except ValueError:
            raise malformed("page_token", "that is not a token of this search") from None
    return Cursor(request.until_ms, "") if request.until_ms > 0 else None


def _fitting(row: Listed, request: play_pb2.SearchGamesRequest, caller: session_pb2.Caller) -> sessions_pb2.Session | None:
    """Return a game's session if it was finished, the caller may have it, and it fits."""
    is_own = bool(caller.player_id) and request.player_id == caller.player_id
    if not row.places or not (row.public or is_own):
        return None
    session = sessions_pb2.Session.FromString(row.session)
    if request.competitive and not session.competitive:
        return None
    if request.arena and not session.arena:
        return None
    if session.HasField("outcome"):
        session.outcome.CopyFrom(placed(session.outcome))
    return session
