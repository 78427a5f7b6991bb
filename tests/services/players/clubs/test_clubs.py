"""Clubs: what they are called, who sees what of them, the links to them and the tables that they show."""

from pathlib import Path
from typing import Any

import pytest

from brettwerk.v1 import clubs_pb2 as pb
from services.players.clubs import club_rows, clubs, membership
from services.players.clubs.roles import MEMBER, NONE, ORGANISER, OWNER
from services.players.results.tables import GAMES
from tests.services.players.clubs.place import ADA, BOB, CLEO, LINK, NOBODY, OPEN, REQUEST, Place, refused


async def test_a_repeated_request_makes_one_club(place: Place):
    first = await place.create(request_id="the-first")
    assert (first.role, first.members, first.entry) == (OWNER, 1, LINK)
    assert await place.create(request_id="the-first") == first
    with refused("REQUEST_ID_REUSED"):
        await place.create(request_id="the-first", name="Tuesday club")
    assert (await place.create(BOB, request_id="the-first")).club_id != first.club_id


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"request_id": "short"}, "request_id"),
        ({"name": " "}, "name"),
        ({"name": "two\nlines"}, "name"),
        ({"name": "x" * 61}, "name"),
        ({"description": "x" * 301}, "description"),
        ({"entry": 9}, "entry"),
    ],
)
async def test_an_impossible_club_is_refused_by_its_field(place: Place, fields: dict[str, Any], field: str):
    with refused("MALFORMED", field=field):
        await place.create(**fields)


async def test_words_that_the_operator_does_not_allow_are_in_no_name_and_no_description(players_url: str, tmp_path: Path):
    words = tmp_path / "words.txt"
    words.write_text("dummkopf")
    place = Place(players_url, str(words))
    for field in ("name", "description"):
        fields: dict[str, Any] = {field: "Dummkopf and friends"}
        with refused("WORD_NOT_ALLOWED", word="dummkopf", field=field):
            await place.create(**fields)
    place.close()


async def test_owners_and_servers_have_room_for_so_many(place: Place, monkeypatch: pytest.MonkeyPatch):
    for _ in range(membership.MAX_OWN):
        await place.create()
    with refused("FULL", bound="own_clubs"):
        await place.create()
    monkeypatch.setattr(clubs, "MAX_CLUBS", membership.MAX_OWN)
    with refused("FULL", bound="clubs"):
        await place.create(BOB)
    assert await place.listed(BOB, mine=True) == []


async def test_strangers_learn_no_more_of_a_club_than_its_list_shows(place: Place):
    club = await place.create(entry=OPEN, description="We play on Mondays")
    await place.link(club)
    for outside in (BOB, NOBODY):
        seen = await place.get(club, outside)
        assert (seen.club.description, seen.club.members, seen.club.role) == ("We play on Mondays", 1, NONE)
        assert not (seen.members or seen.links or seen.tables)
    await place.join(club, BOB)
    seen = await place.get(club, BOB)
    assert [one.player.name for one in seen.members] == ["Ada", "Bob"] and not seen.links


async def test_a_club_by_link_is_shown_to_members_and_to_those_with_a_link(place: Place):
    club = await place.create()
    code = await place.link(club)
    for outside in (BOB, NOBODY):
        with refused("UNKNOWN", what="club"):
            await place.get(club, outside)
        seen = await place.get(club, outside, code)
        assert seen.club.name == club.name and not seen.members
    await place.ask("revoke_club_link", ADA, pb.RevokeClubLinkRequest(club_id=club.club_id, code=code))
    with refused("UNKNOWN", what="club"):
        await place.get(club, BOB, code)


async def test_clubs_are_listed_by_name_and_private_ones_only_to_their_members(place: Place):
    for name, entry in (("Zebra", OPEN), ("Zwei", REQUEST), ("Secret", LINK), ("zoo", OPEN)):
        await place.create(name=name, entry=entry)
    assert await place.listed(BOB) == ["Zebra", "zoo", "Zwei"]
    assert await place.listed(NOBODY, name="ZE") == ["Zebra"]
    assert await place.listed(BOB, name="%") == []
    assert await place.listed(ADA, mine=True) == ["Secret", "Zebra", "zoo", "Zwei"]
    first = await place.ask("list_clubs", BOB, pb.ListClubsRequest(page_size=2))
    rest = await place.ask("list_clubs", BOB, pb.ListClubsRequest(page_size=2, page_token=first.next_page_token))
    assert [[one.name for one in page.clubs] for page in (first, rest)] == [["Zebra", "zoo"], ["Zwei"]]
    assert not rest.next_page_token
    with refused("MALFORMED", field="page_token"):
        await place.listed(BOB, page_token="none of them")
    with refused("NO_TOKEN"):
        await place.listed(NOBODY, mine=True)


