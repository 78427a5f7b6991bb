"""Saved games on the server: a player saves for everybody who plays, so that nobody has a save that the others lack.

If things are hidden, that goes for files, too: exporting one puts the same save into the others' lists (WEC-ONLINE-3).
"""

import asyncio
from collections.abc import Callable, Sequence

from brettwerk.internal.v1 import session_pb2
from brettwerk.v1 import errors_pb2, play_pb2, record_pb2, sessions_pb2
from services.archive.entry import Cursor
from services.archive.saved_games import Saved, SavedGames
from services.runtime.player_text import TITLE_BYTES, clean_text
from services.runtime.refusal import Refused, malformed, unknown
from services.runtime.seats import complete
from services.session.app.calls.calls import Rows, of_caller, of_request
from services.session.app.calls.saves import Saves
from services.session.domain.commands import access
from services.session.domain.fair_play import REPLACED, holders_of
from services.session.domain.ids import checked
from services.session.domain.perception import SPECTATOR, perceived
from services.session.domain.state import State
from services.session.live.rebuilds import Rebuilds
from services.session.live.rules_client import Games

_PAGE = 20
_MAX_PAGE = 100


class ServerSaves:
    """Keeps, lists and finds saved games. Raises Refused."""

    def __init__(self, saved: SavedGames, saves: Saves, rebuilds: Rebuilds, games: Games, now_ms: Callable[[], int]) -> None:
        self._saved = saved
        self.saves = saves
        """What opens the records that are found."""
        self._rebuilds = rebuilds
        self._games = games
        self._now_ms = now_ms

    @property
    def rows(self) -> Rows:
        """What it answers."""
        return {
            "export_session": of_request(self.export),
            "save_session": of_request(self.save),
            "list_saves": of_caller(self.list),
            "delete_save": of_caller(self.delete),
        }

    async def save(self, request: play_pb2.SaveSessionRequest) -> play_pb2.Answer:
        """Save a running game for everybody who plays in it."""
        name = clean_text(request.name, "name", TITLE_BYTES, may_be_empty=True)
        state = await self._rebuilds.live(checked(request.session_id))
        if state is None:
            raise unknown("session")
        seat = access.holder(state, request.seat_token)
        access.not_over(state)
        if not state.has_begun:
            raise Refused(errors_pb2.REASON_NOT_RUNNING, "there is nothing to save before the game has begun")
        record, entries = await self.saves.record(state)
        saved = await self._keep(state, seat, record, entries, name)
        return play_pb2.Answer(save_session=play_pb2.SaveSessionResponse(saved=saved))

    async def export(self, request: play_pb2.ExportSessionRequest) -> play_pb2.Answer:
        """Return a session as a record or a text; that of a running game with hidden things appears in the others' lists, too."""
        state, archived = await self._rebuilds.state(checked(request.session_id))
        seat = None if archived else access.viewer(state, request.seat_token)
        if request.as_text:
            text = await self.saves.text(state)
            return play_pb2.Answer(export_session=play_pb2.ExportSessionResponse(text=text))
        record, entries = await self.saves.record(state)
        if seat is not None and state.has_begun and not state.is_over and await self._games.hides(state.game):
            await self._keep(state, seat, record, entries)
        await asyncio.to_thread(complete, record)
        return play_pb2.Answer(export_session=play_pb2.ExportSessionResponse(record=record))

    async def list(self, request: play_pb2.ListSavesRequest, caller: session_pb2.Caller) -> play_pb2.Answer:
        """Return a page of the caller's saved games, newest first."""
        before: Cursor | None = None
        if request.page_token:
            try:
                before = Cursor.parse(request.page_token)
            except ValueError:
                raise malformed("page_token", "that is not a token of this list") from None
        size = min(request.page_size or _PAGE, _MAX_PAGE)
        rows = await self._saved.list_player(access.player(caller), game=request.game, limit=size, before=before)
        response = play_pb2.ListSavesResponse(saves=[play_pb2.SavedGame.FromString(row.summary) for row in rows])
        if len(rows) == size:
            response.next_page_token = str(rows[-1].cursor)
        return play_pb2.Answer(list_saves=response)

    async def delete(self, request: play_pb2.DeleteSaveRequest, caller: session_pb2.Caller) -> play_pb2.Answer:
        """Take a saved game off the caller's list."""
        await self._saved.forget(access.player(caller), request.save_id)
        return play_pb2.Answer(delete_save=play_pb2.DeleteSaveResponse())

    async def find(self, save_id: str, player: str) -> record_pb2.Record:
        """Return the record of a saved game in a player's list. Raises Refused (UNKNOWN) for any other."""
        found = await self._saved.find(player, save_id)
        if found is None:
            raise unknown("save")
        return await asyncio.to_thread(record_pb2.Record.FromString, found)

    async def _keep(
        self, state: State, seat: int, record: record_pb2.Record, entries: Sequence[record_pb2.Entry], name: str = ""
    ) -> play_pb2.SavedGame:
        """Keep a record for everybody who has a seat in it. Raises Refused (FULL) if it is too large."""
        holders = holders_of(entries)
        occupant = state.seats[seat].occupant
        assert occupant is not None, "whoever has a seat's token sits there"
        saved = play_pb2.SavedGame(
            # As spectators count: a save must not reveal whether something was done unseen since the previous one.
            id=f"{state.id}.{perceived(state, SPECTATOR).version}",
            game=state.game,
            name=name,
            title=state.created.title,
            session_id=state.id,
            saved_at_ms=self._now_ms(),
            saved_by=occupant.person,
            seats=[sessions_pb2.Seat(occupant=each.occupant, kept_for=each.kept_for) for each in state.seats],
            held_by=["" if holder == REPLACED else holder for holder in holders],
            competitive=state.created.competitive,
            bound=not record.entries,
        )
        kept = Saved(
            save_id=saved.id,
            session_id=state.id,
            game=state.game,
            saved_by=occupant.person.player_id,
            players=tuple(sorted({*holders, occupant.person.player_id} - {"", REPLACED})),
            saved_at_ms=saved.saved_at_ms,
            summary=saved.SerializeToString(deterministic=True),
            record=await asyncio.to_thread(record.SerializeToString, deterministic=True),
        )
        if not await self._saved.keep(kept):
            raise Refused(errors_pb2.REASON_FULL, "the game is too long to be saved on the server", details={"bound": "save"})
        return saved
