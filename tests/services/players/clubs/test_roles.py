"""Roles in a club: who may change whose, and who follows an owner."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.players.clubs.roles import (
    ASKING,
    INSIDE,
    MEMBER,
    NONE,
    ORGANISER,
    ORGANISERS,
    OWNER,
    REMOVED,
    Member,
    objection,
    successor,
)

ROLES = st.sampled_from([NONE, ASKING, MEMBER, ORGANISER, OWNER, REMOVED])
PEOPLE = st.lists(st.builds(Member, st.text(max_size=3), ROLES, st.integers(0, 9)), max_size=8)


@pytest.mark.parametrize(
    ("caller", "former", "role", "why"),
    [
        (ORGANISER, ASKING, MEMBER, ""),
        (MEMBER, ASKING, MEMBER, "not_organiser"),
        (ORGANISER, MEMBER, REMOVED, ""),
        (ORGANISER, ORGANISER, REMOVED, "not_owner"),
        (OWNER, ORGANISER, REMOVED, ""),
        (OWNER, MEMBER, ORGANISER, ""),
        (ORGANISER, MEMBER, ORGANISER, "not_owner"),
        (ORGANISER, MEMBER, OWNER, "not_owner"),
        (OWNER, MEMBER, OWNER, ""),
        (OWNER, OWNER, MEMBER, "role"),
        (OWNER, MEMBER, NONE, "role"),
        (OWNER, REMOVED, MEMBER, "role"),
    ],
)
def test_each_change_needs_its_role(caller: int, former: int, role: int, why: str):
    assert objection(caller, former, role, is_own=False) == why


def test_an_organiser_may_become_a_mere_member_by_their_own_wish_only():
    assert objection(ORGANISER, ORGANISER, MEMBER, is_own=True) == ""
    assert objection(ORGANISER, ORGANISER, MEMBER, is_own=False) == "not_owner"


@given(caller=ROLES, former=ROLES, role=ROLES, is_own=st.booleans())
def test_only_organisers_change_roles_and_they_remove_no_owner(caller: int, former: int, role: int, is_own: bool):
    allowed = not objection(caller, former, role, is_own=is_own and caller == former)
    if allowed:
        assert caller in ORGANISERS
        assert former != OWNER


@given(people=PEOPLE)
def test_an_owner_is_followed_by_an_organiser_if_there_is_one_and_has_a_follower_while_a_member_is_left(people: list[Member]):
    following = successor(people)
    members = [one for one in people if one.role in INSIDE]
    assert (following is None) == (not members)
    if following is not None:
        organisers = [one for one in members if one.role == ORGANISER]
        oldest = min(one.since_ms for one in organisers or members)
        assert any(one.player_id == following and one.since_ms == oldest for one in organisers or members)
