"""A store, tried: a server of its own is started on its files, and reads every running game back.

The server writes into a folder of its own: files that it only reads are linked there, the one that it goes on with is copied.
"""

import contextlib
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import redis as client
from google.protobuf.message import DecodeError

from brettwerk.internal.v1.session_state_pb2 import StoredSecrets, StoredState
from brettwerk.v1 import record_pb2
from deploy.local import redis
from deploy.local.append_only import FOLDER, MANIFEST, ZERO_BLOCK, Commands
from deploy.local.folder import folder_for_sockets
from deploy.local.launcher_error import LauncherError
from services.session.domain.storage_format import entry_of

START_S = 600.0
"""How long a server may take to read its files: some 10 s per GB are usual."""
_KEPT = {b"state": StoredState.FromString, b"secrets": StoredSecrets.FromString}
"""The parts of a game that are kept beside its log, by field."""
_LOGS = "bw:{s*}:log:*"
_AT_ONCE = 200
"""Logs that are asked for together; one has 8 MB at most, and hardly any more than 10 KB."""
_NAMED = 5
"""So many damaged games are named; of more their number is said."""


class CannotBeRead(Exception):
    """A server does not start on the files; the message is what it says about that."""


@contextlib.contextmanager
def store(folder: Path | None) -> Iterator["client.Redis"]:
    """Start a server on the files in a store's folder (None: on none), which stay as they are; yields a connection to it.

    Raises CannotBeRead with the server's last words, OSError when there is no room for it, LauncherError when there is no server.
    """
    with (
        tempfile.TemporaryDirectory(prefix=".trial-", dir=folder.parent if folder else None) as place,
        folder_for_sockets("store") as sockets,
    ):
        if folder is not None and (folder / FOLDER).is_dir():
            _lay_out(folder / FOLDER, Path(place) / FOLDER)
        socket, log = sockets / "store", Path(place) / "log"
        options = {"port": "0", "unixsocket": str(socket), "dir": place, "appendonly": "yes", "save": ""}
        options |= {"aof-load-truncated": "no", "auto-aof-rewrite-percentage": "0"}
        command = [str(redis.find_server()), *(word for name, value in options.items() for word in (f"--{name}", value))]
        with log.open("wb") as output:
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, umask=0o077)  # noqa: S603
        try:
            with client.Redis(unix_socket_path=str(socket), socket_timeout=30) as connection:
                _wait(process, connection, log)
                yield connection
        finally:
            process.kill()
            process.wait()


def commands() -> Commands:
    """Return the commands that the server knows. Raises as `store` does."""
    with store(None) as connection:
        known = connection.command()
    return {name.upper().encode(): int(facts["arity"]) for name, facts in known.items()}


def is_sound(arguments: Sequence[bytes]) -> bool:
    """Return whether a command of the store's file may be one that a session process made: what it says of a game is readable."""
    name = arguments[0].upper()
    if len(arguments) < 3 or not arguments[1].startswith(b"bw:{s"):
        return True
    kind = arguments[1].split(b":")[2:3]
    try:
        if name == b"RPUSH" and kind == [b"log"]:
            for element in arguments[2:]:
                record_pb2.Entry.FromString(entry_of(element))
        elif name == b"HSET" and kind == [b"state"]:
            for field, value in zip(arguments[2::2], arguments[3::2], strict=True):
                if field in _KEPT:
                    _KEPT[field](value)
    except (DecodeError, ValueError):
        return False
    return True


def damaged_games(connection: "client.Redis") -> list[str]:
    """Read every log back; returns a sentence for each that cannot be read to its end, and one for those that are too many."""
    found: list[str] = []
    keys: list[bytes] = []
    for key in connection.scan_iter(match=_LOGS, count=1000):
        keys.append(key)
        if len(keys) == _AT_ONCE:
            found += _damaged(connection, keys)
            keys = []
    found += _damaged(connection, keys)
    return found if len(found) <= _NAMED else [*found[:_NAMED], f"and {len(found) - _NAMED:,} more games are damaged like this"]


def _damaged(connection: "client.Redis", keys: Sequence[bytes]) -> Iterator[str]:
    pipeline = connection.pipeline(transaction=False)
    for key in keys:
        pipeline.lrange(key.decode(), 0, -1)
    for key, log in zip(keys, pipeline.execute(), strict=True):
        for version, element in enumerate(log, start=1):
            try:
                is_whole = ZERO_BLOCK not in element and record_pb2.Entry.FromString(entry_of(element)).version == version
            except DecodeError:
                is_whole = False
            if not is_whole:
                yield f"the game {key.decode().rpartition(':')[2]} cannot be read from version {version:,} of {len(log):,}"
                break


def _lay_out(source: Path, target: Path) -> None:
    target.mkdir()
    last = max((file for file in source.iterdir() if file.name.endswith(".incr.aof")), key=_number, default=None)
    for file in source.iterdir():
        if file == last or file.name == MANIFEST:
            shutil.copyfile(file, target / file.name)
        else:
            with contextlib.suppress(OSError):
                os.link(file, target / file.name)
                continue
            shutil.copyfile(file, target / file.name)


def _number(file: Path) -> int:
    digits = file.name.split(".")[-3]
    return int(digits) if digits.isdigit() else 0


def _wait(process: "subprocess.Popen[bytes]", connection: "client.Redis", log: Path) -> None:
    end = time.monotonic() + START_S
    while process.poll() is None:
        with contextlib.suppress(client.RedisError):
            connection.ping()
            return
        if time.monotonic() > end:
            raise LauncherError(f"a server that was to try the store was not ready within {START_S:.0f} s")
        time.sleep(0.05)
    words = [line.partition(" # ")[2] for line in log.read_text(errors="replace").splitlines() if " # " in line]
    raise CannotBeRead(words[-1] if words and process.returncode > 0 else f"a server ended with code {process.returncode}")
