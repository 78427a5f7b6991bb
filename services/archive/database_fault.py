"""What is wrong with the URL of a database, found by trying it: a password, a database that there is not, a host of no such name.

A server that is away, or not ready yet, is no fault of the URL: readiness tells of that.
"""

import asyncio
import os
import re
import time
from pathlib import Path

import psycopg
from sqlalchemy.engine import URL, make_url

from services.runtime.cannot_start import cannot_start

LOOK_S = 5
"""How long a server may take to answer."""
NAME_S = 10.0
"""How long a host's name may take to be known: names of containers come with them."""

# What PostgreSQL and PgBouncer say, in English; whatever else is said is left to readiness.
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


def fault_of(setting: str, url: str) -> str:
    """Return what is wrong with the URL of a setting, as a sentence; nothing when it is right, or nobody answers there now.

    Blocks while it tries. A URL that cannot be read is left to `open_engine`.
    """
    try:
        parsed = make_url(url)
    except Exception:  # noqa: BLE001 - SQLAlchemy raises several
        return ""
    if parsed.get_backend_name() == "sqlite":
        return _of_file(setting, parsed.database or "")
    return _of_server(setting, parsed)


async def require_no_fault(setting: str, url: str) -> None:
    """Exit with 2 and a sentence when something is wrong with the URL of a setting."""
    if fault := await asyncio.to_thread(fault_of, setting, url):
        raise cannot_start(fault)


def _of_file(setting: str, database: str) -> str:
    """Return what is wrong with an SQLite database: whether it can be made or written."""
    path = Path(database).absolute()
    place = next((one for one in (path, *path.parents) if one.exists()), path)
    if place != path and not place.is_dir():
        return f"{setting}: {place} is no folder"
    return "" if os.access(place, os.W_OK) else f"{setting}: {place} cannot be written"


def _of_server(setting: str, url: URL) -> str:
    until = time.monotonic() + NAME_S
    where = f"{setting}: the server" + (f" at {url.host}" + (f":{url.port}" if url.port else "") if url.host else "")
    plain = url.set(drivername="postgresql").render_as_string(hide_password=False)
    while True:
        try:
            psycopg.connect(plain, connect_timeout=LOOK_S).close()
        except psycopg.OperationalError as error:
            said = str(error)
        else:
            return ""
        if _NO_SUCH_NAME not in said:
            break
        if time.monotonic() > until:
            return f"{setting}: there is no host of the name {url.host}"
        time.sleep(0.5)
    return next((f"{where} {fault}" for pattern, fault in _SAID.items() if re.search(pattern, said, re.DOTALL)), "")
