"""Clubs in SQL. In a transaction; whatever changes a club holds its row first, so that bounds hold and one owner is left."""

from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import Connection, Row, and_, delete, func, or_, select, update

from brettwerk.v1 import clubs_pb2 as pb
from brettwerk.v1 import errors_pb2
from services.archive.upsert import insert_into
from services.players.accounts.tables import ACCOUNTS
from services.players.clubs.roles import ASKING, INSIDE, NONE, ORGANISERS, OWNER, REMOVED, Member, successor
from services.players.clubs.tables import CLUB_LINKS, CLUB_MEMBERS, CLUB_TABLES, CLUB_TALK, CLUBS
from services.runtime.refusal import Refused, unknown

DAY_MS = 86_400_000
LINES = 200
"""Lines of talk that a club keeps."""
LINES_KEPT_MS, TABLES_KEPT_MS, ASKING_KEPT_MS = 180 * DAY_MS, 14 * DAY_MS, 30 * DAY_MS
"""How long a line is kept, a table is shown, and a request to join waits."""
REMOVED_KEPT = 100
"""How many removed members a club remembers; the oldest make room."""
_OF_CLUBS = (CLUB_TABLES, CLUB_TALK, CLUB_LINKS, CLUB_MEMBERS, CLUBS)


def find(connection: Connection, club_id: str) -> Row[Any] | None:
    """Return a club, or None."""
    return connection.execute(select(CLUBS).where(CLUBS.c.club_id == club_id)).first()


def hold(connection: Connection, club_id: str) -> Row[Any]:
    """Return a club, which nobody else changes until the transaction ends. Raises Refused (UNKNOWN)."""
    # A write takes the lock in both databases; SQLite knows no SELECT … FOR UPDATE.
    held = update(CLUBS).where(CLUBS.c.club_id == club_id).values(entry=CLUBS.c.entry).returning(CLUBS)
    row = connection.execute(held).first()
    if row is None:
        raise unknown("club", "club_id", club_id)
    return row


def role_of(connection: Connection, club_id: str, player_id: str) -> int:
    """Return a player's role in a club, NONE for none."""
    mine = (CLUB_MEMBERS.c.club_id == club_id) & (CLUB_MEMBERS.c.player_id == player_id)
    role = connection.execute(select(CLUB_MEMBERS.c.role).where(mine)).scalar_one_or_none()
    return NONE if role is None else int(role)


def is_member(connection: Connection, club_id: str, player_id: str) -> bool:
    """Return whether a player is a member of a club."""
    return role_of(connection, club_id, player_id) in INSIDE


def require_member(connection: Connection, club: Row[Any] | None, club_id: str, player_id: str) -> tuple[Row[Any], int]:
    """Return a club and the role of a player who is a member. Raises Refused: UNKNOWN, CLUB for others who may know of it."""
    role = role_of(connection, club_id, player_id)
    if club is None or (role not in INSIDE and not is_known_to(club, role)):
        raise unknown("club", "club_id", club_id)
    if role not in INSIDE:
        raise refused("not_member", "only members of the club can do that")
    return club, role


def require_organiser(connection: Connection, club: Row[Any], player_id: str) -> int:
    """Return the role of a player who organises a club. Raises Refused: UNKNOWN, CLUB."""
    _, role = require_member(connection, club, club.club_id, player_id)
    if role not in ORGANISERS:
        raise refused("not_organiser", "only organisers of the club can do that")
    return role


def is_known_to(club: Row[Any], role: int) -> bool:
    """Return whether somebody with a role may know that there is a club."""
    return bool(club.entry != pb.Club.ENTRY_LINK) or role in (ASKING, *INSIDE)


def refused(why: str, message: str) -> Refused:
    """Return the refusal of what a role in a club does not allow."""
    return Refused(errors_pb2.REASON_CLUB, message, details={"club": why})


