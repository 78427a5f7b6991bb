"""A PostgreSQL at one of the hosts, as a managed one would be; where none is installed, SQLite files that all hosts share."""

import contextlib
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

from deploy.cluster.inside import postgres_programs
from loadtests.machines.namespaces import Namespace, output

PORT = 5432
_USER = "postgres"
_HIDDEN = Path("/mnt")
START_S = 60.0


@contextlib.contextmanager
def running(host: Namespace, address: str, folder: Path) -> Iterator[str]:
    """Yield what URLs of databases begin with; a name follows. Raises RuntimeError when PostgreSQL does not start."""
    programs = postgres_programs()
    if programs is None:
        yield f"sqlite:///{folder}/"
        return
    log = folder / "database.log"
    # PostgreSQL refuses to run as root, and another user may not get at the folder: this one goes with the run's namespaces.
    output("mount", "-t", "tmpfs", "-o", "mode=755", "none", str(_HIDDEN))
    data = _HIDDEN / "database"
    data.mkdir()
    shutil.chown(data, _USER, _USER)
    init = [str(programs / "initdb"), "-D", str(data), "-U", _USER, "-A", "trust", "-E", "UTF8", "--locale", "C", "--no-sync"]
    subprocess.run(init, check=True, user=_USER, group=_USER, extra_groups=[], cwd="/", capture_output=True)  # noqa: S603
    with (data / "pg_hba.conf").open("a") as rules:
        rules.write("host all all 198.18.0.0/16 trust\n")
    options = ["-h", address, "-p", str(PORT), "-c", "fsync=off", "-c", "unix_socket_directories=", "-c", "max_connections=200"]
    command = [str(programs / "postgres"), "-D", str(data), *options]

    def start() -> "subprocess.Popen[bytes]":
        with log.open("wb") as output:
            return subprocess.Popen(  # noqa: S603
                command, user=_USER, group=_USER, extra_groups=[], cwd="/", stdout=output, stderr=output
            )

    process = host.do(start)
    try:
        until = time.monotonic() + START_S
        while not _listens(address):
            if process.poll() is not None or time.monotonic() > until:
                raise RuntimeError(f"PostgreSQL does not answer: {log.read_text(errors='replace')[-1000:]}")
            time.sleep(0.2)
        yield f"postgresql+psycopg://{_USER}@{address}:{PORT}/"
    finally:
        process.kill()
        process.wait()


def _listens(address: str) -> bool:
    try:
        with socket.create_connection((address, PORT), 2):
            return True
    except OSError:
        return False
