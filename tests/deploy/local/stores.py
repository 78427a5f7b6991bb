"""Data folders with games in a store's file, as a server wrote them, and what can happen to a file."""

import contextlib
import random
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import redis

from brettwerk.internal.v1.session_state_pb2 import LoggedEntry, StoredSecrets
from brettwerk.v1 import record_pb2
from deploy.local.folder import DataFolder
from tests.redis_server import server, wait_for

KEY = "k" * 48
INCREMENT = "redis/appendonlydir/appendonly.aof.1.incr.aof"


def write_games(data: Path, port: int, games: int = 40, seed: int = 1) -> list[int]:
    """Make a data folder with a store in which games are played; returns the length of its file after each write.

    Each game is written as the session service does: most writes are transactions of a log, a state, and lists.
    """
    with DataFolder(data):
        pass
    (data / "secret_key").write_text(KEY)
    file, whole, dice = data / INCREMENT, [], random.Random(seed)
    with server(data / "redis", port, "--save", "", "--appendonly", "yes", "--appendfsync", "always") as process:
        wait_for(f"redis://127.0.0.1:{port}/0", process)
        whole.append(file.stat().st_size)
        with redis.Redis(port=port) as connection:
            for number in range(games):
                _write(connection, number % 12, dice)
                whole.append(file.stat().st_size)
    return whole


def _write(connection: "redis.Redis", game: int, dice: random.Random) -> None:
    key = f"bw:{{s{game:02x}}}"
    version = connection.llen(f"{key}:log:{game}") + 1
    entry = record_pb2.Entry(version=version, at_ms=1_700_000_000_000 + version)
    entry.acted.listed.value = dice.randbytes(dice.choice([10, 60, 6000]))
    logged = LoggedEntry(entry=entry.SerializeToString(), request=dice.randbytes(16))
    if version > 1 and dice.random() < 0.3:
        connection.rpush(f"{key}:log:{game}", logged.SerializeToString())
        return
    with connection.pipeline() as write:
        write.rpush(f"{key}:log:{game}", logged.SerializeToString())
        if version == 1:
            write.hset(f"{key}:state:{game}", "secrets", StoredSecrets(version=1, secret=dice.randbytes(32)).SerializeToString())
        write.zadd(f"{key}:running", {str(game): version})
        write.execute()


def logs(connection: "redis.Redis") -> dict[bytes, int]:
    """Return how long each log is."""
    return {key: connection.llen(key) for key in connection.scan_iter(match="bw:*:log:*", count=1000)}


Damaging = Callable[[bytearray, random.Random], int]
"""Damages the bytes of a file; returns the first one that is not as it was."""


def zeros_appended(content: bytearray, dice: random.Random) -> int:
    content += bytes(dice.choice([1, 17, 512, 4096, 100_000]))
    return len(content.rstrip(b"\0"))


def end_zeroed(content: bytearray, dice: random.Random) -> int:
    at = dice.randrange(len(content))
    content[at:] = bytes(len(content) - at)
    return at


def block_zeroed(content: bytearray, dice: random.Random) -> int:
    at = dice.randrange(max(1, len(content) // 4096)) * 4096
    size = min(4096, len(content) - at)
    content[at : at + size] = bytes(size)
    return at


def cut(content: bytearray, dice: random.Random) -> int:
    del content[dice.randrange(1, len(content)) :]
    return len(content)


def length_changed(content: bytearray, dice: random.Random) -> int:
    """A length in the middle says that there is more than the file has."""
    at = content.index(b"\r\n$", dice.randrange(len(content) // 2)) + 3
    content[at:at] = b"9999"
    return at


def garbled(content: bytearray, dice: random.Random) -> int:
    at = dice.randrange(len(content))
    garbage = dice.randbytes(min(300, len(content) - at))
    content[at : at + len(garbage)] = garbage
    return at


@contextlib.contextmanager
def run(command: list[str]) -> Iterator["subprocess.Popen[bytes]"]:
    """Run a server; it is killed in the end."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        yield process
    finally:
        process.kill()
        process.wait()