def members(connection: Connection, club_id: str, roles: Collection[int] = INSIDE) -> Sequence[Row[Any]]:
    """Return those with some roles in a club, those of longest standing first, with the names that they have now."""
    mine = (CLUB_MEMBERS.c.club_id == club_id) & CLUB_MEMBERS.c.role.in_(roles)
    name = func.coalesce(ACCOUNTS.c.name, CLUB_MEMBERS.c.name).label("name")
    columns = [CLUB_MEMBERS.c.player_id, CLUB_MEMBERS.c.role, CLUB_MEMBERS.c.since_ms, name]
    joined = CLUB_MEMBERS.outerjoin(ACCOUNTS, ACCOUNTS.c.player_id == CLUB_MEMBERS.c.player_id)
    order = (CLUB_MEMBERS.c.since_ms, CLUB_MEMBERS.c.player_id)
    return connection.execute(select(*columns).select_from(joined).where(mine).order_by(*order)).all()


def owner_of(connection: Connection, club_id: str) -> str:
    """Return the owner of a club."""
    mine = (CLUB_MEMBERS.c.club_id == club_id) & (CLUB_MEMBERS.c.role == OWNER)
    owner: str = connection.execute(select(CLUB_MEMBERS.c.player_id).where(mine)).scalar_one()
    return owner


def count_clubs(connection: Connection) -> int:
    """Return how many clubs there are."""
    count: int = connection.execute(select(func.count()).select_from(CLUBS)).scalar_one()
    return count


def count_in(connection: Connection, club_id: str, roles: Collection[int]) -> int:
    """Return how many have one of some roles in a club."""
    mine = (CLUB_MEMBERS.c.club_id == club_id) & CLUB_MEMBERS.c.role.in_(roles)
    count: int = connection.execute(select(func.count()).select_from(CLUB_MEMBERS).where(mine)).scalar_one()
    return count


def count_of(connection: Connection, player_id: str, roles: Collection[int]) -> int:
    """Return in how many clubs a player has one of some roles."""
    mine = (CLUB_MEMBERS.c.player_id == player_id) & CLUB_MEMBERS.c.role.in_(roles)
    count: int = connection.execute(select(func.count()).select_from(CLUB_MEMBERS).where(mine)).scalar_one()
    return count


def set_role(
    connection: Connection, club_id: str, player_id: str, role: int, *, name: str = "", since_ms: int | None = None
) -> None:
    """Give somebody a role. `since_ms`: since when; None for those whose standing stays. `name`: of one who has had no role."""
    key = {"club_id": club_id, "player_id": player_id}
    changed = {"role": role} if since_ms is None else {"role": role, "since_ms": since_ms}
    made = insert_into(connection, CLUB_MEMBERS).values(**key, name=name, role=role, since_ms=since_ms or 0)
    connection.execute(made.on_conflict_do_update(index_elements=list(key), set_=changed))


def drop(connection: Connection, club_id: str, player_id: str) -> None:
    """Take somebody's role away."""
    mine = (CLUB_MEMBERS.c.club_id == club_id) & (CLUB_MEMBERS.c.player_id == player_id)
    connection.execute(delete(CLUB_MEMBERS).where(mine))


def leave(connection: Connection, club_id: str, player_id: str) -> None:
    """Let a member leave a club that is held: its owner is followed by another one, and without members it is deleted."""
    was_owner = role_of(connection, club_id, player_id) == OWNER
    drop(connection, club_id, player_id)
    rest = [Member(row.player_id, row.role, row.since_ms) for row in members(connection, club_id)]
    following = successor(rest)
    if following is None:
        for table in _OF_CLUBS:
            connection.execute(delete(table).where(table.c.club_id == club_id))
    elif was_owner:
        set_role(connection, club_id, following, OWNER)


def leave_all(connection: Connection, player_id: str) -> None:
    """Take a player whose account is deleted out of all clubs, with what they have said."""
    mine = (CLUB_MEMBERS.c.player_id == player_id) & CLUB_MEMBERS.c.role.in_(INSIDE)
    said = select(CLUB_TALK.c.club_id).where(CLUB_TALK.c.player_id == player_id)
    joined = {*connection.execute(select(CLUB_MEMBERS.c.club_id).where(mine)).scalars()}
    for club_id in sorted({*joined, *connection.execute(said).scalars()}):  # in one order, so that no two wait for each other
        hold(connection, club_id)
        remove_lines(connection, club_id, CLUB_TALK.c.player_id == player_id)
        if club_id in joined:
            leave(connection, club_id, player_id)


