"""Reports in SQL: kept, listed and decided. In a transaction. Bounded in number, size and age; the oldest make room."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, Row, delete, func, select, true, tuple_, update

from brettwerk.v1 import moderation_pb2
from services.archive.talk_reports import Report as TalkReport
from services.archive.upsert import insert_into
from services.players.moderation import acts
from services.players.moderation.tables import MARKS, REPORTS
from services.runtime.player_text import NAME_BYTES, shown_text

MAX_REPORTS = 5_000
"""Reports that are kept in all."""
PER_REPORTER = 50
"""Reports of one player that are kept, so that nobody pushes out others'."""
KEPT_MS = 180 * 86_400_000
"""How long a report is kept."""
_TAKEN = "reports"
_LINE_BYTES = 400


@dataclass(frozen=True, slots=True)
class Filed:
    """A new report."""

    kind: moderation_pb2.ReportKind.ValueType
    reporter_id: str
    reported_at_ms: int
    player_id: str = ""
    name: str = ""
    session_id: str = ""
    game: str = ""
    version: int = 0
    club_id: str = ""
    said: str = field(default="", repr=False)
    said_at_ms: int = 0
    room: str = ""
    context: tuple[str, ...] = field(default=(), repr=False)
    comment: str = field(default="", repr=False)
    line_id: str = ""

    @property
    def matter(self) -> str:
        """The same for all reports of the same thing."""
        about = (str(self.kind), self.player_id, self.session_id, self.club_id, self.line_id, "" if self.line_id else self.said)
        return hashlib.sha256("\0".join(about).encode()).hexdigest()[:32]

    @property
    def report_id(self) -> str:
        """The id, which a repeat at the same time has, too."""
        named = f"{self.matter}\0{self.reporter_id}\0{self.reported_at_ms}"
        return hashlib.sha256(named.encode()).hexdigest()[:32]


def of_talk(report: TalkReport) -> Filed:
    """Return what the archive has kept of a line that was said at a table."""
    return Filed(
        kind=moderation_pb2.REPORT_KIND_TALK,
        reporter_id=report.reporter_id,
        reported_at_ms=report.reported_at_ms,
        player_id=report.player_id,
        name=shown_text(report.name, NAME_BYTES),
        session_id=report.session_id,
        game=report.game,
        said=report.said,
        said_at_ms=report.said_at_ms,
        room=report.room,
        context=report.before,
        comment=report.comment,
        line_id=report.line_id,
    )


def keep(connection: Connection, report: Filed) -> bool:
    """Keep a report. Returns whether it is new: what somebody has reported before, and is still open, counts once."""
    there = (REPORTS.c.matter == report.matter) & (REPORTS.c.reporter_id == report.reporter_id) & (REPORTS.c.act == 0)
    if connection.execute(select(REPORTS.c.report_id).where(there)).first() is not None:
        return False
    columns = [column.name for column in REPORTS.columns if column.name not in ("act", "decided_at_ms")]
    row = {name: getattr(report, name) for name in columns}
    row["context"] = [cut(line) for line in report.context]
    row["said"] = cut(report.said)
    adding = insert_into(connection, REPORTS).values(row).on_conflict_do_nothing()
    if connection.execute(adding).rowcount != 1:
        return False
    at = REPORTS.c.reported_at_ms
    for bound, whose in ((PER_REPORTER, REPORTS.c.reporter_id == report.reporter_id), (MAX_REPORTS, true())):
        oldest = connection.execute(select(at).where(whose).order_by(at.desc()).offset(bound).limit(1)).scalar_one_or_none()
        if oldest is not None:
            connection.execute(delete(REPORTS).where(whose, at <= oldest))
    return True


def cut(line: str) -> str:
    """Return a line of context, cut to what is kept of it."""
    return line.encode()[:_LINE_BYTES].decode(errors="ignore")


def find(connection: Connection, report_id: str) -> Row[Any] | None:
    """Return a report, or None."""
    return connection.execute(select(REPORTS).where(REPORTS.c.report_id == report_id)).first()


