"""Clubs: the calls about what they are and what they show."""

import hashlib
import re
import secrets
from collections.abc import Callable, Mapping
from typing import Any

from sqlalchemy import Connection, Row, delete, select, update

from brettwerk.v1 import clubs_pb2 as pb
from brettwerk.v1 import errors_pb2
from services.archive.access import Access
from services.archive.upsert import insert_into
from services.players.accounts import rows
from services.players.accounts.names import sought
from services.players.calls import Answered, Caller, Handler
from services.players.clubs import club_rows, description
from services.players.clubs.membership import MAX_JOINED, require_own_room
from services.players.clubs.roles import INSIDE, ORGANISERS, OWNER
from services.players.clubs.tables import CLUB_LINKS, CLUB_TABLES, CLUBS
from services.players.request_ids import derived_id
from services.runtime.player_text import clean_text, talk_text
from services.runtime.refusal import Refused, malformed, require_room, unknown
from services.runtime.wall_clock import wall_ms
from services.runtime.word_list import WordFile

MAX_CLUBS = 10_000
"""Clubs of a server."""
NAME_BYTES = 60
"""The longest name of a club."""
MAX_LINKS, MAX_TABLES = 5, 20
"""Links to a club, and the tables that it shows."""
PAGE = 50
"""Clubs of a page whose size nobody asks for."""
_ENTRIES = (pb.Club.ENTRY_LINK, pb.Club.ENTRY_REQUEST, pb.Club.ENTRY_OPEN)
_SESSION = re.compile(r"[0-9A-Za-z_-]{1,40}", re.ASCII)


