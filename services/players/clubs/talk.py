"""The talk of a club: the calls. It has the words, the bounds, the mutes, the blocks and the rates of the talk at tables."""

from collections.abc import Callable, Mapping
from typing import Any

from sqlalchemy import Connection, Row, select, update

from brettwerk.v1 import clubs_pb2 as pb
from brettwerk.v1 import errors_pb2
from services.archive.access import Access
from services.archive.upsert import insert_into
from services.players.accounts import restrictions, rows
from services.players.calls import Answered, Caller, Handler
from services.players.clubs import club_rows
from services.players.clubs.club_rows import LINES
from services.players.clubs.roles import ORGANISERS
from services.players.clubs.tables import CLUB_TALK, CLUBS
from services.players.opponents import blocks
from services.players.request_ids import derived_id
from services.runtime.player_text import talk_text
from services.runtime.refusal import Refused
from services.runtime.restriction import TALK
from services.runtime.token_buckets import Buckets
from services.runtime.wall_clock import wall_ms
from services.runtime.word_list import WordFile

CLUB_PER_S, CLUB_BURST = 1.0, 30.0
"""How many lines all members together may say to a club; each player also has a rate at the gateway."""


class ClubTalk:
    """The calls. Raises Refused."""

    def __init__(
        self, store: Access, words: WordFile, is_on: bool, now_ms: Callable[[], int] = wall_ms, appeal: str = ""
    ) -> None:
        """`words`: those that the operator does not allow; `is_on`: whether there is talk here; `appeal`: where to object."""
        self._store = store
        self._words = words
        self._is_on = is_on
        self._appeal = appeal
        self._now_ms = now_ms
        sentence = "too much is said in this club; the next line is taken"
        self._clubs = Buckets("talk_of_club", CLUB_PER_S, CLUB_BURST, lambda: now_ms() / 1000, sentence)

    def handlers(self) -> Mapping[str, Handler]:
        """Return the handlers by the fields that their calls have in a Call."""
        return {"say_in_club": self.say, "list_club_talk": self.list, "remove_club_line": self.remove}

    async def say(self, request: pb.SayInClubRequest, caller: Caller) -> Answered:
        """Say something in a club, and return the line.

        Raises Refused: NO_TOKEN, TALK_OFF, MALFORMED, WORD_NOT_ALLOWED, RESTRICTED, UNKNOWN, CLUB, TOO_MANY_REQUESTS,
        REQUEST_ID_REUSED.
        """
        caller.require_player()
        if not self._is_on:
            raise Refused(errors_pb2.REASON_TALK_OFF, "talk is turned off on this server")
        text, now_ms = talk_text(request.text), self._now_ms()
        self._words.check(text, "text")
        line_id = derived_id(f"club line\0{request.club_id}", caller.player_id, request.request_id)

        def known(connection: Connection) -> bool:
            rows.own(connection, caller)
            restrictions.check(connection, caller.player_id, TALK, now_ms, self._appeal)
            club_rows.require_member(connection, club_rows.find(connection, request.club_id), request.club_id, caller.player_id)
            return _said(connection, line_id) is not None

        def write(connection: Connection) -> pb.ClubLine:
            club = club_rows.hold(connection, request.club_id)
            club_rows.require_member(connection, club, club.club_id, caller.player_id)
            there = _said(connection, line_id)
            if there is None:
                line = {"line_id": line_id, "player_id": caller.player_id, "name": caller.name, "text": text, "at_ms": now_ms}
                connection.execute(insert_into(connection, CLUB_TALK).values(club_id=club.club_id, **line))
                there = _said(connection, line_id)
                _make_room(connection, club)
            assert there is not None
            if there.text != text:
                raise Refused(errors_pb2.REASON_REQUEST_ID_REUSED, "this request id was used for another line")
            return _line(there)

        # A repeat does not count, and neither do those who are no members.
        if not await self._store.run(known):
            self._clubs.take(request.club_id, 1)
        return Answered(pb.SayInClubResponse(line=await self._store.run(write)))

    async def list(self, request: pb.ListClubTalkRequest, caller: Caller) -> Answered:
        """Return what was said in a club, as far as the caller does not know it. Raises Refused: NO_TOKEN, UNKNOWN, CLUB."""
        caller.require_player()
        if not self._is_on:
            return Answered(pb.ListClubTalkResponse(off=True))

        def read(connection: Connection) -> pb.ListClubTalkResponse:
            rows.own(connection, caller)
            found = club_rows.find(connection, request.club_id)
            club, _ = club_rows.require_member(connection, found, request.club_id, caller.player_id)
            if club.talk_version == request.known_version:
                return pb.ListClubTalkResponse(version=club.talk_version)
            query = select(CLUB_TALK).where(CLUB_TALK.c.club_id == club.club_id).order_by(CLUB_TALK.c.number.desc())
            said = connection.execute(query.limit(LINES)).all()
            pairs = blocks.among(connection, {caller.player_id, *(line.player_id for line in said)})
            unheard = {one for pair in pairs if caller.player_id in pair for one in pair} - {caller.player_id}
            lines = [_line(line) for line in reversed(said) if line.player_id not in unheard]
            return pb.ListClubTalkResponse(version=club.talk_version, lines=lines)

        return Answered(await self._store.run(read))

    async def remove(self, request: pb.RemoveClubLineRequest, caller: Caller) -> Answered:
        """Remove a line; return an empty answer. Raises Refused: NO_TOKEN, UNKNOWN, CLUB for what another has said."""
        caller.require_player()

        def write(connection: Connection) -> None:
            rows.own(connection, caller)
            club = club_rows.hold(connection, request.club_id)
            _, role = club_rows.require_member(connection, club, club.club_id, caller.player_id)
            this = (CLUB_TALK.c.line_id == request.line_id) & (CLUB_TALK.c.club_id == club.club_id)
            said_by = connection.execute(select(CLUB_TALK.c.player_id).where(this)).scalar_one_or_none()
            if said_by not in (None, caller.player_id) and role not in ORGANISERS:
                raise club_rows.refused("not_organiser", "only organisers can remove what others have said")
            club_rows.remove_lines(connection, club.club_id, this)

        await self._store.run(write)
        return Answered(pb.RemoveClubLineResponse())


def _said(connection: Connection, line_id: str) -> Row[Any] | None:
    """Return the line that a request has said, or None."""
    return connection.execute(select(CLUB_TALK).where(CLUB_TALK.c.line_id == line_id)).first()


def _make_room(connection: Connection, club: Row[Any]) -> None:
    """Let the oldest lines make room for a new one, and those who read notice it."""
    mine = CLUB_TALK.c.club_id == club.club_id
    spare = select(CLUB_TALK.c.number).where(mine).order_by(CLUB_TALK.c.number.desc()).offset(LINES).limit(1)
    if (oldest := connection.execute(spare).scalar_one_or_none()) is not None:
        connection.execute(CLUB_TALK.delete().where(mine, CLUB_TALK.c.number <= oldest))
    connection.execute(update(CLUBS).where(CLUBS.c.club_id == club.club_id).values(talk_version=club.talk_version + 1))


def _line(row: Row[Any]) -> pb.ClubLine:
    return pb.ClubLine(id=row.line_id, player_id=row.player_id, name=row.name, text=row.text, at_ms=row.at_ms)
