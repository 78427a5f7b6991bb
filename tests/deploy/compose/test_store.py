"""The script of compose's store with real servers, outside a container: what it does with files that are damaged."""

import contextlib
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from tests.deploy.tools import ROOT
from tests.e2e.stranger import eventually
from tests.ports import free_port

SCRIPT = ROOT / "deploy" / "compose" / "store.sh"
PROGRAMS = ("server", "cli", "check-aof")
INCREMENT = "appendonlydir/appendonly.aof.1.incr.aof"
pytestmark = pytest.mark.skipif(
    not all(shutil.which(f"valkey-{name}") or shutil.which(f"redis-{name}") for name in PROGRAMS),
    reason="the programs of a store are needed: apt install redis-server",
)


class Store:
    """The script with a folder; started again as compose does when it ends."""

    def __init__(self, folder: Path) -> None:
        self.data, self.log, self._port = folder / "data", folder / "log", free_port()
        programs = folder / "programs"
        for made in (self.data, programs):
            made.mkdir()
        for name in PROGRAMS:
            found = shutil.which(f"valkey-{name}") or shutil.which(f"redis-{name}") or ""
            program = programs / f"valkey-{name}"
            program.write_text(f'#!/bin/sh\nexec {found} "$@"\n')  # no link: one program is all three, by its name
            program.chmod(0o755)
        self._environment = {
            **os.environ,
            "PATH": f"{programs}:{os.environ['PATH']}",
            "REDIS_PASSWORD": "secret",
            "STORE_DATA": str(self.data),
            "STORE_PORT": str(self._port),
        }

    @contextlib.contextmanager
    def running(self) -> Iterator["subprocess.Popen[bytes]"]:
        with self.log.open("ab") as log:
            process = subprocess.Popen(["sh", str(SCRIPT)], env=self._environment, stdout=log, stderr=log, start_new_session=True)
        try:
            yield process
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def mend(self) -> "subprocess.CompletedProcess[str]":
        command = ["sh", str(SCRIPT), "mend"]
        return subprocess.run(command, env=self._environment, capture_output=True, text=True, timeout=60, check=False)

    @property
    def connection(self) -> "redis.Redis":
        return redis.Redis(port=self._port, password="secret")

    def answers(self) -> bool:
        with self.connection as connection, contextlib.suppress(redis.RedisError):
            return bool(connection.ping())
        return False

    def said(self) -> str:
        return self.log.read_text()


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """A store with a hundred writes in its file, which does not run."""
    made = Store(tmp_path)
    with made.running() as process:
        eventually(made.answers, within_s=60)
        with made.connection as connection:
            for number in range(100):
                with connection.pipeline() as write:
                    write.rpush("log", f"entry {number}").hset("state", "at", number).execute()
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0
    return made


def zeros(store: Store) -> int:
    file = store.data / INCREMENT
    size = file.stat().st_size
    with file.open("ab") as writer:
        writer.write(bytes(4096))
    return size


def test_a_damaged_file_ends_in_one_sentence_and_not_in_starting_again_for_ever(store: Store) -> None:
    size = zeros(store)
    with store.running() as process:
        eventually(lambda: "the store is damaged" in store.said(), within_s=60)
        last = store.said().splitlines()[-1]
        assert f"appendonly.aof.1.incr.aof from byte {size} of {size + 4096}" in last
        assert "docker compose run --rm redis mend" in last
        assert process.poll() is None, "it stays, and is not started again"
        assert not store.answers()
        assert (store.data / INCREMENT).stat().st_size == size + 4096, "nothing is dropped that nobody asked for"
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0


def test_mend_drops_what_is_damaged_and_keeps_the_files_as_they_were(store: Store) -> None:
    size = zeros(store)
    done = store.mend()
    assert done.returncode == 0, done.stderr
    assert f"everything after byte {size} of {size + 4096} is lost" in done.stdout
    (aside,) = store.data.glob("before-*")
    assert (aside / Path(INCREMENT).name).stat().st_size == size + 4096
    with store.running(), store.connection as connection:
        eventually(store.answers, within_s=60)
        assert connection.llen("log") == 100
        assert store.mend().stdout.startswith("nothing in")


def test_a_write_that_is_not_all_there_is_dropped_with_a_sentence(store: Store) -> None:
    file = store.data / INCREMENT
    content = file.read_bytes()
    file.write_bytes(content[:-20])
    with store.running() as process:
        assert process.wait(60) == 1, "compose starts it again"
    whole = content.rindex(b"*1\r\n$5\r\nMULTI")
    assert f"the last {len(content) - 20 - whole} bytes of appendonly.aof.1.incr.aof, from byte {whole}" in store.said()
    with store.running(), store.connection as connection:
        eventually(store.answers, within_s=60)
        assert connection.llen("log") == 99


def test_a_damaged_length_is_not_taken_for_a_write_that_is_not_all_there(store: Store) -> None:
    file = store.data / INCREMENT
    file.write_bytes(file.read_bytes().replace(b"$8\r\nentry 50", b"$99998\r\nentry 50"))
    size = file.stat().st_size
    with store.running():
        eventually(lambda: "the store is damaged" in store.said(), within_s=60)
    assert file.stat().st_size == size


@pytest.mark.parametrize("content", [b"", None])
def test_a_manifest_that_is_empty_or_missing_is_said(store: Store, content: bytes | None) -> None:
    manifest = store.data / "appendonlydir" / "appendonly.aof.manifest"
    if content is None:
        manifest.unlink()
    else:
        manifest.write_bytes(content)
    with store.running():
        eventually(lambda: "the store is damaged" in store.said(), within_s=60)
        assert "restore a backup" in store.said().splitlines()[-1]
        assert not store.answers()
    assert (store.data / INCREMENT).stat().st_size > 1000


def test_all_of_it_is_its_users_only(store: Store) -> None:
    assert [path for path in store.data.rglob("*") if path.stat().st_mode & 0o077] == []
