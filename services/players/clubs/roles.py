"""The roles in a club: who may change whose, and who follows an owner. Pure."""

from collections.abc import Iterable
from typing import Final, NamedTuple

from brettwerk.v1 import clubs_pb2 as pb

NONE: Final = pb.Club.ROLE_UNSPECIFIED
ASKING, MEMBER = pb.Club.ROLE_ASKING, pb.Club.ROLE_MEMBER
ORGANISER, OWNER, REMOVED = pb.Club.ROLE_ORGANISER, pb.Club.ROLE_OWNER, pb.Club.ROLE_REMOVED
INSIDE: Final = (MEMBER, ORGANISER, OWNER)
"""The roles of members."""
ORGANISERS: Final = (ORGANISER, OWNER)
"""The roles of those who organise it."""
_BY_ORGANISERS: Final = {(ASKING, MEMBER), (ASKING, NONE), (ASKING, REMOVED), (MEMBER, REMOVED), (REMOVED, NONE)}
_BY_OWNERS: Final = {(MEMBER, ORGANISER), (ORGANISER, MEMBER), (ORGANISER, REMOVED), (MEMBER, OWNER), (ORGANISER, OWNER)}
_BY_THEMSELVES: Final = {(ORGANISER, MEMBER)}


class Member(NamedTuple):
    """Somebody in a club."""

    player_id: str
    role: int
    since_ms: int


def objection(caller_role: int, former: int, role: int, *, is_own: bool) -> str:
    """Return why a caller may not change a role from one to another, as details say it; empty if they may.

    `is_own`: whether the role is the caller's.
    """
    change = (former, role)
    if change in _BY_ORGANISERS:
        return "" if caller_role in ORGANISERS else "not_organiser"
    if is_own and change in _BY_THEMSELVES:
        return ""
    if change in _BY_OWNERS:
        return "" if caller_role == OWNER else "not_owner"
    return "role"


def successor(rest: Iterable[Member]) -> str | None:
    """Return who follows an owner who has left: the organiser, else the member, of longest standing; None if there is nobody."""
    members = [one for one in rest if one.role in INSIDE]
    first = min(members, key=lambda one: (one.role != ORGANISER, one.since_ms, one.player_id), default=None)
    return None if first is None else first.player_id
