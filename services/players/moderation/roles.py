"""The roles of moderators and operators. In a transaction. The command line and the OpenID provider give them, no call does."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Row, delete, func, or_, select

from brettwerk.v1 import errors_pb2, moderation_pb2
from services.archive.upsert import insert_into
from services.players.accounts import rows
from services.players.calls import Caller
from services.players.moderation.tables import ROLES
from services.runtime.refusal import Refused

NONE, MODERATOR, OPERATOR = (
    moderation_pb2.MODERATION_ROLE_UNSPECIFIED,
    moderation_pb2.MODERATION_ROLE_MODERATOR,
    moderation_pb2.MODERATION_ROLE_OPERATOR,
)
NAMES = {MODERATOR: "moderator", OPERATOR: "operator"}
"""The roles, as the command line and the log call them."""
COMMAND, PROVIDER = "command", "provider"
"""The sources of roles."""
PROVIDER_MS = 7 * 86_400_000
"""How long a role counts after a sign-in in which the provider has confirmed it."""


def role_of(connection: Connection, player_id: str, now_ms: int) -> moderation_pb2.ModerationRole.ValueType:
    """Return the highest role that a player has now."""
    mine = (ROLES.c.player_id == player_id) & or_(ROLES.c.until_ms == 0, ROLES.c.until_ms > now_ms)
    return moderation_pb2.ModerationRole.ValueType(
        connection.execute(select(func.max(ROLES.c.role)).where(mine)).scalar() or NONE
    )


def require(
    connection: Connection, caller: Caller, least: moderation_pb2.ModerationRole.ValueType, now_ms: int
) -> moderation_pb2.ModerationRole.ValueType:
    """Return the caller's role. Raises Refused (UNKNOWN), the same for everybody who has not at least that one."""
    role = NONE
    if caller.player_id and not caller.token_id:
        rows.own(connection, caller)
        role = role_of(connection, caller.player_id, now_ms)
    if role < least:
        raise Refused(errors_pb2.REASON_UNKNOWN, "there is nothing to see here", details={"what": "moderation"})
    return role


def put(
    connection: Connection,
    player_id: str,
    source: str,
    role: moderation_pb2.ModerationRole.ValueType,
    now_ms: int,
    until_ms: int = 0,
) -> bool:
    """Give a player a role. Returns whether that is another one than the source had given."""
    mine = (ROLES.c.player_id == player_id) & (ROLES.c.source == source)
    before = connection.execute(select(ROLES.c.role).where(mine)).scalar()
    row = {"player_id": player_id, "source": source, "role": role, "until_ms": until_ms, "since_ms": now_ms}
    changed = {"role": role, "until_ms": until_ms}
    adding = insert_into(connection, ROLES).values(row)
    connection.execute(adding.on_conflict_do_update(index_elements=["player_id", "source"], set_=changed))
    return before != role


def take(connection: Connection, player_id: str, *sources: str) -> bool:
    """Take what these sources have given a player. Returns whether there was anything."""
    mine = (ROLES.c.player_id == player_id) & ROLES.c.source.in_(sources)
    return connection.execute(delete(ROLES).where(mine)).rowcount > 0


def listed(connection: Connection) -> Sequence[Row[Any]]:
    """Return all roles that there are, also those whose time is over."""
    return connection.execute(select(ROLES).order_by(ROLES.c.role.desc(), ROLES.c.since_ms, ROLES.c.player_id)).all()
