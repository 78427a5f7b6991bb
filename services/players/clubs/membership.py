"""Membership of clubs: joining one, leaving it, and changing roles. The calls."""

from collections.abc import Callable, Mapping
from typing import Any

from sqlalchemy import Connection, Row

from brettwerk.v1 import clubs_pb2 as pb
from brettwerk.v1 import errors_pb2
from services.archive.access import Access
from services.players.accounts import rows
from services.players.calls import Answered, Caller, Handler
from services.players.clubs import club_rows, description, roles
from services.players.clubs.roles import ASKING, INSIDE, MEMBER, NONE, ORGANISER, OWNER, REMOVED
from services.players.opponents import blocks
from services.runtime.refusal import Refused, require_room, unknown
from services.runtime.wall_clock import wall_ms

MAX_MEMBERS, MAX_ASKING = 200, 50
"""Members of a club, and those who ask it."""
MAX_JOINED, MAX_OWN, MAX_ASKED = 20, 5, 10
"""Clubs that a player is in, those that they own, and those that they ask."""


class Membership:
    """The calls. Raises Refused."""

    def __init__(self, store: Access, now_ms: Callable[[], int] = wall_ms) -> None:
        self._store = store
        self._now_ms = now_ms

    def handlers(self) -> Mapping[str, Handler]:
        """Return the handlers by the fields that their calls have in a Call."""
        return {"join_club": self.join, "leave_club": self.leave, "set_club_role": self.set_role}

    async def join(self, request: pb.JoinClubRequest, caller: Caller) -> Answered:
        """Join a club, or ask to; return the club.

        Raises Refused: NO_TOKEN, UNKNOWN, CLUB for those who were removed, BLOCKED for players whom its owner blocks, FULL.
        """
        now_ms = self._now_ms()

        def write(connection: Connection, club: Row[Any], role: int) -> None:
            invited = club_rows.code_is_good(connection, club.club_id, request.code)
            if not invited and not club_rows.is_known_to(club, role):
                raise unknown("club", "club_id", request.club_id)
            if role in INSIDE:
                return
            if role == REMOVED:
                raise club_rows.refused("removed", "an organiser of the club has to allow this player to join again")
            if request.code and not invited:
                raise unknown("link", "code", request.code)
            if blocks.among(connection, [caller.player_id, club_rows.owner_of(connection, club.club_id)]):
                raise Refused(errors_pb2.REASON_BLOCKED, "the owner of the club and this player do not meet")
            if invited or club.entry == pb.Club.ENTRY_OPEN:
                _admit(connection, club.club_id, caller.player_id, caller.name, now_ms)
            elif role != ASKING:
                require_room(club_rows.count_in(connection, club.club_id, (ASKING,)), MAX_ASKING, "asking")
                require_room(club_rows.count_of(connection, caller.player_id, (ASKING,)), MAX_ASKED, "asked_clubs")
                club_rows.set_role(connection, club.club_id, caller.player_id, ASKING, name=caller.name, since_ms=now_ms)

        club = await self._change(request.club_id, caller, write)
        assert club is not None
        return Answered(pb.JoinClubResponse(club=club))

    async def leave(self, request: pb.LeaveClubRequest, caller: Caller) -> Answered:
        """Leave a club, or no longer ask to join it; return an empty answer. Raises Refused (NO_TOKEN)."""

        def write(connection: Connection, club: Row[Any], role: int) -> None:
            if role in INSIDE:
                club_rows.leave(connection, club.club_id, caller.player_id)
            elif role == ASKING:
                club_rows.drop(connection, club.club_id, caller.player_id)

        try:
            await self._change(request.club_id, caller, write)
        except Refused as refused:
            if refused.reason != errors_pb2.REASON_UNKNOWN:  # a repeat: the last member has left
                raise
        return Answered(pb.LeaveClubResponse())

    async def set_role(self, request: pb.SetClubRoleRequest, caller: Caller) -> Answered:
        """Change somebody's role; return the club. Raises Refused: NO_TOKEN, UNKNOWN, CLUB, FULL."""
        now_ms = self._now_ms()

        def write(connection: Connection, club: Row[Any], caller_role: int) -> None:
            club_rows.require_member(connection, club, club.club_id, caller.player_id)
            former = club_rows.role_of(connection, club.club_id, request.player_id)
            if former == request.role:
                return
            if former == NONE or (former not in INSIDE and caller_role not in roles.ORGANISERS):
                raise unknown("member", "player_id", request.player_id)
            is_own = request.player_id == caller.player_id
            if why := roles.objection(caller_role, former, request.role, is_own=is_own):
                raise club_rows.refused(why, "the caller cannot give this player this role")
            self._give(connection, club.club_id, request, caller, former, now_ms)

        club = await self._change(request.club_id, caller, write)
        assert club is not None
        return Answered(pb.SetClubRoleResponse(club=club))

    def _give(
        self, connection: Connection, club_id: str, request: pb.SetClubRoleRequest, caller: Caller, former: int, now_ms: int
    ) -> None:
        """Give a role that may be given."""
        player_id, role = request.player_id, request.role
        if role == NONE:
            club_rows.drop(connection, club_id, player_id)
        elif role == REMOVED:
            club_rows.set_role(connection, club_id, player_id, REMOVED, since_ms=now_ms)
            club_rows.make_room_for_removed(connection, club_id)
        elif former == ASKING:
            _admit(connection, club_id, player_id, "", now_ms)
        else:
            if role == OWNER:
                require_own_room(connection, player_id)
                club_rows.set_role(connection, club_id, caller.player_id, ORGANISER)
            club_rows.set_role(connection, club_id, player_id, role)

    async def _change(self, club_id: str, caller: Caller, write: Callable[[Connection, Row[Any], int], None]) -> pb.Club | None:
        """Change a club that nobody else changes meanwhile; return it as it is then, None where it is gone.

        `write` takes the caller's role.
        """
        caller.require_player()

        def change(connection: Connection) -> pb.Club | None:
            rows.own(connection, caller)
            club = club_rows.hold(connection, club_id)
            write(connection, club, club_rows.role_of(connection, club_id, caller.player_id))
            after = club_rows.find(connection, club_id)
            return None if after is None else description.clubs(connection, [after], caller.player_id)[0]

        return await self._store.run(change)


def require_own_room(connection: Connection, player_id: str) -> None:
    """Return where a player may own one club more. Raises Refused (FULL)."""
    require_room(club_rows.count_of(connection, player_id, (OWNER,)), MAX_OWN, "own_clubs")


def _admit(connection: Connection, club_id: str, player_id: str, name: str, now_ms: int) -> None:
    """Make a member of somebody. Raises Refused (FULL)."""
    require_room(club_rows.count_in(connection, club_id, INSIDE), MAX_MEMBERS, "members")
    require_room(club_rows.count_of(connection, player_id, INSIDE), MAX_JOINED, "joined_clubs")
    club_rows.set_role(connection, club_id, player_id, MEMBER, name=name, since_ms=now_ms)
