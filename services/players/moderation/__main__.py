"""Gives players roles, and takes them: `python -m services.players.moderation`, with the players service's settings."""

import argparse
import sys
from datetime import UTC, datetime

from sqlalchemy import Connection

from brettwerk.v1 import moderation_pb2
from services.players.accounts import rows
from services.players.accounts.names import names_of
from services.players.moderation import acts, roles
from services.players.store import open_store
from services.runtime.settings import settings
from services.runtime.wall_clock import wall_ms

_BY_NAME = {name: role for role, name in roles.NAMES.items()}


def main() -> None:
    """List roles, or give or take one. Exits with 2 and a sentence for a player who has no account."""
    parser = argparse.ArgumentParser(prog="services.players.moderation", description=__doc__)
    works = parser.add_subparsers(dest="work", required=True)
    works.add_parser("list", help="who has which role, by whom and until when")
    granting = works.add_parser("grant", help="give a player a role")
    granting.add_argument("role", choices=list(_BY_NAME))
    withdrawing = works.add_parser("withdraw", help="take a player's roles, also those of the OpenID provider")
    for one in (granting, withdrawing):
        one.add_argument("player", help="the player's id, as in the address of their page, or that address")
    asked = parser.parse_args()
    store = open_store(settings().players_database_url)
    try:
        store.wait()
        if asked.work == "list":
            said = store.run_here(_listed)
        else:
            player_id = asked.player.rstrip("/").rpartition("/")[2]
            role = _BY_NAME[asked.role] if asked.work == "grant" else roles.NONE
            said = store.run_here(lambda connection: change(connection, player_id, role, wall_ms()))
    finally:
        store.close()
    if not said:
        sys.exit(f"services.players.moderation: nobody has an account with the id {player_id}")
    print(said)


def change(connection: Connection, player_id: str, role: moderation_pb2.ModerationRole.ValueType, now_ms: int) -> str:
    """Give a player a role, or take all; log it. Returns a sentence; empty if nobody has such an account."""
    row = rows.find(connection, player_id)
    if row is None:
        return ""
    if role == roles.NONE:
        if not roles.take(connection, player_id, roles.COMMAND, roles.PROVIDER):
            return f"{row.name} had no role"
        acts.note(connection, moderation_pb2.MODERATION_ACT_WITHDRAW, acts.COMMAND, now_ms, player_id=player_id)
        return f"{row.name} has no role any more"
    roles.put(connection, player_id, roles.COMMAND, role, now_ms)
    acts.note(
        connection, moderation_pb2.MODERATION_ACT_GRANT, acts.COMMAND, now_ms, player_id=player_id, subject=roles.NAMES[role]
    )
    return f"{row.name} is {roles.NAMES[role]}"


def _listed(connection: Connection) -> str:
    found = roles.listed(connection)
    names = names_of(connection, [row.player_id for row in found])
    lines = (
        f"{row.player_id} {roles.NAMES[row.role]} by {row.source} {_until(row.until_ms)}{names.get(row.player_id, '')}"
        for row in found
    )
    return "\n".join(lines) or "nobody has a role"


def _until(until_ms: int) -> str:
    return f"until {datetime.fromtimestamp(until_ms / 1000, UTC):%Y-%m-%d %H:%M} UTC " if until_ms else ""


if __name__ == "__main__":
    main()
