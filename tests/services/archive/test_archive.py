import asyncio
import itertools
import zlib
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import create_engine, update

from brettwerk.v1 import errors_pb2
from services.archive.archive import KEPT_AT_ONCE, Archive
from services.archive.entry import MAX_LISTED, RECORD_BYTES, Cursor, Kept, Player
from services.archive.tables import SESSIONS
from services.runtime.refusal import Refused
from tests.night import examples
from tests.services.archive.cluster import Cluster

NUMBERS = itertools.count()

ONE = Kept(
    session_id="07abcdefghijklmnopqrstuv",
    game="einstein",
    rules_version="1",
    public=True,
    title="Würfel & Co.",
    players=(Player("anna", (0,)), Player("bert", (1,))),
    winners=(0,),
    places=(1, 2),
    scores=(1.0, 0.0),
    finished_at_ms=1_700_000_000_000,
    record=b"record" * 100,
    session=b"session",
)


async def test_a_kept_record_is_found_byte_for_byte(archive: Archive):
    assert await archive.keep(ONE) is True
    assert await archive.find(ONE.session_id) == ONE.record
    assert await archive.find("another") is None
    (listed,) = await archive.list_player("anna")
    assert (listed.session_id, listed.title, listed.winners, listed.places, listed.scores, listed.session) == (
        ONE.session_id,
        ONE.title,
        ONE.winners,
        ONE.places,
        ONE.scores,
        ONE.session,
    )


async def test_keeping_again_changes_nothing(archive: Archive):
    await archive.keep(ONE)
    assert await archive.keep(replace(ONE, record=b"other", players=(Player("cleo", (0,)),))) is False
    assert await archive.find(ONE.session_id) == ONE.record
    assert await archive.list_player("cleo") == []


async def test_of_many_who_keep_the_same_session_at_once_one_does_it(archive: Archive):
    new = await asyncio.gather(*(archive.keep(ONE) for _ in range(20)))
    assert sorted(new) == [False] * 19 + [True]
    assert len(await archive.list_player("bert")) == 1


async def test_sessions_that_come_together_are_kept_but_for_one_that_cannot_be(archive: Archive):
    ids = [f"07{number:022}" for number in range(2 * KEPT_AT_ONCE)]
    coming = [
        archive.keep(replace(ONE, session_id=session_id, finished_at_ms=10**30 if session_id == ids[7] else 5))
        for session_id in ids
    ]
    kept = await asyncio.gather(*coming, return_exceptions=True)
    assert isinstance(kept.pop(7), Exception)
    assert kept == [True] * len(kept)
    assert [await archive.has(session_id) for session_id in ids[6:9]] == [True, False, True]
    assert await archive.find(ids[-1]) == ONE.record


async def test_players_see_their_private_sessions_and_the_public_sees_the_public_ones(archive: Archive):
    await archive.keep(ONE)
    await archive.keep(replace(ONE, session_id="private", public=False, game="wec"))
    assert {s.session_id for s in await archive.list_player("anna")} == {ONE.session_id, "private"}
    assert [s.session_id for s in await archive.list_player("anna", game="wec")] == ["private"]
    assert [s.session_id for s in await archive.list_finished()] == [ONE.session_id]
    assert await archive.list_finished(game="wec") == []
    assert await archive.list_player("nobody") == []


async def test_pages_hold_every_session_once_newest_first_also_when_times_are_equal(archive: Archive):
    times = [5, 5, 5, 3, 9, 9, 1]
    name = ["b", "A", "~", "a", "Z", "z", "_"].__getitem__
    for i, at_ms in enumerate(times):
        await archive.keep(replace(ONE, session_id=name(i), finished_at_ms=at_ms))
    for pages in (archive.list_finished, lambda **page: archive.list_player("anna", **page)):
        seen, before = [], None
        while page := await pages(limit=2, before=before):
            assert len(page) <= 2
            seen += page
            before = Cursor.parse(str(page[-1].cursor))
        assert [s.cursor for s in seen] == sorted((Cursor(at, name(i)) for i, at in enumerate(times)), reverse=True)


