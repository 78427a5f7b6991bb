"""The way through all migrations and back, one at a time, with what each of them finds of the releases before."""

from typing import Any

import pytest
from alembic import command
from sqlalchemy import Connection, func, insert, inspect, select

from services.archive.archive import Archive
from services.archive.saved_games import SavedGames
from services.archive.session_totals import Counting
from services.archive.tables import PLAYERS, SAVED_GAMES, SAVED_PLAYERS, SESSIONS, TALLIES
from tests.services.archive.migrating import migrate, opened, walk_down_and_up
from tests.services.archive.test_archive import ONE
from tests.services.archive.test_saved_games import ONE as SAVE
from tests.services.archive.test_session_totals import SHARDS, counted

_OLD: dict[str, Any] = {
    "game": "einstein",
    "rules_version": "1",
    "public": True,
    "title": "Würfel",
    "scores": [0, 1],
    "session": b"\x00session",
    "record": b"\x00record",
}
_NEW_TABLES = {"0003": {TALLIES.name}, "0004": {SAVED_GAMES.name, SAVED_PLAYERS.name}}


def test_every_migration_takes_what_is_there_along_up_to_the_newest_and_back(database_url: str) -> None:
    with opened(database_url) as engine:
        for number, revision in enumerate(("0001", "0002", "0003", "0004", "0005"), 1):
            migrate(engine, command.upgrade, revision)
            with engine.begin() as connection:
                _archive(connection, revision)
                assert _sessions(connection) == [f"session{at}" for at in range(1, number + 1)]
        with engine.begin() as connection:
            connection.execute(insert(TALLIES).values(scope="", game="wec", seats=2, kind="k", item="i", games=2**40, wins=1))
            connection.execute(insert(SAVED_GAMES).values(_save()))
            connection.execute(insert(SAVED_PLAYERS).values(player_id="anna", save_id=SAVE.save_id, saved_at_ms=5))
        for revision in ("0005", "0004", "0003", "0002"):
            migrate(engine, command.downgrade, "-1")
            with engine.begin() as connection:
                assert not _NEW_TABLES.get(revision, set()) & set(inspect(connection).get_table_names())
                assert _sessions(connection) == [f"session{at}" for at in range(1, 6)]
                assert connection.scalar(select(func.count()).select_from(PLAYERS)) == 5
        assert {column["name"] for column in inspect(engine).get_columns(SESSIONS.name)}.isdisjoint(
            {"winners", "places", "counted", "delivered"}
        )
        migrate(engine, command.downgrade, "base")
        assert not {SESSIONS.name, PLAYERS.name} & set(inspect(engine).get_table_names())


@pytest.mark.nightly
def test_each_migration_goes_back_and_comes_again_with_its_rows_kept(database_url: str) -> None:
    with opened(database_url) as engine:
        walk_down_and_up(engine)


async def test_the_archive_works_with_what_went_back_and_up_again(database_url: str) -> None:
    """A release is taken back, and comes again: what its own tables held is lost, all else is found, counted and saved anew."""
    archive = Archive.open(database_url)
    await archive.keep(ONE)
    await SavedGames(archive).keep(SAVE)
    await Counting(archive).count([counted(ONE.session_id)])
    archive.close()
    with opened(database_url) as engine:
        migrate(engine, command.downgrade, "0002")
        with engine.begin() as connection:
            _archive(connection, "0002")
    archive = Archive.open(database_url)
    saved, counting = SavedGames(archive), Counting(archive)
    assert await archive.find(ONE.session_id) == ONE.record
    assert {line.session_id: line.places for line in await archive.list_finished()} == {
        ONE.session_id: (1, 2),
        "session2": (2, 1),
    }
    assert await saved.list_player("anna") == []
    assert await counting.tallies(ONE.game) == {}
    assert {one.session_id for one in await counting.uncounted(SHARDS, 10)} == {ONE.session_id}
    assert await counting.count([counted(ONE.session_id)])
    assert await saved.keep(SAVE)
    assert await saved.find("bert", SAVE.save_id) == SAVE.record
    archive.close()


def _archive(connection: Connection, revision: str) -> None:
    """Archive a session as the release of a revision does: with the columns that it knows."""
    name = f"session{int(revision)}"
    row = {**_OLD, "session_id": name, "finished_at_ms": int(revision)}
    if revision >= "0002":
        row |= {"winners": [1], "places": [2, 1]}
    connection.execute(insert(SESSIONS).values(row))
    connection.execute(insert(PLAYERS).values(player_id="anna", session_id=name, finished_at_ms=int(revision), seats=[0]))


def _sessions(connection: Connection) -> list[str]:
    """Return the sessions that are there unchanged, in the columns that all revisions have."""
    found = connection.execute(select(SESSIONS.c.session_id, *(SESSIONS.c[name] for name in _OLD)).order_by("session_id"))
    return [name for name, *rest in found if rest == list(_OLD.values())]


def _save() -> dict[str, Any]:
    names = ("save_id", "session_id", "game", "saved_by", "saved_at_ms", "summary", "record")
    return {name: getattr(SAVE, name) for name in names}
