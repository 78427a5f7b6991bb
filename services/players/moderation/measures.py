"""Measures against players: warned, muted, suspended, renamed. In a transaction, which also logs them and tells the player."""

import secrets
from dataclasses import dataclass

from sqlalchemy import Connection, delete, select

from brettwerk.internal.v1 import players_pb2
from brettwerk.v1 import moderation_pb2, news_pb2, opponents_pb2
from services.archive.upsert import insert_into
from services.players.accounts import bot_rows, restrictions, rows, token_rows
from services.players.accounts.names import as_compared
from services.players.accounts.tables import ACCOUNTS
from services.players.arena.tables import ARENA_ENTRIES
from services.players.moderation import acts, roles, talk_rules
from services.players.opponents import challenge_rows
from services.players.opponents.tables import CHALLENGES, SEEKS
from services.players.tournaments import tournament_rows
from services.players.tournaments.series_tables import SERIES_PLAYERS
from services.runtime.player_names import check_name
from services.runtime.player_text import NAME_BYTES, TITLE_BYTES, clean_text, talk_text
from services.runtime.refusal import malformed, unknown
from services.runtime.restriction import ACCOUNT, TALK

NOTHING, WARN, MUTE, SUSPEND, RENAME, UNMUTE, UNSUSPEND = (
    moderation_pb2.MODERATION_ACT_NOTHING,
    moderation_pb2.MODERATION_ACT_WARN,
    moderation_pb2.MODERATION_ACT_MUTE,
    moderation_pb2.MODERATION_ACT_SUSPEND,
    moderation_pb2.MODERATION_ACT_RENAME,
    moderation_pb2.MODERATION_ACT_UNMUTE,
    moderation_pb2.MODERATION_ACT_UNSUSPEND,
)
WHAT = {MUTE: TALK, UNMUTE: TALK, SUSPEND: ACCOUNT, UNSUSPEND: ACCOUNT}
"""The restrictions that acts begin and end."""
_KINDS = {
    WARN: news_pb2.News.KIND_WARNED,
    MUTE: news_pb2.News.KIND_MUTED,
    UNMUTE: news_pb2.News.KIND_UNMUTED,
    SUSPEND: news_pb2.News.KIND_SUSPENDED,
    UNSUSPEND: news_pb2.News.KIND_UNSUSPENDED,
    RENAME: news_pb2.News.KIND_RENAMED,
}
_MINUTE_MS = 60_000


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure, checked."""

    act: moderation_pb2.ModerationAct.ValueType
    until_ms: int
    reason: str
    note: str
    name: str
    """With another name: which."""

    @classmethod
    def of(cls, asked: moderation_pb2.Measure, now_ms: int) -> "Measure":
        """Return what a request asks for. Raises Refused (MALFORMED, NAME_RESERVED)."""
        if asked.act != NOTHING and asked.act not in _KINDS:
            raise malformed("measure.act", "nothing that is done to a player is called so")
        ends = asked.act in (NOTHING, UNMUTE, UNSUSPEND)
        reason = clean_text(asked.reason, "measure.reason", TITLE_BYTES, may_be_empty=ends)
        note = talk_text(asked.note, "measure.note", may_be_empty=True)
        if asked.minutes and asked.act not in (MUTE, SUSPEND):
            raise malformed("measure.minutes", "only mutes and suspensions last")
        name = ""
        if asked.act == RENAME:
            name = (
                clean_text(asked.name, "measure.name", NAME_BYTES) if asked.name else f"Player {secrets.randbelow(9000) + 1000}"
            )
            check_name(name)
        until_ms = now_ms + asked.minutes * _MINUTE_MS if asked.minutes else 0
        return cls(asked.act, until_ms, reason, note, name)


def take(
    connection: Connection, actor_id: str, player_id: str, measure: Measure, now_ms: int, act_id: str, report_id: str = ""
) -> tuple[int, list[players_pb2.NotedNews]]:
    """Do something to a player; return the number of the act, and the player's news.

    Raises Refused: MALFORMED where the player has as high a role as the actor, UNKNOWN for one who has never been here, FULL.
    """
    notes, subject = [], ""
    if measure.act != NOTHING:
        if not player_id:
            raise malformed("measure.act", "the report names no player")
        if player_id == actor_id or roles.role_of(connection, player_id, now_ms) >= max(
            roles.MODERATOR, roles.role_of(connection, actor_id, now_ms)
        ):
            raise malformed("player_id", "nobody does that to themselves, or to a player with the same role or a higher one")
        former = _require_known(connection, player_id)
        _do(connection, player_id, measure, now_ms)
        subject = former if measure.act == RENAME else ""
    number = acts.note(
        connection,
        measure.act,
        actor_id,
        now_ms,
        act_id=act_id,
        player_id=player_id,
        reason=measure.reason,
        note=measure.note,
        until_ms=measure.until_ms,
        report_id=report_id,
        subject=subject,
    )
    if measure.act != NOTHING:
        notes.append(news(player_id, measure.act, number, now_ms, measure.until_ms, measure.reason, measure.name))
    return number, notes


def news(
    player_id: str,
    act: moderation_pb2.ModerationAct.ValueType,
    number: int,
    now_ms: int,
    until_ms: int = 0,
    reason: str = "",
    name: str = "",
) -> players_pb2.NotedNews:
    """Return the news of an act for the player whom it was done to."""
    shown = news_pb2.News(kind=_KINDS[act], title=reason, at_ms=now_ms, until_ms=until_ms, name=name)
    return players_pb2.NotedNews(player_id=player_id, session_version=number, news=shown)


def _do(connection: Connection, player_id: str, measure: Measure, now_ms: int) -> None:
    match measure.act:
        case moderation_pb2.MODERATION_ACT_MUTE:
            restrictions.put(connection, player_id, TALK, measure.until_ms, measure.reason, now_ms)
            talk_rules.changed(connection)
        case moderation_pb2.MODERATION_ACT_UNMUTE:
            restrictions.lift(connection, player_id, TALK)
            talk_rules.changed(connection)
        case moderation_pb2.MODERATION_ACT_SUSPEND:
            _keep_account(connection, player_id, now_ms)
            restrictions.put(connection, player_id, ACCOUNT, measure.until_ms, measure.reason, now_ms)
            _void(connection, player_id, now_ms)
            token_rows.revoke_all(connection, player_id, now_ms)
            for bot_id in bot_rows.of(connection, player_id):
                rows.void_seat_tokens(connection, bot_id, now_ms)
            _take_out(connection, [player_id, *bot_rows.of(connection, player_id)], now_ms)
        case moderation_pb2.MODERATION_ACT_UNSUSPEND:
            restrictions.lift(connection, player_id, ACCOUNT)
        case moderation_pb2.MODERATION_ACT_RENAME:
            _keep_account(connection, player_id, now_ms)
            rows.rename(connection, player_id, measure.name)
            _void(connection, player_id, now_ms)


def _require_known(connection: Connection, player_id: str) -> str:
    """Return what a player is called: of their account, where they have played, or as somebody has reported them."""
    name = acts.called(connection, [player_id]).get(player_id)
    if name is None:
        raise unknown("player", "player_id", player_id)
    return name


def _keep_account(connection: Connection, player_id: str, now_ms: int) -> None:
    """Make an account of a guest: without one, void tokens are the sign of a player who is gone."""
    if rows.find(connection, player_id) is not None:
        return
    fresh = {"player_id": player_id, "created_at_ms": now_ms, "generation": 0}
    adding = insert_into(connection, ACCOUNTS).values(**fresh, **as_compared(_require_known(connection, player_id)))
    connection.execute(adding.on_conflict_do_nothing())


def _void(connection: Connection, player_id: str, now_ms: int) -> None:
    """Void all tokens of a player, those of seats and API tokens that act for them among them."""
    generation = connection.execute(select(ACCOUNTS.c.generation).where(ACCOUNTS.c.player_id == player_id)).scalar_one()
    rows.void_tokens(connection, player_id, generation + 1, now_ms)
    token_rows.revoke_those_of(connection, player_id, now_ms)


def _take_out(connection: Connection, players: list[str], now_ms: int) -> None:
    """Take players out of what would bring them to a table: pools, challenges, tournaments, series and the arena."""
    for table in (SEEKS, ARENA_ENTRIES, SERIES_PLAYERS):
        connection.execute(delete(table).where(table.c.player_id.in_(players)))
    for column in (CHALLENGES.c.player_id, CHALLENGES.c.challenged_id):
        mine = select(CHALLENGES).where(column.in_(players), CHALLENGES.c.state == opponents_pb2.Challenge.STATE_OPEN)
        for row in connection.execute(mine).all():
            challenge_rows.end(connection, row.challenge_id, opponents_pb2.Challenge.STATE_WITHDRAWN, now_ms)
    tournament_rows.leave_all(connection, players)