def decide(connection: Connection, report_id: str, act: int, now_ms: int) -> bool:
    """Note the act that decides an open report. Returns whether it was open: one caller decides it, whoever is faster."""
    still = (REPORTS.c.report_id == report_id) & (REPORTS.c.act == 0)
    return connection.execute(update(REPORTS).where(still).values(act=act, decided_at_ms=now_ms)).rowcount == 1


def note_decision(connection: Connection, report_id: str, act: int) -> None:
    """Note which act it was that has decided a report."""
    connection.execute(update(REPORTS).where(REPORTS.c.report_id == report_id).values(act=act))


def decide_others(connection: Connection, matter: str, act: int, now_ms: int) -> Sequence[Row[Any]]:
    """Note the same act for all open reports of the same thing. Returns them."""
    still = (REPORTS.c.matter == matter) & (REPORTS.c.act == 0)
    deciding = update(REPORTS).where(still).values(act=act, decided_at_ms=now_ms)
    return connection.execute(deciding.returning(REPORTS.c.report_id, REPORTS.c.reporter_id)).all()


def count_open(connection: Connection) -> int:
    """Return how many reports nobody has decided."""
    return int(connection.execute(select(func.count()).where(REPORTS.c.act == 0)).scalar_one())


def listed(
    connection: Connection, *, decided: bool, player_id: str, after: tuple[int, str] | None, limit: int
) -> Sequence[Row[Any]]:
    """Return a page: open ones oldest first, or decided ones by when they were, newest first."""
    order = (REPORTS.c.decided_at_ms if decided else REPORTS.c.reported_at_ms), REPORTS.c.report_id
    query = select(REPORTS).where(REPORTS.c.act > 0 if decided else REPORTS.c.act == 0).limit(limit)
    query = query.order_by(*(column.desc() if decided else column for column in order))
    if player_id:
        query = query.where(REPORTS.c.player_id == player_id)
    if after is not None:
        query = query.where(tuple_(*order) < after if decided else tuple_(*order) > after)
    return connection.execute(query).all()


def described(connection: Connection, found: Sequence[Row[Any]]) -> list[moderation_pb2.Report]:
    """Return reports as moderators see them."""
    people = {one for row in found for one in (row.player_id, row.reporter_id) if one}
    names = acts.called(connection, people)
    decisions = acts.numbered(connection, {row.act for row in found if row.act})
    counted = select(REPORTS.c.player_id, func.count()).where(REPORTS.c.player_id.in_({row.player_id for row in found} - {""}))
    counts = {row[0]: row[1] for row in connection.execute(counted.group_by(REPORTS.c.player_id))}
    return [_described(row, names, decisions.get(row.act), counts) for row in found]


def _described(
    row: Row[Any], names: Mapping[str, str], decision: moderation_pb2.ModerationEntry | None, counts: Mapping[str, int]
) -> moderation_pb2.Report:
    same = ("report_id", "kind", "player_id", "name", "session_id", "game", "version", "club_id", "said", "said_at_ms", "room")
    return moderation_pb2.Report(
        **{name: getattr(row, name) for name in (*same, "context", "comment", "reporter_id", "reported_at_ms")},
        reporter_name=names.get(row.reporter_id, ""),
        now_called=names.get(row.player_id, ""),
        decision=decision,
        others=counts.get(row.player_id, 1) - 1,
    )


def taken_until_ms(connection: Connection) -> int:
    """Return up to when reports were taken from the archive, in milliseconds since 1970."""
    return connection.execute(select(MARKS.c.number).where(MARKS.c.name == _TAKEN)).scalar() or 0


def note_taken(connection: Connection, at_ms: int) -> None:
    """Note up to when reports were taken from the archive."""
    adding = insert_into(connection, MARKS).values(name=_TAKEN, number=at_ms)
    connection.execute(adding.on_conflict_do_update(index_elements=["name"], set_={"number": at_ms}))


def forget_old(connection: Connection, now_ms: int) -> None:
    """Remove reports that have been kept long enough."""
    connection.execute(delete(REPORTS).where(REPORTS.c.reported_at_ms < now_ms - KEPT_MS))
