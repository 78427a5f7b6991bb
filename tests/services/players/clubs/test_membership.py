"""Membership of clubs: joined at once, by a link or by asking, removed, and left."""

import pytest

from brettwerk.v1 import clubs_pb2 as pb
from services.players import whole_account
from services.players.clubs import club_rows, membership
from services.players.clubs.roles import ASKING, MEMBER, NONE, ORGANISER, OWNER, REMOVED
from services.players.opponents import blocks
from tests.services.players.clubs.place import ADA, BOB, CLEO, DAN, LINK, NOBODY, OPEN, REQUEST, Place, refused


async def test_anybody_joins_an_open_club_at_once_and_a_repeat_changes_nothing(place: Place):
    club = await place.create(entry=OPEN)
    for _ in range(2):
        joined = await place.join(club, BOB)
    assert (joined.role, joined.members) == (MEMBER, 2)
    with refused("NO_TOKEN"):
        await place.join(club, NOBODY)


async def test_a_club_by_link_is_unknown_to_whoever_has_none(place: Place):
    club = await place.create()
    with refused("UNKNOWN", what="club"):
        await place.join(club, BOB)
    with refused("UNKNOWN", what="club"):
        await place.join(club, BOB, code="guessed")
    assert (await place.join(club, BOB, code=await place.link(club))).role == MEMBER


async def test_an_organiser_lets_in_a_player_who_asks_or_does_not(place: Place):
    club = await place.create(entry=REQUEST)
    for one in (BOB, CLEO, DAN):
        assert (await place.join(club, one)).role == ASKING
    with refused("CLUB", club="not_member"):
        await place.give(club, BOB, BOB, MEMBER)
    assert (await place.give(club, ADA, BOB, MEMBER)).asking == 2
    with refused("UNKNOWN", what="member"):  # who asks is no business of mere members
        await place.give(club, BOB, CLEO, MEMBER)
    await place.give(club, ADA, CLEO, NONE)
    await place.leave(club, DAN)
    assert await place.roles(club) == {"Ada": OWNER, "Bob": MEMBER}


async def test_a_link_lets_in_at_once_who_has_asked_before(place: Place):
    club = await place.create(entry=REQUEST)
    await place.join(club, BOB)
    with refused("UNKNOWN", what="link"):
        await place.join(club, BOB, code="guessed")
    assert (await place.join(club, BOB, code=await place.link(club))).role == MEMBER


async def test_a_removed_member_comes_again_only_when_an_organiser_allows_it(place: Place):
    club = await place.create(entry=OPEN)
    await place.join(club, BOB)
    await place.give(club, ADA, BOB, REMOVED)
    with refused("CLUB", club="removed"):
        await place.join(club, BOB)
    with refused("CLUB", club="removed"):
        await place.join(club, BOB, code=await place.link(club))
    await place.leave(club, BOB)  # does not make it forgotten
    with refused("CLUB", club="removed"):
        await place.join(club, BOB)
    await place.give(club, ADA, BOB, NONE)
    assert (await place.join(club, BOB)).role == MEMBER


