import subprocess
import sys
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine, insert, text

from services.archive.archive import Archive
from services.archive.database import open_engine
from services.archive.migrations import ARCHIVE, VERSION_TABLE, Migrations
from services.archive.schema import bring_up_to_date
from services.archive.tables import METADATA, SESSIONS
from services.archive.upgrade import configuration
from services.players.store import MIGRATIONS as PLAYERS
from tests.services.archive.migrating import migrate
from tests.services.archive.test_archive import ONE

ROOT = Path(__file__).resolve().parents[3]


async def test_the_migrations_make_exactly_the_tables_of_the_queries(archive: Archive, database_url: str):
    assert await archive.is_ready()
    engine = create_engine(database_url)
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE, "compare_type": True})
        assert compare_metadata(context, METADATA) == []
    engine.dispose()


@pytest.mark.parametrize("migrations", [ARCHIVE, PLAYERS], ids=["archive", "players"])
def test_the_names_of_the_files_tell_what_alembic_reads_in_them(migrations: Migrations):
    scripts = ScriptDirectory.from_config(configuration(None, migrations))
    assert migrations.revisions() == [script.revision for script in scripts.walk_revisions()][::-1]


def test_an_up_to_date_schema_is_opened_without_alembic(database_url: str):
    engine = open_engine(database_url)
    bring_up_to_date(engine)
    engine.dispose()
    program = f"""
import asyncio, sys
from services.archive.archive import Archive
archive = Archive.open({database_url!r})
assert asyncio.run(archive.is_ready())
archive.close()
assert "alembic" not in sys.modules
"""
    subprocess.run([sys.executable, "-W", "error", "-c", program], cwd=ROOT, check=True, timeout=60)


@pytest.mark.nightly
def test_processes_that_start_at_once_all_find_a_finished_schema(database_url: str):
    program = f"""
import asyncio
from services.archive.archive import Archive
archive = Archive.open({database_url!r})
assert asyncio.run(archive.is_ready())
assert asyncio.run(archive.find("nothing")) is None
archive.close()
"""
    processes = [
        subprocess.Popen([sys.executable, "-W", "error", "-c", program], cwd=ROOT, stderr=subprocess.PIPE, text=True)
        for _ in range(5)
    ]
    ends = [(process.communicate(timeout=120)[1], process.returncode) for process in processes]
    assert [code for _, code in ends] == [0] * 5, ends


async def test_a_newer_schema_is_left_alone_and_worked_with(archive: Archive, database_url: str):
    assert await archive.is_ready()
    engine = create_engine(database_url)
    with engine.begin() as connection:
        connection.execute(text(f"UPDATE {VERSION_TABLE} SET version_num = '9999'"))
    again = Archive.open(database_url)
    assert await again.keep(ONE) is True
    again.close()
    with engine.connect() as connection:
        assert connection.execute(text(f"SELECT version_num FROM {VERSION_TABLE}")).scalar_one() == "9999"
    engine.dispose()


async def test_archives_of_0_1_0_are_listed_with_the_places_that_follow_from_their_scores(database_url: str):
    engine = open_engine(database_url)
    migrate(engine, command.upgrade, "0001")
    with engine.begin() as connection:
        row = dict.fromkeys(("session_id", "game", "rules_version", "title"), "x") | {"public": True, "finished_at_ms": 5}
        for name, scores in (("won", [0, 0, 1, 0]), ("drawn", [0.5, 0.5]), ("closed", [])):
            old = {**row, "session_id": name, "scores": scores, "session": b"", "record": b""}
            connection.execute(insert(SESSIONS).values(old))
    archive = Archive.open(database_url)
    await archive.keep(ONE)
    found = {line.session_id: (line.winners, line.places) for line in await archive.list_finished()}
    archive.close()
    assert found == {
        "won": ((2,), (2, 2, 1, 2)),
        "drawn": ((), (1, 1)),
        "closed": ((), ()),
        ONE.session_id: (ONE.winners, ONE.places),
    }
    with engine.begin() as connection:  # 0.1.0 goes on with the newer schema
        connection.execute(insert(SESSIONS).values({**old, "session_id": "later", "scores": [1, 0]}))
    engine.dispose()
    again = Archive.open(database_url)
    assert [line.places for line in await again.list_finished() if line.session_id == "later"] == [(1, 2)]
    again.close()


async def test_sqlite_writes_ahead(tmp_path: Path):
    archive = Archive.open(f"sqlite:///{tmp_path}/archive.sqlite3")
    await archive.keep(ONE)
    engine = create_engine(f"sqlite:///{tmp_path}/archive.sqlite3")
    with engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar_one() == "wal"
    engine.dispose()
    archive.close()