def remove_lines(connection: Connection, club_id: str, which: Any) -> None:
    """Remove lines of a club's talk, and let those who have them notice."""
    gone = connection.execute(delete(CLUB_TALK).where(CLUB_TALK.c.club_id == club_id, which))
    if gone.rowcount:
        connection.execute(update(CLUBS).where(CLUBS.c.club_id == club_id).values(talk_version=CLUBS.c.talk_version + 1))


def make_room_for_removed(connection: Connection, club_id: str) -> None:
    """Forget those whom a club has removed longest ago, but for as many as it remembers."""
    mine = (CLUB_MEMBERS.c.club_id == club_id) & (CLUB_MEMBERS.c.role == REMOVED)
    order = (CLUB_MEMBERS.c.since_ms.desc(), CLUB_MEMBERS.c.player_id)
    oldest = select(CLUB_MEMBERS.c.player_id).where(mine).order_by(*order).offset(REMOVED_KEPT)
    for player_id in connection.execute(oldest.limit(REMOVED_KEPT)).scalars().all():
        drop(connection, club_id, player_id)


def code_is_good(connection: Connection, club_id: str, code: str) -> bool:
    """Return whether a code is that of a link to a club."""
    mine = (CLUB_LINKS.c.code == code) & (CLUB_LINKS.c.club_id == club_id)
    return bool(code) and connection.execute(select(CLUB_LINKS.c.code).where(mine)).first() is not None


def links(connection: Connection, club_id: str) -> Sequence[Row[Any]]:
    """Return the links to a club, oldest first."""
    query = select(CLUB_LINKS).where(CLUB_LINKS.c.club_id == club_id)
    return connection.execute(query.order_by(CLUB_LINKS.c.created_at_ms, CLUB_LINKS.c.code)).all()


def forget_old(connection: Connection, now_ms: int) -> None:
    """Remove what is kept for some time only: lines of talk, tables, and requests to join that nobody has answered."""
    old = CLUB_TALK.c.at_ms < now_ms - LINES_KEPT_MS
    for club_id in connection.execute(select(CLUB_TALK.c.club_id).where(old).distinct()).scalars().all():
        remove_lines(connection, club_id, old)
    connection.execute(delete(CLUB_TABLES).where(CLUB_TABLES.c.at_ms < now_ms - TABLES_KEPT_MS))
    asks = and_(CLUB_MEMBERS.c.role == ASKING, CLUB_MEMBERS.c.since_ms < now_ms - ASKING_KEPT_MS)
    connection.execute(delete(CLUB_MEMBERS).where(asks))


def page(
    connection: Connection, player_id: str, *, mine: bool, sought_name: str, after: Row[Any] | None, limit: int
) -> Sequence[Row[Any]]:
    """Return the clubs that a player may know of, or is in or asks to join, by name, after one of them."""
    own = select(CLUB_MEMBERS.c.club_id).where(CLUB_MEMBERS.c.player_id == player_id, CLUB_MEMBERS.c.role.in_((ASKING, *INSIDE)))
    listed = CLUBS.c.entry != pb.Club.ENTRY_LINK
    query = select(CLUBS).where(CLUBS.c.club_id.in_(own) if mine else listed)
    if sought_name:
        query = query.where(CLUBS.c.sought.contains(sought_name, autoescape=True))
    if after is not None:
        later = and_(CLUBS.c.sought == after.sought, CLUBS.c.club_id > after.club_id)
        query = query.where(or_(CLUBS.c.sought > after.sought, later))
    return connection.execute(query.order_by(CLUBS.c.sought, CLUBS.c.club_id).limit(limit)).all()
