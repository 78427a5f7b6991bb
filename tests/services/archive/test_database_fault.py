"""A fault in the URL of a database is named in one sentence, by a real PostgreSQL and a real PgBouncer."""

import itertools
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from services.archive import database_fault
from services.archive.database import open_engine
from services.archive.migrations import ARCHIVE
from services.archive.schema import bring_up_to_date
from tests.deploy.tools import ROOT
from tests.ports import free_port
from tests.services.archive.cluster import Cluster, binaries, running
from tests.services.archive.pgbouncer import pooled, program

_numbers = itertools.count()


def fault_of(setting: str, url: str) -> str:
    return database_fault.fault_of(setting, url, ARCHIVE)


@pytest.fixture(scope="module")
def guarded() -> Iterator[tuple[Cluster, str]]:
    """Yield a PostgreSQL that wants passwords by TCP, and where it listens."""
    port = free_port()
    with running(binaries(), port) as cluster:
        with psycopg.connect(cluster.url().replace("+psycopg", ""), autocommit=True) as connection:
            connection.execute("CREATE ROLE anna LOGIN PASSWORD 'right'")
            connection.execute("GRANT CREATE ON SCHEMA public TO anna")
        yield cluster, f"127.0.0.1:{port}"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("anna:right@{}/postgres", ""),
        ("anna:wrong@{}/postgres", "A_URL: the server at {} refuses the user or the password of the URL"),
        ("nobody:right@{}/postgres", "A_URL: the server at {} refuses the user or the password of the URL"),
        ("anna@{}/postgres", "A_URL: the server at {} wants a password, and the URL has none"),
        ("anna:right@{}/another", "A_URL: the server at {} has no database of the name in the URL"),
        ("anna:right@{}/postgres?sslmode=require", "A_URL: the server at {} speaks no TLS, which the sslmode of the URL wants"),
    ],
)
def test_a_refusal_by_a_server_is_named(guarded: tuple[Cluster, str], given: str, said: str) -> None:
    _, where = guarded
    assert fault_of("A_URL", f"postgresql+psycopg://{given.format(where)}") == said.format(where)


@pytest.mark.skipif(not program(), reason="PgBouncer is not installed (.ci/install)")
def test_a_refusal_by_a_pgbouncer_is_named(guarded: tuple[Cluster, str], tmp_path_factory: pytest.TempPathFactory) -> None:
    cluster, _ = guarded
    with pooled(cluster.folder) as port:
        where = f"127.0.0.1:{port}"
        assert fault_of("A_URL", f"postgresql+psycopg://postgres@{where}/postgres") == ""
        said = fault_of("A_URL", f"postgresql+psycopg://nobody@{where}/postgres")
        assert said == f"A_URL: the server at {where} refuses the user or the password of the URL"
        said = fault_of("A_URL", f"postgresql+psycopg://postgres@{where}/another")
        assert said == f"A_URL: the server at {where} has no database of the name in the URL"


def test_a_name_that_no_host_has_is_said_after_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database_fault, "PASSES_S", 1.0)
    said = fault_of("A_URL", "postgresql+psycopg://anna@no-such-host.invalid/postgres")
    assert said == "A_URL: there is no host of the name no-such-host.invalid"


def test_a_server_that_is_away_or_not_ready_is_no_fault_of_the_url(cluster: Cluster) -> None:
    assert fault_of("A_URL", f"postgresql+psycopg://anna@127.0.0.1:{free_port()}/postgres") == ""
    name = cluster.create("closed").partition("?")[0].rpartition("/")[2]
    with psycopg.connect(cluster.url().replace("+psycopg", ""), autocommit=True) as connection:
        connection.execute(f"ALTER DATABASE {name} CONNECTION LIMIT 0")
        connection.execute("CREATE ROLE guest LOGIN")
    assert fault_of("A_URL", cluster.url(name).replace("postgres@", "guest@")) == ""


Own = tuple[str, "psycopg.Connection[tuple[object, ...]]"]


@pytest.fixture
def own(cluster: Cluster) -> Iterator[Own]:
    """Yield the URL of a database in which the role anton may make nothing, and a connection of the database's owner."""
    url = cluster.create(f"own{next(_numbers)}")
    connection = psycopg.connect(url.replace("+psycopg", ""), autocommit=True)
    connection.execute("CREATE ROLE anton LOGIN")
    connection.execute("REVOKE CREATE ON SCHEMA public FROM PUBLIC")
    yield url, connection
    connection.execute("DROP OWNED BY anton")
    connection.execute("DROP ROLE anton")
    connection.close()


def of(role: str, url: str) -> str:
    return url.replace("postgres@", f"{role}@")


def test_a_role_that_may_make_no_tables_is_said_with_what_lets_it(own: Own) -> None:
    url, connection = own
    said = "A_URL: the server does not let the user anton make tables: GRANT CREATE ON SCHEMA public TO anton"
    assert fault_of("A_URL", of("anton", url)) == said
    connection.execute("GRANT CREATE ON SCHEMA public TO anton")
    assert fault_of("A_URL", of("anton", url)) == ""


