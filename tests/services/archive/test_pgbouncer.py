"""The archive and the players' tables through a real PgBouncer in transaction mode."""

import asyncio
import itertools
import os
import threading
from collections.abc import Iterator

import pytest
from sqlalchemy import text
from sqlalchemy.exc import OperationalError

from services.archive.archive import Archive
from services.archive.database import WAIT_S, open_engine
from services.archive.migrations import ARCHIVE
from services.archive.outbox import Outbox
from services.archive.schema import bring_up_to_date
from services.players.store import MIGRATIONS, open_store
from tests.services.archive.cluster import Cluster
from tests.services.archive.made import shutting_out
from tests.services.archive.pgbouncer import pooled, program
from tests.services.archive.test_archive import ONE

_numbers = itertools.count()


@pytest.fixture(scope="module")
def port(cluster: Cluster) -> Iterator[int]:
    if not program():
        if os.environ.get("CI") == "true":
            pytest.fail("PgBouncer is not installed, and CI must test with it")
        pytest.skip("PgBouncer is not installed (.ci/install)")
    with pooled(cluster.folder) as port:
        yield port


@pytest.fixture
def url(cluster: Cluster, port: int) -> str:
    name = f"pooled{next(_numbers)}"
    cluster.create(name)
    return f"postgresql+psycopg://postgres@127.0.0.1:{port}/{name}"


async def test_migrations_and_games_go_through_it_from_both_services(url: str) -> None:
    archive, store, outbox = Archive.open(url), open_store(url), Outbox.open(url)
    assert await archive.keep(ONE) is True
    for _ in range(20):  # more often than a statement is sent before it would be prepared
        found = await asyncio.gather(*(archive.find(ONE.session_id) for _ in range(8)))
        assert set(found) == {ONE.record}
    assert await asyncio.to_thread(outbox.undelivered, 5)
    assert await store.run(lambda connection: connection.execute(text("SELECT count(*) FROM players_accounts")).scalar()) == 0
    archive.close()
    store.close()
    outbox.close()


def test_several_who_begin_at_once_find_finished_tables(url: str) -> None:
    engines = [open_engine(url) for _ in range(3)]
    failed: list[BaseException] = []

    def begin(number: int) -> None:
        try:
            for migrations in (ARCHIVE, MIGRATIONS) if number % 2 else (MIGRATIONS, ARCHIVE):
                bring_up_to_date(engines[number], migrations)
        except BaseException as error:  # noqa: BLE001
            failed.append(error)

    threads = [threading.Thread(target=begin, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert failed == []
    for engine in engines:
        engine.dispose()


def test_through_it_too_no_migration_shuts_writers_out(url: str) -> None:
    engine = open_engine(url)
    assert shutting_out(engine, ARCHIVE) == []
    engine.dispose()


def test_each_transaction_has_its_bounds_and_leaves_none_to_others(url: str) -> None:
    engine = open_engine(url)
    with engine.begin() as connection:
        assert connection.scalar(text("SHOW statement_timeout")) == f"{WAIT_S}s"
        connection.exec_driver_sql("SET LOCAL statement_timeout = 50")
        with pytest.raises(OperationalError, match="statement timeout"):
            connection.exec_driver_sql("SELECT pg_sleep(30)")
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        shown = connection.connection.cursor().execute("SHOW statement_timeout").fetchone()
        assert shown == ("0",)
    engine.dispose()