async def test_organisers_change_what_a_club_is_called_and_how_one_joins_it(place: Place):
    club = await place.create(entry=OPEN)
    await place.join(club, BOB)
    change = pb.ChangeClubRequest(club_id=club.club_id, name="Tuesday club", description="New day", entry=REQUEST)
    with refused("CLUB", club="not_organiser"):
        await place.ask("change_club", BOB, change)
    with refused("CLUB", club="not_member"):
        await place.ask("change_club", CLEO, change)
    await place.give(club, ADA, BOB, ORGANISER)
    after = (await place.ask("change_club", BOB, change)).club
    assert (after.name, after.description, after.entry) == ("Tuesday club", "New day", REQUEST)
    assert await place.listed(CLEO, name="tuesday") == ["Tuesday club"]


async def test_a_repeated_request_makes_one_link_and_a_club_has_so_many(place: Place):
    club = await place.create()
    request = pb.CreateClubLinkRequest(club_id=club.club_id, request_id="the-first")
    first, again = [(await place.ask("create_club_link", ADA, request)).link for _ in range(2)]
    assert first == again and len(first.code) >= 20
    for _ in range(clubs.MAX_LINKS - 1):
        await place.link(club)
    with refused("FULL", bound="links"):
        await place.link(club)
    assert len((await place.get(club)).links) == clubs.MAX_LINKS
    with refused("UNKNOWN", what="club"):
        await place.link(club, BOB)


async def test_a_club_shows_the_tables_of_members_until_they_are_over(place: Place):
    club = await place.create(entry=OPEN)
    await place.join(club, BOB)
    adding = [pb.AddClubTableRequest(club_id=club.club_id, session_id=one) for one in ("07one", "07two", "07two")]
    for request in adding:
        await place.ask("add_club_table", BOB, request)
    with refused("CLUB", club="not_member"):
        await place.ask("add_club_table", CLEO, adding[0])
    with refused("MALFORMED", field="session_id"):
        await place.ask("add_club_table", BOB, pb.AddClubTableRequest(club_id=club.club_id, session_id="../x"))
    assert [(one.session_id, one.player.name) for one in (await place.get(club)).tables] == [("07two", "Bob"), ("07one", "Bob")]
    row: dict[str, Any] = {column.key: "" if column.type.python_type is str else 0 for column in GAMES.c if not column.nullable}
    await place.store.run(lambda connection: connection.execute(GAMES.insert().values({**row, "session_id": "07two"})))
    assert [one.session_id for one in (await place.get(club)).tables] == ["07one"]
    later = place.clock() + club_rows.TABLES_KEPT_MS + 1
    await place.store.run(lambda connection: club_rows.forget_old(connection, later))
    assert not (await place.get(club)).tables


async def test_the_oldest_table_makes_room_and_others_tables_are_removed_by_organisers_only(
    place: Place, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(clubs, "MAX_TABLES", 2)
    club = await place.create(entry=OPEN)
    await place.join(club, BOB)
    for number in range(3):
        await place.ask("add_club_table", ADA, pb.AddClubTableRequest(club_id=club.club_id, session_id=f"07n{number}"))
    assert [one.session_id for one in (await place.get(club)).tables] == ["07n2", "07n1"]
    removing = pb.RemoveClubTableRequest(club_id=club.club_id, session_id="07n2")
    with refused("CLUB", club="not_organiser"):
        await place.ask("remove_club_table", BOB, removing)
    for _ in range(2):
        await place.ask("remove_club_table", ADA, removing)
    assert [one.session_id for one in (await place.get(club)).tables] == ["07n1"]
    assert (await place.get(club, BOB)).club.role == MEMBER
