"""The faults of the URL of a database, found by trying it: a password, a host of no such name, tables that cannot be made.

A server that is away, or not ready yet, is no fault of the URL: readiness tells of that.
"""

import asyncio
import re
import sqlite3
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy.engine import URL, make_url

from services.archive.migrations import Migrations
from services.runtime.cannot_start import cannot_start

if TYPE_CHECKING:
    import psycopg

LOOK_S = 5
"""How long a server may take to answer."""
PASSES_S = 10.0
"""How long it is waited for what may pass: names of containers come with them, and a standby takes over."""

# The sentences of PostgreSQL and PgBouncer, in English; whatever else is said is left to readiness.
_SAID = {
    r"authentication failed|no such user|role \"[^\"]*\" does not exist": "refuses the user or the password of the URL",
    r"no password supplied": "wants a password, and the URL has none",
    r"database \"[^\"]*\" does not exist|no such database": "has no database of the name in the URL",
    r"no pg_hba\.conf entry.*no encryption": "does not let us in without TLS: say ?sslmode=require, or verify-full",
    r"no pg_hba\.conf entry": "does not let this user in from here (pg_hba.conf)",
    r"server does not support SSL": "speaks no TLS, which the sslmode of the URL wants",
    r"certificate verify failed|does not match host name": "has a certificate that cannot be trusted "
    "(?sslrootcert= names who signs it)",
    r"unsupported startup parameter": "is a PgBouncer that refuses an option of the URL (ignore_startup_parameters)",
}
_NO_SUCH_NAME = "Name or service not known"

_STATUS = """
SELECT pg_is_in_recovery(), current_setting('transaction_read_only') = 'on', current_user, current_schema(),
    has_schema_privilege(current_schema(), 'CREATE'), pg_has_role(relowner, 'USAGE'),
    has_table_privilege(oid, 'SELECT') AND has_table_privilege(oid, 'UPDATE')
FROM (SELECT to_regclass(%s)) AS named (version) LEFT JOIN pg_class ON oid = version
"""
"""The rights of the user of a URL, and with the table that says how far migrations have come: NULL where it is not there."""


def fault_of(setting: str, url: str, migrations: Migrations) -> str:
    """Return what is wrong with the URL of a setting, as a sentence; nothing when it is right, or nobody answers there now.

    `migrations` are those that will be carried out there, unless they have been. Blocks while it tries. A URL that cannot be
    one is left to `open_engine`, and so is one whose driver is missing.
    """
    try:
        parsed = make_url(url)
    except Exception:  # noqa: BLE001 - SQLAlchemy raises several
        return ""
    match parsed.get_backend_name():
        case "sqlite" if parsed.database and parsed.database != ":memory:":
            return _of_file(setting, Path(parsed.database).absolute())
        case "postgresql" | "postgres":
            return _of_server(setting, parsed, migrations)
    return ""


async def require_no_fault(setting: str, url: str, migrations: Migrations) -> None:
    """Exit with 2 and a sentence when something is wrong with the URL of a setting (`fault_of`)."""
    if fault := await asyncio.to_thread(fault_of, setting, url, migrations):
        raise cannot_start(fault)


def _of_file(setting: str, path: Path) -> str:
    """Return what is wrong with an SQLite database: whether it can be made and written. Its folder is made."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        return f"{setting}: the folder {path.parent} cannot be made ({error.strerror})"
    try:
        connection = sqlite3.connect(path, timeout=0, isolation_level=None)
        try:
            connection.execute("BEGIN IMMEDIATE")
        finally:
            connection.close()
    except sqlite3.DatabaseError as error:
        if getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY:  # another process writes
            return ""
        return f"{setting}: {path} cannot be opened and written ({error})"
    return ""


def _of_server(setting: str, url: URL, migrations: Migrations) -> str:
    try:
        import psycopg  # whoever has SQLite needs no driver
    except ImportError:
        return ""
    until = time.monotonic() + PASSES_S
    where = f"{setting}: the server" + (f" at {url.host}" + (f":{url.port}" if url.port else "") if url.host else "")
    plain = url.set(drivername="postgresql").render_as_string(hide_password=False)
    while True:
        fault, may_pass = "", False
        try:
            with psycopg.connect(plain, connect_timeout=LOOK_S, autocommit=True, prepare_threshold=None) as connection:
                fault, may_pass = _status(connection, migrations)
        except psycopg.OperationalError as error:
            said = str(error)
            if _NO_SUCH_NAME in said:
                fault, may_pass = f"{setting}: there is no host of the name {url.host}", True
            else:
                fault = next((fault for pattern, fault in _SAID.items() if re.search(pattern, said, re.DOTALL)), "")
        if not may_pass or time.monotonic() > until:
            return fault if not fault or fault.startswith(setting) else f"{where} {fault}"
        time.sleep(0.5)


def _status(connection: "psycopg.Connection[Any]", migrations: Migrations) -> tuple[str, bool]:
    """Return what keeps the tables from being made, brought up to date or written, and whether that may pass."""
    row = connection.execute(_STATUS, (migrations.version_table,)).fetchone()
    assert row is not None
    is_standby, is_read_only, user, schema, may_create, is_owner, may_write = row
    if is_standby:
        return "is a standby, which cannot be written", True
    if is_read_only:
        return f"lets the user {user} read only (default_transaction_read_only)", False
    if schema is None:
        return f"has no schema for the user {user} (search_path)", False
    if is_owner is None:
        needs = f"GRANT CREATE ON SCHEMA {schema} TO {user}"
        return "" if may_create else f"does not let the user {user} make tables: {needs}", False
    if not may_write:
        return f"does not let the user {user} write its tables in the schema {schema}", False
    if not is_owner and not _is_up_to_date(connection, migrations):
        return f"does not let the user {user} bring the tables in the schema {schema} up to date, which are another user's", False
    return "", False


def _is_up_to_date(connection: "psycopg.Connection[Any]", migrations: Migrations) -> bool:
    """Return whether there is nothing to migrate; a newer release may have done more."""
    from psycopg import sql

    query = sql.SQL("SELECT version_num FROM {}").format(sql.Identifier(migrations.version_table))
    rows = connection.execute(query).fetchall()
    return bool(rows) and max(str(row[0]) for row in rows) >= migrations.revisions()[-1]
