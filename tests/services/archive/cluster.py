"""A PostgreSQL cluster of our own in a temporary folder, reached over a Unix socket."""

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.surroundings import program


def binaries() -> Path:
    """Return the folder of PostgreSQL's server programs, the newest one of a Debian machine."""
    for folder in sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: float(path.parent.name), reverse=True):
        if (folder / "initdb").exists():
            return folder
    return Path(program("initdb", "postgresql")).parent


def as_postgres() -> Sequence[str]:
    """Return what a command begins with to run as somebody whom PostgreSQL accepts: it refuses to run as root.

    Not `user=` of subprocess, for which Python forks in the old way: gRPC's fork handlers then run in the child, and where the
    process has channels, one in a hundred children ends by SIGABRT or SIGSEGV before its program begins.
    """
    return () if os.geteuid() else ("setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups")


@contextmanager
def running(bin_folder: Path, port: int = 0) -> Iterator["Cluster"]:
    """Start a cluster; stop it and remove its folder at the end. At `port` it wants passwords."""
    # Its options are split at spaces and its folders at commas, and whom it runs as must reach it: not so in any TMPDIR.
    with tempfile.TemporaryDirectory(prefix="brettwerk-pg-", dir="/tmp", ignore_cleanup_errors=True) as made:
        folder = Path(made)
        if as_postgres():
            shutil.chown(folder, "postgres", "postgres")
        cluster = Cluster(bin_folder, folder, port)
        try:
            cluster.run(
                "initdb",
                "-D",
                str(folder / "data"),
                "-U",
                "postgres",
                "-A",
                "trust",
                "-E",
                "UTF8",
                "--locale=C.UTF-8",
                "--no-sync",
            )
            if port:
                hosts = "local all all trust\nhost all all 127.0.0.1/32 scram-sha-256\n"
                (folder / "data" / "pg_hba.conf").write_text(hosts)
            cluster.start()
            yield cluster
        finally:
            cluster.stop()


class Cluster:
    """A running cluster."""

    def __init__(self, bin_folder: Path, folder: Path, port: int = 0) -> None:
        self._port = port
        self._bin, self._folder = bin_folder, folder

    @property
    def folder(self) -> Path:
        """Where its socket is."""
        return self._folder

    def run(self, program: str, *arguments: str, check: bool = True) -> int:
        """Run one of PostgreSQL's programs and return its exit code."""
        done = subprocess.run(
            [*as_postgres(), str(self._bin / program), *arguments],
            check=check,
            cwd=self._folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=60,
        )
        return done.returncode

    def start(self) -> None:
        """Start it and wait until it answers."""
        listen = f"-c listen_addresses=127.0.0.1 -c port={self._port}" if self._port else "-c listen_addresses=''"
        options = f"{listen} -c unix_socket_directories={self._folder} -c fsync=off"
        log = str(self._folder / "log")
        self.run("pg_ctl", "start", "-W", "-D", str(self._folder / "data"), "-l", log, "-o", options)
        until = time.monotonic() + 60
        while self.run("pg_isready", "-q", "-h", str(self._folder), *self._at(), check=False):
            if time.monotonic() > until:
                raise TimeoutError(Path(log).read_text(encoding="utf-8"))
            time.sleep(0.05)

    def stop(self) -> None:
        self.run("pg_ctl", "stop", "-w", "-m", "immediate", "-D", str(self._folder / "data"), check=False)

    def _at(self) -> tuple[str, ...]:
        return ("-p", str(self._port)) if self._port else ()

    def url(self, database: str = "postgres") -> str:
        port = f"&port={self._port}" if self._port else ""
        return f"postgresql+psycopg://postgres@/{database}?host={self._folder}{port}"

    def create(self, database: str, *, like: str = "template1") -> str:
        """Make a database, with all that is in another one, and return its URL. Nobody may be connected to the other one."""
        self.run("createdb", "-h", str(self._folder), *self._at(), "-U", "postgres", "-T", like, database)
        return self.url(database)
