"""Takes the reports of players: from them, with what can be seen of it now, and from the archive, where lines of tables are."""

from collections.abc import Callable, Mapping

from sqlalchemy import Connection, select

from brettwerk.v1 import moderation_pb2, sessions_pb2
from services.archive.access import Access
from services.archive.talk_reports import TalkReports
from services.players.accounts import rows
from services.players.accounts.names import names_of
from services.players.calls import Answered, Caller, Handler
from services.players.clubs import club_rows
from services.players.clubs.tables import CLUB_TALK
from services.players.moderation import report_rows
from services.players.moderation.report_rows import Filed
from services.players.opponents.sessions import Sessions
from services.runtime import metrics
from services.runtime.player_text import talk_text
from services.runtime.refusal import malformed, unknown
from services.runtime.wall_clock import wall_ms

CONTEXT_LINES = 10
"""How many lines before a reported one are kept."""
_AT_ONCE, _AGAIN = 500, 50
"""How many lines are taken from the archive at a time, and how many of the newest are looked at again."""
PLAYER, TABLE, NAME, CLUB, CLUB_LINE = (
    moderation_pb2.REPORT_KIND_PLAYER,
    moderation_pb2.REPORT_KIND_TABLE,
    moderation_pb2.REPORT_KIND_NAME,
    moderation_pb2.REPORT_KIND_CLUB,
    moderation_pb2.REPORT_KIND_CLUB_LINE,
)


class Reports:
    """The call of players, and what brings lines of tables here. Raises Refused."""

    def __init__(self, store: Access, talk: TalkReports, sessions: Sessions, now_ms: Callable[[], int] = wall_ms) -> None:
        """`talk`: the lines that were reported at tables; `sessions`: tells what everybody may see of a table."""
        self._store = store
        self._talk = talk
        self._sessions = sessions
        self._now_ms = now_ms

    def handlers(self) -> Mapping[str, Handler]:
        """Return the handlers by the fields that their calls have in a Call."""
        return {"file_report": self.file}

    async def file(self, request: moderation_pb2.FileReportRequest, caller: Caller) -> Answered:
        """Keep a report with what it is about; return an empty answer.

        Raises Refused: NO_TOKEN, MALFORMED for a kind of report that is not taken here, UNKNOWN for what the caller cannot see.
        """
        caller.require_player()
        comment = talk_text(request.comment, "comment", may_be_empty=True)
        now_ms = self._now_ms()
        session: sessions_pb2.Session | None = None
        if request.session_id and request.kind in (PLAYER, NAME, TABLE):
            session = await self._sessions.shown(request.session_id)

        def write(connection: Connection) -> bool:
            rows.own(connection, caller)
            about = _about(connection, request, caller, session)
            if about.get("player_id") == caller.player_id:
                raise malformed("player_id", "players do not report themselves")
            filed = Filed(request.kind, caller.player_id, now_ms, comment=comment, **about)  # type: ignore[arg-type]
            return report_rows.keep(connection, filed)

        if await self._store.run(write):
            metrics.REPORTS.labels(moderation_pb2.ReportKind.Name(request.kind).removeprefix("REPORT_KIND_").lower()).inc()
        return Answered(moderation_pb2.FileReportResponse())

    async def take_from_archive(self) -> None:
        """Take what players have reported at tables since last time. Raises Refused (UNAVAILABLE)."""
        since_ms = await self._store.run(report_rows.taken_until_ms)
        fresh = await self._talk.since(since_ms, _AT_ONCE)
        if not fresh:
            return
        # The newest once more: transactions may become visible in another order.
        found = [*await self._talk.list(_AGAIN), *fresh]

        def write(connection: Connection) -> None:
            for one in found:
                report_rows.keep(connection, report_rows.of_talk(one))
            report_rows.note_taken(connection, max(one.reported_at_ms for one in fresh))

        await self._store.run(write)