class Clubs:
    """The calls. Raises Refused."""

    def __init__(self, store: Access, words: WordFile, now_ms: Callable[[], int] = wall_ms) -> None:
        """`words`: those that the operator does not allow."""
        self._store = store
        self._words = words
        self._now_ms = now_ms

    def handlers(self) -> Mapping[str, Handler]:
        """Return the handlers by the fields that their calls have in a Call."""
        return {
            "create_club": self.create,
            "change_club": self.change,
            "get_club": self.get,
            "list_clubs": self.list,
            "create_club_link": self.create_link,
            "revoke_club_link": self.revoke_link,
            "add_club_table": self.add_table,
            "remove_club_table": self.remove_table,
        }

    async def create(self, request: pb.CreateClubRequest, caller: Caller) -> Answered:
        """Create a club, or find the one of an equal request; return it.

        Raises Refused: NO_TOKEN, MALFORMED, WORD_NOT_ALLOWED, FULL, REQUEST_ID_REUSED.
        """
        caller.require_player()
        digest = hashlib.sha256(request.SerializeToString(deterministic=True)).digest()
        club_id = derived_id("club", caller.player_id, request.request_id)
        about, now_ms = self._about(request), self._now_ms()

        def write(connection: Connection) -> pb.Club:
            rows.own(connection, caller)
            made = {"club_id": club_id, "request": digest, "talk_version": 1, "created_at_ms": now_ms}
            adding = insert_into(connection, CLUBS).values(**made, **about).on_conflict_do_nothing()
            # Not its rowcount, which SQLAlchemy does not tell of an insert into PostgreSQL.
            if connection.execute(
                adding.returning(CLUBS.c.club_id)
            ).first():  # undone with the transaction where there is no room
                require_room(club_rows.count_clubs(connection), MAX_CLUBS + 1, "clubs")
                require_own_room(connection, caller.player_id)
                require_room(club_rows.count_of(connection, caller.player_id, INSIDE), MAX_JOINED, "joined_clubs")
                club_rows.set_role(connection, club_id, caller.player_id, OWNER, name=caller.name, since_ms=now_ms)
            row = club_rows.find(connection, club_id)
            assert row is not None
            if row.request != digest:
                raise Refused(errors_pb2.REASON_REQUEST_ID_REUSED, "this request id was used for another club")
            return description.clubs(connection, [row], caller.player_id)[0]

        return Answered(pb.CreateClubResponse(club=await self._store.run(write)))

    async def change(self, request: pb.ChangeClubRequest, caller: Caller) -> Answered:
        """Change what a club is called, what it is about and how one joins it; return it.

        Raises Refused: NO_TOKEN, MALFORMED, WORD_NOT_ALLOWED, UNKNOWN, CLUB.
        """
        caller.require_player()
        about = self._about(request)

        def write(connection: Connection) -> pb.Club:
            rows.own(connection, caller)
            club = club_rows.hold(connection, request.club_id)
            club_rows.require_organiser(connection, club, caller.player_id)
            connection.execute(update(CLUBS).where(CLUBS.c.club_id == club.club_id).values(**about))
            after = club_rows.find(connection, club.club_id)
            assert after is not None
            return description.clubs(connection, [after], caller.player_id)[0]

        return Answered(pb.ChangeClubResponse(club=await self._store.run(write)))

    async def get(self, request: pb.GetClubRequest, caller: Caller) -> Answered:
        """Return a club, whole for its members. Raises Refused: UNKNOWN, also for who may not know of it, NO_TOKEN."""

        def read(connection: Connection) -> pb.GetClubResponse:
            if caller.player_id:
                rows.own(connection, caller)
            club = club_rows.find(connection, request.club_id)
            role = club_rows.role_of(connection, request.club_id, caller.player_id)
            if club is None or not (
                club_rows.is_known_to(club, role) or club_rows.code_is_good(connection, club.club_id, request.code)
            ):
                raise unknown("club", "club_id", request.club_id)
            return description.whole(connection, club, caller.player_id)

        return Answered(await self._store.run(read))

    async def list(self, request: pb.ListClubsRequest, caller: Caller) -> Answered:
        """Return a page of clubs. Raises Refused: MALFORMED for a page token that no page had, NO_TOKEN for the caller's own."""
        if request.mine:
            caller.require_player()
        size = request.page_size or PAGE

        def read(connection: Connection) -> pb.ListClubsResponse:
            if caller.player_id:
                rows.own(connection, caller)
            after = club_rows.find(connection, request.page_token) if request.page_token else None
            if request.page_token and after is None:
                raise malformed("page_token", "this is not a page token, or its club is gone")
            name = sought(request.name.strip())
            found = club_rows.page(connection, caller.player_id, mine=request.mine, sought_name=name, after=after, limit=size + 1)
            shown = found[:size]
            more = shown[-1].club_id if len(found) > size else ""
            return pb.ListClubsResponse(clubs=description.clubs(connection, shown, caller.player_id), next_page_token=more)

        return Answered(await self._store.run(read))

    async def create_link(self, request: pb.CreateClubLinkRequest, caller: Caller) -> Answered:
        """Create a link to a club, or find the one of an equal request; return it.

        Raises Refused: NO_TOKEN, MALFORMED, UNKNOWN, CLUB, FULL.
        """
        caller.require_player()
        link_id = derived_id(f"club link\0{request.club_id}", caller.player_id, request.request_id)
        now_ms = self._now_ms()

        def write(connection: Connection) -> pb.ClubLink:
            rows.own(connection, caller)
            club = club_rows.hold(connection, request.club_id)
            club_rows.require_organiser(connection, club, caller.player_id)
            there = club_rows.links(connection, club.club_id)
            link = next((one for one in there if one.link_id == link_id), None)
            if link is not None:
                return pb.ClubLink(code=link.code, created_at_ms=link.created_at_ms)
            require_room(len(there), MAX_LINKS, "links")
            code = secrets.token_urlsafe(16)
            made = {"code": code, "club_id": club.club_id, "link_id": link_id, "created_at_ms": now_ms}
            connection.execute(CLUB_LINKS.insert().values(**made))
            return pb.ClubLink(code=code, created_at_ms=now_ms)

        return Answered(pb.CreateClubLinkResponse(link=await self._store.run(write)))

    async def revoke_link(self, request: pb.RevokeClubLinkRequest, caller: Caller) -> Answered:
        """Revoke a link to a club; return an empty answer. Raises Refused: NO_TOKEN, UNKNOWN, CLUB."""

        def write(connection: Connection, club: Row[Any]) -> None:
            club_rows.require_organiser(connection, club, caller.player_id)
            this = (CLUB_LINKS.c.code == request.code) & (CLUB_LINKS.c.club_id == club.club_id)
            connection.execute(delete(CLUB_LINKS).where(this))

        await self._change(request.club_id, caller, write)
        return Answered(pb.RevokeClubLinkResponse())

    async def add_table(self, request: pb.AddClubTableRequest, caller: Caller) -> Answered:
        """Show a table to the members of a club; return an empty answer. Raises Refused: NO_TOKEN, MALFORMED, UNKNOWN, CLUB."""
        if not _SESSION.fullmatch(request.session_id):
            raise malformed("session_id", f'"{request.session_id}" is not the id of a session')
        now_ms = self._now_ms()

        def write(connection: Connection, club: Row[Any]) -> None:
            club_rows.require_member(connection, club, club.club_id, caller.player_id)
            row = {"club_id": club.club_id, "session_id": request.session_id, "at_ms": now_ms}
            shown = insert_into(connection, CLUB_TABLES).values(**row, player_id=caller.player_id, name=caller.name)
            connection.execute(shown.on_conflict_do_nothing())
            mine = CLUB_TABLES.c.club_id == club.club_id
            order = (CLUB_TABLES.c.at_ms.desc(), CLUB_TABLES.c.session_id)
            oldest = select(CLUB_TABLES.c.session_id).where(mine).order_by(*order).offset(MAX_TABLES).limit(MAX_TABLES)
            spare = connection.execute(oldest).scalars().all()
            connection.execute(delete(CLUB_TABLES).where(mine, CLUB_TABLES.c.session_id.in_(spare)))

        await self._change(request.club_id, caller, write)
        return Answered(pb.AddClubTableResponse())

    async def remove_table(self, request: pb.RemoveClubTableRequest, caller: Caller) -> Answered:
        """Show a table no longer; return an empty answer. Raises Refused: NO_TOKEN, UNKNOWN, CLUB for another's table."""

        def write(connection: Connection, club: Row[Any]) -> None:
            _, role = club_rows.require_member(connection, club, club.club_id, caller.player_id)
            this = (CLUB_TABLES.c.club_id == club.club_id) & (CLUB_TABLES.c.session_id == request.session_id)
            added_by = connection.execute(select(CLUB_TABLES.c.player_id).where(this)).scalar_one_or_none()
            if added_by not in (None, caller.player_id) and role not in ORGANISERS:
                raise club_rows.refused("not_organiser", "only organisers can remove what others have added")
            connection.execute(delete(CLUB_TABLES).where(this))

        await self._change(request.club_id, caller, write)
        return Answered(pb.RemoveClubTableResponse())

    async def _change(self, club_id: str, caller: Caller, write: Callable[[Connection, Row[Any]], None]) -> None:
        """Change a club that nobody else changes meanwhile."""
        caller.require_player()

        def change(connection: Connection) -> None:
            rows.own(connection, caller)
            write(connection, club_rows.hold(connection, club_id))

        await self._store.run(change)

    def _about(self, request: pb.CreateClubRequest | pb.ChangeClubRequest) -> dict[str, object]:
        """Return what a club is called, what it is about and how one joins it. Raises Refused (MALFORMED, WORD_NOT_ALLOWED)."""
        name = clean_text(request.name, "name", NAME_BYTES)
        about = talk_text(request.description, "description", may_be_empty=True)
        entry = request.entry or pb.Club.ENTRY_LINK
        if entry not in _ENTRIES:
            raise malformed("entry", "a club is joined by link, by asking or at once")
        self._words.check(name, "name")
        self._words.check(about, "description")
        return {"name": name, "sought": sought(name), "description": about, "entry": entry}
