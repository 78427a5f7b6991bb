"""The talk of a club: who says and hears it, how much is kept, and what is refused."""

from pathlib import Path

import pytest

from brettwerk.v1 import clubs_pb2 as pb
from services.players.clubs import club_rows, talk
from services.players.opponents import blocks
from tests.services.players.clubs.place import ADA, BOB, CLEO, NOBODY, OPEN, REQUEST, Place, refused


@pytest.fixture
async def club(place: Place) -> pb.Club:
    made = await place.create(entry=OPEN)
    await place.join(made, BOB)
    return made


async def test_members_hear_what_members_say_and_nobody_else_does(place: Place, club: pb.Club):
    await place.say(club, ADA, " Hello\neverybody ")
    line = await place.say(club, BOB, "Hello, Ada")
    assert (line.name, line.player_id) == ("Bob", BOB.player_id)
    assert await place.heard(club) == ["Hello everybody", "Hello, Ada"]
    for outside in (CLEO, NOBODY):
        with refused("CLUB" if outside is CLEO else "NO_TOKEN"):
            await place.talk(club, outside)
        with refused("CLUB" if outside is CLEO else "NO_TOKEN"):
            await place.say(club, outside, "Me, too")


async def test_a_player_who_only_asks_hears_nothing(place: Place):
    club = await place.create(entry=REQUEST)
    await place.join(club, BOB)
    with refused("CLUB", club="not_member"):
        await place.talk(club, BOB)


async def test_a_repeat_says_nothing_twice(place: Place, club: pb.Club):
    first = await place.say(club, ADA, "Once", "the-first")
    assert await place.say(club, ADA, "Once", "the-first") == first
    with refused("REQUEST_ID_REUSED"):
        await place.say(club, ADA, "Twice", "the-first")
    assert await place.heard(club) == ["Once"]


async def test_a_reader_who_knows_everything_is_told_nothing_again(place: Place, club: pb.Club):
    await place.say(club, ADA, "One")
    first = await place.talk(club, BOB)
    assert not (await place.talk(club, BOB, first.version)).lines
    line = await place.say(club, ADA, "Two")
    second = await place.talk(club, BOB, first.version)
    assert [one.text for one in second.lines] == ["One", "Two"]
    await place.ask("remove_club_line", ADA, pb.RemoveClubLineRequest(club_id=club.club_id, line_id=line.id))
    assert [one.text for one in (await place.talk(club, BOB, second.version)).lines] == ["One"]


async def test_a_line_is_removed_by_those_who_have_said_it_and_by_organisers(place: Place, club: pb.Club):
    of_ada, of_bob = await place.say(club, ADA, "Mine"), await place.say(club, BOB, "His")
    with refused("CLUB", club="not_organiser"):
        await place.ask("remove_club_line", BOB, pb.RemoveClubLineRequest(club_id=club.club_id, line_id=of_ada.id))
    other = await place.create(entry=OPEN)
    await place.ask("remove_club_line", ADA, pb.RemoveClubLineRequest(club_id=other.club_id, line_id=of_bob.id))
    assert await place.heard(club) == ["Mine", "His"]
    for _ in range(2):
        await place.ask("remove_club_line", BOB, pb.RemoveClubLineRequest(club_id=club.club_id, line_id=of_bob.id))
    assert await place.heard(club) == ["Mine"]


async def test_players_who_have_blocked_each_other_do_not_hear_each_other(place: Place, club: pb.Club):
    await place.join(club, CLEO)
    for one in (ADA, BOB, CLEO):
        await place.say(club, one, one.name)
    await place.store.run(lambda connection: blocks.block(connection, BOB.player_id, CLEO.player_id, 0))
    assert [await place.heard(club, one) for one in (ADA, BOB, CLEO)] == [["Ada", "Bob", "Cleo"], ["Ada", "Bob"], ["Ada", "Cleo"]]


async def test_so_many_lines_are_kept_for_so_long(place: Place, club: pb.Club, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(talk, "LINES", 3)
    for number in range(5):
        await place.say(club, ADA, str(number))
    assert await place.heard(club) == ["2", "3", "4"]
    version = (await place.talk(club)).version
    later = place.clock() + club_rows.LINES_KEPT_MS + 1
    await place.store.run(lambda connection: club_rows.forget_old(connection, later))
    assert await place.heard(club) == [] and (await place.talk(club)).version > version


async def test_a_crowd_does_not_drown_a_club_and_a_repeat_does_not_count(place: Place, club: pb.Club):
    await place.say(club, ADA, "First", "the-first")
    for number in range(round(talk.CLUB_BURST) - 1):
        await place.say(club, ADA if number % 2 else BOB, str(number))
    with refused("TOO_MANY_REQUESTS"):
        await place.say(club, BOB, "One more")
    await place.say(club, ADA, "First", "the-first")
    place.clock.wait(2)
    await place.say(club, BOB, "One more")


async def test_words_that_the_operator_does_not_allow_are_refused(players_url: str, tmp_path: Path):
    words = tmp_path / "words.txt"
    words.write_text("dummkopf")
    place = Place(players_url, str(words))
    club = await place.create()
    with refused("WORD_NOT_ALLOWED", word="dummkopf", field="text"):
        await place.say(club, ADA, "You dummkopf")
    for text in ("", "x" * 301, "\u202e"):
        with refused("MALFORMED", field="text"):
            await place.say(club, ADA, text)
    place.close()


async def test_where_talk_is_off_nobody_talks_in_clubs_either(players_url: str):
    place = Place(players_url, talk=False)
    club = await place.create()
    with refused("TALK_OFF"):
        await place.say(club, ADA, "Hello")
    assert (await place.talk(club)).off
    place.close()