async def test_a_club_remembers_so_many_of_those_it_has_removed(place: Place, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(club_rows, "REMOVED_KEPT", 1)
    club = await place.create(entry=OPEN)
    for one in (BOB, CLEO):
        await place.join(club, one)
        await place.give(club, ADA, one, REMOVED)
    assert await place.roles(club) == {"Ada": OWNER, "Cleo": REMOVED}


async def test_players_whom_the_owner_blocks_do_not_join(place: Place):
    club = await place.create(entry=OPEN)
    await place.store.run(lambda connection: blocks.block(connection, ADA.player_id, BOB.player_id, 0))
    with refused("BLOCKED"):
        await place.join(club, BOB)


async def test_the_owner_is_followed_by_the_organiser_who_has_been_there_longest_and_then_by_a_member(place: Place):
    club = await place.create(entry=OPEN)
    for one in (BOB, CLEO, DAN):
        await place.join(club, one)
    await place.give(club, ADA, DAN, ORGANISER)
    await place.leave(club, ADA)
    assert await place.roles(club, BOB) == {"Dan": OWNER, "Bob": MEMBER, "Cleo": MEMBER}
    await place.leave(club, DAN)
    assert await place.roles(club, BOB) == {"Bob": OWNER, "Cleo": MEMBER}


async def test_a_club_that_its_last_member_leaves_is_gone_with_all_that_it_had(place: Place):
    club = await place.create(entry=REQUEST)
    code = await place.link(club)
    await place.say(club, ADA, "Hello?")
    await place.join(club, BOB)
    for _ in range(2):
        await place.leave(club, ADA)
    with refused("UNKNOWN", what="club"):
        await place.join(club, BOB, code)
    assert await place.listed(BOB, mine=True) == []


async def test_an_owner_makes_another_one_and_stays_an_organiser(place: Place):
    club = await place.create(entry=OPEN)
    await place.join(club, BOB)
    with refused("CLUB", club="not_owner"):
        await place.give(club, BOB, BOB, OWNER)
    for _ in range(2):
        await place.give(club, ADA, BOB, OWNER)
        assert await place.roles(club) == {"Bob": OWNER, "Ada": ORGANISER}


async def test_a_club_is_given_to_nobody_who_owns_as_many_as_one_may(place: Place):
    club = await place.create(entry=OPEN)
    await place.join(club, BOB)
    own = [await place.create(BOB, entry=OPEN) for _ in range(membership.MAX_OWN)]
    with refused("FULL", bound="own_clubs"):
        await place.give(club, ADA, BOB, OWNER)
    assert await place.roles(club) == {"Ada": OWNER, "Bob": MEMBER}
    await place.leave(own[0], BOB)
    await place.give(club, ADA, BOB, OWNER)
    assert await place.roles(club) == {"Bob": OWNER, "Ada": ORGANISER}


async def test_a_club_whose_owner_leaves_is_another_ones_however_many_those_own(place: Place):
    club = await place.create(entry=OPEN)
    await place.join(club, BOB)
    for _ in range(membership.MAX_OWN):
        await place.create(BOB)
    await place.leave(club, ADA)
    assert await place.roles(club, BOB) == {"Bob": OWNER}


@pytest.mark.parametrize(("name", "bound"), [("MAX_MEMBERS", "members"), ("MAX_JOINED", "joined_clubs")])
async def test_members_and_clubs_of_a_player_are_so_many(place: Place, monkeypatch: pytest.MonkeyPatch, name: str, bound: str):
    open_one, by_request = await place.create(entry=OPEN), await place.create(entry=REQUEST)
    await place.join(by_request, BOB)
    monkeypatch.setattr(membership, name, 1 if name == "MAX_MEMBERS" else 0)
    with refused("FULL", bound=bound):
        await place.join(open_one, BOB)
    with refused("FULL", bound=bound):
        await place.give(by_request, ADA, BOB, MEMBER)
    assert (await place.get(by_request, BOB)).club.role == ASKING


@pytest.mark.parametrize(("name", "bound"), [("MAX_ASKING", "asking"), ("MAX_ASKED", "asked_clubs")])
async def test_so_many_ask_a_club_and_a_player_asks_so_many(place: Place, monkeypatch: pytest.MonkeyPatch, name: str, bound: str):
    club = await place.create(entry=REQUEST)
    await place.join(club, BOB)
    monkeypatch.setattr(membership, name, 1)
    await place.join(club, BOB)
    other = club if name == "MAX_ASKING" else await place.create(entry=REQUEST)
    with refused("FULL", bound=bound):
        await place.join(other, CLEO if name == "MAX_ASKING" else BOB)


async def test_a_request_that_nobody_answers_is_forgotten(place: Place):
    club = await place.create(entry=REQUEST)
    await place.join(club, BOB)
    later = place.clock() + club_rows.ASKING_KEPT_MS + 1
    await place.store.run(lambda connection: club_rows.forget_old(connection, later))
    assert (await place.get(club)).club.asking == 0


async def test_an_account_that_is_deleted_leaves_its_clubs_with_what_it_has_said(place: Place):
    club, own = await place.create(entry=OPEN), await place.create(entry=LINK)
    await place.join(club, BOB)
    await place.say(club, ADA, "Hello")
    await place.say(club, BOB, "Hello, Ada")
    await place.ask("add_club_table", ADA, pb.AddClubTableRequest(club_id=club.club_id, session_id="07abc"))
    version = (await place.talk(club)).version
    exported = await place.store.run(lambda connection: whole_account.exported(connection, ADA.player_id))
    assert all(text in exported for text in (club.club_id, own.club_id, "Hello", "07abc")) and "Hello, Ada" not in exported
    await place.store.run(lambda connection: whole_account.remove(connection, ADA.player_id, 0))
    assert await place.roles(club, BOB) == {"Bob": OWNER}
    said = await place.talk(club, BOB, version)
    assert [line.text for line in said.lines] == ["Hello, Ada"]
    assert not (await place.get(club, BOB)).tables
    with refused("UNKNOWN"):
        await place.get(own, BOB)
