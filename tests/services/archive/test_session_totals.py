"""Statistics over the archive: every session is counted once, by whomever, and what is shown are sums."""

import asyncio
from dataclasses import replace

from sqlalchemy import create_engine, text

from brettwerk_games.statistics.result import Result
from brettwerk_games.statistics.tally import Key, Tallies, by_scope
from services.archive.archive import Archive
from services.archive.session_totals import Counted, Counting
from tests.services.archive.test_archive import ONE

SHARDS = [f"{shard:02x}" for shard in range(16)]
RESULT = Result(("person", "easy"), (0,), "EWN-END-1", 24)
COUNTED = by_scope(RESULT, {"anna": (0,), "bert": (1,)}, public=True)


def counted(session_id: str) -> Counted:
    return Counted(session_id, ONE.game, 2, COUNTED)


def rows(tallies: Tallies) -> list[tuple[Key, int, int]]:
    return list(tallies.rows())


async def test_a_kept_session_waits_to_be_counted_with_all_that_it_takes(archive: Archive):
    await archive.keep(ONE)
    (found,) = await Counting(archive).uncounted(SHARDS, 10)
    assert (found.session_id, found.game, found.public, found.session) == (ONE.session_id, ONE.game, True, ONE.session)
    assert found.record == ONE.record
    assert found.players == {"anna": (0,), "bert": (1,)}


async def test_a_session_is_counted_once_however_many_do_it(archive: Archive):
    await archive.keep(ONE)
    counting = Counting(archive)
    done = await asyncio.gather(*(counting.count([counted(ONE.session_id)]) for _ in range(8)))
    assert sorted(done) == [0] * 7 + [1]
    assert await counting.uncounted(SHARDS, 10) == []
    assert {seats: rows(found) for seats, found in (await counting.tallies(ONE.game)).items()} == {2: rows(COUNTED[""])}
    assert rows((await counting.tallies(ONE.game, "anna"))[2]) == rows(COUNTED["anna"])
    assert await counting.tallies("wec") == {}


async def test_sessions_that_are_counted_at_once_add_up(archive: Archive):
    ids = [f"{number % 16:02x}session{number}" for number in range(12)]
    for session_id in ids:
        await archive.keep(replace(ONE, session_id=session_id))
    counting = Counting(archive)
    lots = [[counted(session_id) for session_id in ids[first : first + 5]] for first in range(0, len(ids), 3)]
    assert sum(await asyncio.gather(*map(counting.count, lots))) == len(ids), "what is in two lots is counted once"
    whole = Tallies()
    for _ in ids:
        whole.add(COUNTED[""])
    assert rows((await counting.tallies(ONE.game))[2]) == rows(whole)


async def test_counting_gets_a_limited_number_of_sessions_of_its_own_shards(archive: Archive):
    for number in range(6):
        await archive.keep(replace(ONE, session_id=f"0{number % 2}session{number}"))
    counting = Counting(archive)
    assert {one.session_id[:2] for one in await counting.uncounted(["01"], 10)} == {"01"}
    assert len(await counting.uncounted(SHARDS, 4)) == 4
    assert await counting.uncounted([], 4) == []


async def test_sessions_archived_by_an_older_release_are_counted_later(archive: Archive, database_url: str):
    await archive.keep(ONE)
    engine = create_engine(database_url)
    with engine.begin() as connection:
        columns = "session_id, game, rules_version, public, title, scores, finished_at_ms, session, record"
        connection.execute(
            text(
                f"INSERT INTO archived_sessions ({columns}) SELECT '08old', game, rules_version, public, title, scores, "
                "finished_at_ms, session, record FROM archived_sessions"
            )
        )
    engine.dispose()
    assert {one.session_id for one in await Counting(archive).uncounted(SHARDS, 10)} == {ONE.session_id, "08old"}


async def test_a_look_at_what_is_left_to_count_uses_its_index(archive: Archive, database_url: str):
    await archive.keep(ONE)
    if not database_url.startswith("sqlite"):
        return
    engine = create_engine(database_url)
    query = (
        "EXPLAIN QUERY PLAN SELECT * FROM archived_sessions WHERE counted IS NULL AND session_id >= '07' AND session_id < '07~'"
    )
    with engine.connect() as connection:
        plan = " ".join(str(row) for row in connection.execute(text(query)))
    engine.dispose()
    assert "archived_sessions_uncounted" in plan