def test_a_role_that_may_only_read_is_said(own: Own) -> None:
    url, connection = own
    connection.execute("GRANT CREATE ON SCHEMA public TO anton")
    connection.execute("ALTER ROLE anton SET default_transaction_read_only = on")
    said = "A_URL: the server lets the user anton read only (default_transaction_read_only)"
    assert fault_of("A_URL", of("anton", url)) == said


def test_tables_of_another_user_are_used_where_they_are_up_to_date_and_may_be_written(own: Own) -> None:
    url, connection = own
    engine = open_engine(url)
    bring_up_to_date(engine)
    engine.dispose()
    said = "A_URL: the server does not let the user anton write its tables in the schema public"
    assert fault_of("A_URL", of("anton", url)) == said
    connection.execute("GRANT SELECT ON ALL TABLES IN SCHEMA public TO anton")
    assert fault_of("A_URL", of("anton", url)) == said
    connection.execute("GRANT ALL ON ALL TABLES IN SCHEMA public TO anton")
    assert fault_of("A_URL", of("anton", url)) == ""
    connection.execute("UPDATE archive_version SET version_num = '0001'")
    said = (
        "A_URL: the server does not let the user anton bring the tables in the schema public up to date, which are another user's"
    )
    assert fault_of("A_URL", of("anton", url)) == said
    assert fault_of("A_URL", url) == ""


def test_a_user_without_a_schema_is_said(own: Own) -> None:
    url, connection = own
    connection.execute("ALTER ROLE anton SET search_path = nowhere")
    assert fault_of("A_URL", of("anton", url)) == "A_URL: the server has no schema for the user anton (search_path)"


def test_a_standby_is_waited_for_and_then_said(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database_fault, "PASSES_S", 1.0)
    with running(binaries()) as server:
        server.stop()
        (server.folder / "data" / "standby.signal").touch()
        server.start()
        assert fault_of("A_URL", server.url()) == "A_URL: the server is a standby, which cannot be written"


def test_an_sqlite_file_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    said = f"A_URL: the folder {tmp_path}/file cannot be made (File exists)"
    assert fault_of("A_URL", f"sqlite:///{tmp_path}/file/archive.sqlite3") == said
    assert "A_URL: the folder /proc/nowhere cannot be made (" in fault_of("A_URL", "sqlite:////proc/nowhere/archive.sqlite3")
    assert fault_of("A_URL", f"sqlite:///{tmp_path}/to/be/made/archive.sqlite3") == ""


def test_an_sqlite_file_that_cannot_be_written_is_said_and_one_that_is_locked_is_not(tmp_path: Path) -> None:
    file = tmp_path / "archive.sqlite3"
    file.write_text("this is no database, and long enough to be looked at" * 100)
    assert fault_of("A_URL", f"sqlite:///{file}") == f"A_URL: {file} cannot be opened and written (file is not a database)"
    file.unlink()
    file.mkdir()
    assert fault_of("A_URL", f"sqlite:///{file}") == f"A_URL: {file} cannot be opened and written (unable to open database file)"
    with closing(sqlite3.connect(tmp_path / "locked.sqlite3", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert fault_of("A_URL", f"sqlite:///{tmp_path}/locked.sqlite3") == ""


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.parametrize(
    ("module", "setting"),
    [
        ("services.session", "BRETTWERK_DATABASE_URL"),
        ("services.players", "BRETTWERK_DATABASE_URL"),
        ("services.players", "BRETTWERK_PLAYERS_DATABASE_URL"),
    ],
)
def test_a_process_that_is_not_let_in_ends_with_that_sentence_and_nothing_else(
    guarded: tuple[Cluster, str], module: str, setting: str, tmp_path: Path
) -> None:
    _, where = guarded
    environment = {name: value for name, value in os.environ.items() if not name.startswith("BRETTWERK_")} | {
        "BRETTWERK_SECRET_KEY": "k" * 40,
        "BRETTWERK_REDIS_URL": f"redis://127.0.0.1:{free_port()}/0",
        "BRETTWERK_BROKER_URL": f"redis://127.0.0.1:{free_port()}/1",
        "BRETTWERK_DATABASE_URL": f"sqlite:///{tmp_path}/archive.sqlite3",
        "BRETTWERK_PLAYERS_DATABASE_URL": f"sqlite:///{tmp_path}/players.sqlite3",
        "BRETTWERK_LISTEN": f"127.0.0.1:{free_port()}",
        setting: f"postgresql+psycopg://anna:wrong@{where}/postgres",
    }
    ended = subprocess.run(
        [sys.executable, "-m", module], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert ended.stderr.splitlines() == [f"{setting}: the server at {where} refuses the user or the password of the URL"]
    assert ended.returncode == 2