def _about(
    connection: Connection, request: moderation_pb2.FileReportRequest, caller: Caller, session: sessions_pb2.Session | None
) -> dict[str, object]:
    """Return what a report says of its subject. Raises Refused (MALFORMED, UNKNOWN, CLUB)."""
    match request.kind:
        case moderation_pb2.REPORT_KIND_PLAYER | moderation_pb2.REPORT_KIND_NAME:
            return _of_player(connection, request, session)
        case moderation_pb2.REPORT_KIND_TABLE:
            return _of_table(session)
        case moderation_pb2.REPORT_KIND_CLUB:
            return _of_club(connection, request.club_id, caller)
        case moderation_pb2.REPORT_KIND_CLUB_LINE:
            return _of_line(connection, request, caller)
    raise malformed("kind", "a report is about a player, a table, a name, a club or a line in one")


def _of_player(
    connection: Connection, request: moderation_pb2.FileReportRequest, session: sessions_pb2.Session | None
) -> dict[str, object]:
    seated = {} if session is None else _people(session)
    name = seated.get(request.player_id) or names_of(connection, [request.player_id]).get(request.player_id)
    if not request.player_id or name is None:
        raise unknown("player", "player_id", request.player_id)
    said = {"said": name} if request.kind == NAME else {}
    return {"player_id": request.player_id, "name": name, **said, **({} if session is None else _at(session))}


def _of_table(session: sessions_pb2.Session | None) -> dict[str, object]:
    if session is None:
        raise malformed("session_id", "a report of a table needs one")
    people = _people(session)
    only = next(iter(people.items())) if len(people) == 1 else ("", "")
    return {"player_id": only[0], "name": only[1], "said": session.title, **_at(session)}


def _of_club(connection: Connection, club_id: str, caller: Caller) -> dict[str, object]:
    club = club_rows.find(connection, club_id)
    if club is None or not club_rows.is_known_to(club, club_rows.role_of(connection, club_id, caller.player_id)):
        raise unknown("club", "club_id", club_id)
    owner = club_rows.owner_of(connection, club_id)
    name = names_of(connection, [owner]).get(owner, "")
    context = (club.description,) if club.description else ()
    return {"player_id": owner, "name": name, "club_id": club_id, "said": club.name, "context": context}


def _of_line(connection: Connection, request: moderation_pb2.FileReportRequest, caller: Caller) -> dict[str, object]:
    found = club_rows.find(connection, request.club_id)
    club, _ = club_rows.require_member(connection, found, request.club_id, caller.player_id)
    mine = CLUB_TALK.c.club_id == club.club_id
    line = connection.execute(select(CLUB_TALK).where(mine, CLUB_TALK.c.line_id == request.line_id)).first()
    if line is None:
        raise unknown("line", "line_id", request.line_id)
    earlier = select(CLUB_TALK).where(mine, CLUB_TALK.c.number < line.number).order_by(CLUB_TALK.c.number.desc())
    before = connection.execute(earlier.limit(CONTEXT_LINES)).all()
    said = {"said": line.text, "said_at_ms": line.at_ms, "room": "club", "line_id": line.line_id}
    context = tuple(f"{one.name}: {one.text}" for one in reversed(before))
    return {"player_id": line.player_id, "name": line.name, "club_id": club.club_id, "context": context, **said}


def _people(session: sessions_pb2.Session) -> dict[str, str]:
    """Return the people who sit at a table, by their ids."""
    found = (seat.occupant.person for seat in session.seats if seat.occupant.HasField("person"))
    return {person.player_id: person.name for person in found if person.player_id}


def _at(session: sessions_pb2.Session) -> dict[str, object]:
    """Return what everybody sees of a table: names in its seats, and how far it is."""
    context = tuple(
        f"{place + 1}: {seat.occupant.person.name}"
        for place, seat in enumerate(session.seats)
        if seat.occupant.HasField("person")
    )
    return {"session_id": session.id, "game": session.game, "version": session.version, "context": context}
