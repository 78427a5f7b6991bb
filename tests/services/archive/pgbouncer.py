"""A real PgBouncer before a PostgreSQL, in transaction mode: each transaction gets any of its few connections."""

import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.ports import free_port
from tests.services.archive.cluster import as_postgres

_SETTINGS = """
[databases]
* = host={host}{at}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = trust
auth_file = {folder}/users
pool_mode = transaction
default_pool_size = 3
logfile = {folder}/pgbouncer.log
pidfile = {folder}/pgbouncer.pid
"""


def program() -> str:
    """Return the program; nothing if it is not installed."""
    return shutil.which("pgbouncer", path=f"{os.environ.get('PATH', '')}:/usr/sbin") or ""


@contextmanager
def pooled(host: Path) -> Iterator[int]:
    """Yield the port at which it stands before the PostgreSQL that has its socket in the folder `host`."""
    port, own = free_port(), Path(tempfile.mkdtemp(prefix="brettwerk-pgbouncer-", dir="/tmp"))
    (socket_file,) = host.glob(".s.PGSQL.*[0-9]")
    (own / "users").write_text('"postgres" ""\n')
    (own / "pgbouncer.ini").write_text(_SETTINGS.format(host=host, at=f" port={socket_file.suffix[1:]}", port=port, folder=own))
    if as_postgres():  # it refuses to run as root, too
        for path in (own, *own.iterdir()):
            shutil.chown(path, "postgres")
    process = subprocess.Popen([*as_postgres(), program(), "-q", "pgbouncer.ini"], cwd=own)
    try:
        until = time.monotonic() + 30
        while not _answers(port):
            assert process.poll() is None and time.monotonic() < until, "PgBouncer does not start"
            time.sleep(0.05)
        yield port
    finally:
        process.kill()
        process.wait()
        shutil.rmtree(own)


def _answers(port: int) -> bool:
    with socket.socket() as connection:
        return connection.connect_ex(("127.0.0.1", port)) == 0
