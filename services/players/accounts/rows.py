"""Accounts in SQL: created, changed and read within a transaction."""

import base64
from typing import Any

from sqlalchemy import Connection, Row, delete, func, select, update

from brettwerk.internal.v1 import players_pb2
from brettwerk.v1 import accounts_pb2, errors_pb2
from services.archive.upsert import insert_into
from services.players.accounts import token_rows
from services.players.accounts.names import as_compared
from services.players.accounts.tables import ACCOUNTS, IDENTITIES, PASSKEYS, SIGN_OUTS
from services.players.calls import Caller
from services.runtime.refusal import Refused, unknown


def find(connection: Connection, player_id: str) -> Row[Any] | None:
    """Return a player's account, or None."""
    return connection.execute(select(ACCOUNTS).where(ACCOUNTS.c.player_id == player_id)).first()


def own(connection: Connection, caller: Caller) -> Row[Any] | None:
    """Return the caller's account, None for a guest. Raises Refused (NO_TOKEN) for a token of an earlier generation."""
    caller.require_player()
    # Not the generation of the account: one that was deleted has no row there, and its tokens are void all the same.
    latest = connection.execute(
        select(SIGN_OUTS.c.generation)
        .where(SIGN_OUTS.c.player_id == caller.player_id)
        .order_by(SIGN_OUTS.c.number.desc())
        .limit(1)
    ).scalar_one_or_none()
    if latest is not None and caller.generation < latest:
        raise Refused(errors_pb2.REASON_NO_TOKEN, "this player has signed out everywhere, or was deleted")
    row = find(connection, caller.player_id)
    # a release before 1.1 has made no skeleton
    if row is None or (row.name == caller.name and row.skeleton) or caller.token_id:  # an API token may bring an earlier name
        return row
    # tokens bring another name when their player is renamed; the next sign-in and their API tokens have it, too
    rename(connection, caller.player_id, caller.name)
    return find(connection, caller.player_id)


def rename(connection: Connection, player_id: str, name: str) -> None:
    """Give an account another name, with all its API tokens."""
    connection.execute(update(ACCOUNTS).where(ACCOUNTS.c.player_id == player_id).values(**as_compared(name)))
    token_rows.rename(connection, player_id, name)


def keep(connection: Connection, caller: Caller, now_ms: int) -> Row[Any]:
    """Return the caller's account, created from the guest if there is none yet. Raises Refused (NO_TOKEN)."""
    if (there := own(connection, caller)) is not None:
        return there
    own_columns = {"player_id": caller.player_id, "created_at_ms": now_ms, "generation": caller.generation}
    fresh = {**own_columns, **as_compared(caller.name)}
    # Two requests of a guest may come at once: the slower one finds the account of the other.
    connection.execute(insert_into(connection, ACCOUNTS).values(fresh).on_conflict_do_nothing())
    made = find(connection, caller.player_id)
    assert made is not None
    return made


def was_removed(connection: Connection, player_id: str) -> bool:
    """Return whether a player has been deleted, or has signed out everywhere."""
    voided = (SIGN_OUTS.c.player_id == player_id) & (SIGN_OUTS.c.generation > 0)
    return connection.execute(select(SIGN_OUTS.c.number).where(voided)).first() is not None


def void_tokens(connection: Connection, player_id: str, generation: int, now_ms: int) -> None:
    """Void the tokens of generations before `generation`, and all seat tokens so far."""
    connection.execute(update(ACCOUNTS).where(ACCOUNTS.c.player_id == player_id).values(generation=generation))
    _sign_out(connection, player_id, generation, now_ms)


def void_seat_tokens(connection: Connection, player_id: str, now_ms: int) -> None:
    """Void the seat tokens that a player was given so far, and no other tokens."""
    generation = connection.execute(select(ACCOUNTS.c.generation).where(ACCOUNTS.c.player_id == player_id)).scalar_one_or_none()
    _sign_out(connection, player_id, generation or 0, now_ms)


def _sign_out(connection: Connection, player_id: str, generation: int, now_ms: int) -> None:
    """Note a sign-out in the place of the player's former one, with a greater number."""
    former = SIGN_OUTS.c.player_id == player_id
    highest = connection.execute(select(func.max(SIGN_OUTS.c.generation)).where(former)).scalar() or 0
    # Never lower than before: to void a deleted player's seat tokens would make the former tokens good again.
    values = {"player_id": player_id, "generation": max(generation, highest), "at_ms": now_ms}
    number = connection.execute(SIGN_OUTS.insert().values(values).returning(SIGN_OUTS.c.number)).scalar_one()
    connection.execute(delete(SIGN_OUTS).where(former, SIGN_OUTS.c.number < number))


def proved(row: Row[Any] | None) -> players_pb2.ProvedPlayer:
    """Return the player of an account. Raises Refused (UNKNOWN) if there is none."""
    if row is None:
        raise unknown("account")
    return players_pb2.ProvedPlayer(player_id=row.player_id, name=row.name, generation=row.generation)


def account_of(connection: Connection, row: Row[Any] | None, caller: Caller) -> accounts_pb2.Account:
    """Return an account as its player sees it; a guest's when there is none."""
    if row is None:
        return accounts_pb2.Account(player_id=caller.player_id, name=caller.name)
    return accounts_pb2.Account(
        player_id=row.player_id,
        name=row.name,
        login=row.login_shown or "",
        has_phrase=row.phrase is not None,
        passkeys=_passkeys(connection, row.player_id),
        has_provider=_has_provider(connection, row.player_id),
        created_at_ms=row.created_at_ms,
    )


def _passkeys(connection: Connection, player_id: str) -> list[accounts_pb2.Passkey]:
    query = select(PASSKEYS).where(PASSKEYS.c.player_id == player_id).order_by(PASSKEYS.c.created_at_ms, PASSKEYS.c.credential_id)
    return [
        accounts_pb2.Passkey(
            id=base64.urlsafe_b64encode(row.credential_id).decode().rstrip("="), label=row.label, created_at_ms=row.created_at_ms
        )
        for row in connection.execute(query)
    ]


def _has_provider(connection: Connection, player_id: str) -> bool:
    return connection.execute(select(IDENTITIES.c.digest).where(IDENTITIES.c.player_id == player_id)).first() is not None
