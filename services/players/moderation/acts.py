"""The log of what was done in moderation. In a transaction. Acts are added, never changed; old ones are removed by age alone.

Only the ids of deleted accounts are replaced in it (whole_account.py).
"""

import secrets
from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import Connection, Row, delete, select

from brettwerk.v1 import moderation_pb2
from services.players.accounts.names import names_of
from services.players.moderation.tables import ACTS, REPORTS

KEPT_MS = 2 * 365 * 86_400_000
"""How long an act is kept."""
MAX_ACTS = 200_000
"""How many are kept; the oldest make room."""
COMMAND, PROVIDER, SERVER = "command", "provider", "server"
"""The names of those that act where no player does."""


def note(
    connection: Connection,
    act: moderation_pb2.ModerationAct.ValueType,
    actor_id: str,
    at_ms: int,
    *,
    act_id: str = "",
    player_id: str = "",
    reason: str = "",
    note: str = "",
    until_ms: int = 0,
    report_id: str = "",
    subject: str = "",
) -> int:
    """Log an act; return its number. `act_id`: what a repeat has, too."""
    about = {"player_id": player_id, "reason": reason, "note": note, "until_ms": until_ms}
    row = {"act": act, "actor_id": actor_id, "at_ms": at_ms, "report_id": report_id, "subject": subject, **about}
    adding = ACTS.insert().values(act_id=act_id or secrets.token_hex(16), **row).returning(ACTS.c.number)
    return int(connection.execute(adding).scalar_one())


def find(connection: Connection, act_id: str) -> Row[Any] | None:
    """Return the act of a request, or None."""
    return connection.execute(select(ACTS).where(ACTS.c.act_id == act_id)).first()


def numbered(connection: Connection, numbers: Collection[int]) -> dict[int, moderation_pb2.ModerationEntry]:
    """Return acts by their numbers."""
    found = connection.execute(select(ACTS).where(ACTS.c.number.in_(numbers))).all()
    return {entry.number: entry for entry in described(connection, found)}


def listed(connection: Connection, player_id: str, before: int, limit: int) -> Sequence[moderation_pb2.ModerationEntry]:
    """Return a page, newest first, of acts before a number (0 for the newest), on one player or all."""
    query = select(ACTS).order_by(ACTS.c.number.desc()).limit(limit)
    if player_id:
        query = query.where(ACTS.c.player_id == player_id)
    if before:
        query = query.where(ACTS.c.number < before)
    return described(connection, connection.execute(query).all())


def described(connection: Connection, found: Sequence[Row[Any]]) -> list[moderation_pb2.ModerationEntry]:
    """Return acts as moderators see them."""
    people = {one for row in found for one in (row.actor_id, row.player_id)} - {"", COMMAND, PROVIDER, SERVER}
    names = called(connection, people)
    return [
        moderation_pb2.ModerationEntry(
            number=row.number,
            act=row.act,
            at_ms=row.at_ms,
            actor_id=row.actor_id,
            actor_name=names.get(row.actor_id, ""),
            player_id=row.player_id,
            name=names.get(row.player_id, ""),
            reason=row.reason,
            note=row.note,
            until_ms=row.until_ms,
            report_id=row.report_id,
            subject=row.subject,
        )
        for row in found
    ]


def called(connection: Connection, players: Collection[str]) -> dict[str, str]:
    """Return what players are called: by their accounts and games, and guests as they were when somebody has reported them."""
    names = names_of(connection, players)
    reported = select(REPORTS.c.player_id, REPORTS.c.name).where(REPORTS.c.player_id.in_(set(players) - set(names)))
    return {row.player_id: row.name for row in connection.execute(reported.order_by(REPORTS.c.reported_at_ms))} | names


def forget_old(connection: Connection, now_ms: int) -> None:
    """Remove acts that have been kept long enough."""
    connection.execute(delete(ACTS).where(ACTS.c.at_ms < now_ms - KEPT_MS))
    spare = select(ACTS.c.number).order_by(ACTS.c.number.desc()).offset(MAX_ACTS).limit(1)
    if (oldest := connection.execute(spare).scalar_one_or_none()) is not None:
        connection.execute(delete(ACTS).where(ACTS.c.number <= oldest))


def replace_player(connection: Connection, player_id: str, mark: str) -> None:
    """Put a mark in the place of a player who is gone: in what they have done and reported, and in what was done to them."""
    connection.execute(ACTS.update().where(ACTS.c.actor_id == player_id).values(actor_id=mark))
    connection.execute(ACTS.update().where(ACTS.c.player_id == player_id).values(player_id=mark, subject=""))
    connection.execute(REPORTS.update().where(REPORTS.c.reporter_id == player_id).values(reporter_id=mark, comment=""))