async def test_a_list_is_bounded_whatever_is_asked(archive: Archive):
    for i in range(MAX_LISTED + 3):
        await archive.keep(replace(ONE, session_id=f"s{i:03}"))
    assert len(await archive.list_finished(limit=10**9)) == MAX_LISTED
    assert len(await archive.list_finished(limit=-1)) == 1


async def test_the_largest_record_is_kept_and_one_byte_more_is_not(archive: Archive):
    largest = bytes(RECORD_BYTES)
    await archive.keep(replace(ONE, record=largest))
    assert await archive.find(ONE.session_id) == largest
    with pytest.raises(ValueError, match="record"):
        replace(ONE, record=largest + b"x")


@pytest.mark.parametrize("damaged", [b"not zlib", zlib.compress(bytes(10_000))[:-3], zlib.compress(bytes(RECORD_BYTES + 1))])
async def test_a_damaged_record_is_refused_and_never_unpacked_beyond_the_bound(
    archive: Archive, database_url: str, damaged: bytes
):
    await archive.keep(ONE)
    engine = create_engine(database_url)
    with engine.begin() as connection:
        connection.execute(update(SESSIONS).values(record=damaged))
    engine.dispose()
    with pytest.raises(Refused) as refused:
        await archive.find(ONE.session_id)
    assert refused.value.reason == errors_pb2.REASON_RECORD_DAMAGED


@settings(max_examples=examples(25), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    title=st.text(max_size=20),
    record=st.binary(max_size=2000),
    winners=st.lists(st.integers(0, 5), max_size=6).map(tuple),
    places=st.lists(st.integers(1, 6), max_size=6).map(tuple),
    scores=st.lists(st.floats(0, 1), max_size=6).map(tuple),
    seats=st.lists(st.integers(0, 5), max_size=6).map(tuple),
)
async def test_any_session_comes_back_as_it_was(archive: Archive, title, record, winners, places, scores, seats):
    number = str(next(NUMBERS))
    player = f"p{number}"
    entry = replace(
        ONE,
        session_id=number,
        title=title,
        record=record,
        winners=winners,
        places=places,
        scores=scores,
        players=(Player(player, seats), Player(player, seats)),
    )
    await archive.keep(entry)
    assert await archive.find(entry.session_id) == record
    (listed,) = await archive.list_player(player)
    assert (listed.title, listed.winners, listed.places, listed.scores) == (title.replace("\0", ""), winners, places, scores)


@pytest.mark.parametrize("url", ["mysql://x/y", "sqlite://", "sqlite:///:memory:", "nonsense", "redis://127.0.0.1/0"])
def test_a_url_that_cannot_be_an_archive_is_refused(url: str):
    with pytest.raises(ValueError):
        Archive.open(url)


@pytest.mark.parametrize("text", ["", "5", "x/abc", "5/", "-1/abc", "5/" + "x" * 41, "99999999999999999/abc"])
def test_a_text_that_is_no_cursor_is_refused(text: str):
    with pytest.raises(ValueError):
        Cursor.parse(text)


async def test_a_database_that_is_away_is_said_and_used_again_when_it_is_back(cluster: Cluster):
    archive = Archive.open(cluster.create("comes_and_goes"))
    await archive.keep(ONE)
    cluster.stop()
    assert await archive.is_ready() is False
    with pytest.raises(Refused) as refused:
        await archive.keep(replace(ONE, session_id="later"))
    assert refused.value.reason == errors_pb2.REASON_UNAVAILABLE
    cluster.start()
    assert await archive.is_ready() is True
    assert await archive.keep(replace(ONE, session_id="later")) is True
    assert await archive.find(ONE.session_id) == ONE.record
    archive.close()
