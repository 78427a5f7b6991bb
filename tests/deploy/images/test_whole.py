"""The image that is all of Brettwerk, run as the guide says with 512 MB: it is played in, stopped and started again."""

import random
import secrets
from collections.abc import Iterator

import httpx
import pytest

from brettwerk.v1 import sessions_pb2
from tests.deploy.containers import Podman
from tests.e2e.stranger import Stranger, computer, eventually, me
from tests.ports import free_port

pytestmark = [pytest.mark.e2e, pytest.mark.nightly, pytest.mark.slow, pytest.mark.timeout(1300)]

MEMORY_MB = 512


class Whole:
    """A container of the image and its volume; nothing is left of either in the end."""

    def __init__(self, podman: Podman) -> None:
        self.podman, self.name = podman, f"whole{secrets.token_hex(4)}"
        page, grpc = free_port(), free_port()
        self.page, self.grpc_address = f"http://127.0.0.1:{page}", f"127.0.0.1:{grpc}"
        self._options = [
            *("--publish", f"127.0.0.1:{page}:8000", "--publish", f"127.0.0.1:{grpc}:7800", "--volume", f"{self.name}:/data"),
            *("--memory", f"{MEMORY_MB}m", "--memory-swap", f"{MEMORY_MB}m", "--cap-drop", "all", "--read-only"),
        ]

    def start(self) -> None:
        """Run it, and return when its own health check says that it is well."""
        self.podman("run", "--detach", "--name", self.name, *self._options, self.podman.image("all"))
        eventually(self.is_healthy, within_s=180, every_s=1)

    def is_healthy(self) -> bool:
        return self.podman("healthcheck", "run", self.name, check=False).returncode == 0

    def stop(self) -> int:
        """Stop it as `docker stop` does, remove it, and return its exit code."""
        self.podman("stop", "--time", "60", self.name)
        code = int(self.podman.inspect(self.name)["State"]["ExitCode"])
        self.podman("rm", self.name)
        return code

    def run(self, *command: str) -> str:
        """Return what a command says inside."""
        return self.podman("exec", self.name, *command).stdout

    def said(self) -> str:
        done = self.podman("logs", self.name)
        return done.stdout + done.stderr

    def end(self) -> None:
        self.podman("rm", "--force", "--time", "0", self.name, check=False)
        self.podman("volume", "rm", "--force", self.name, check=False)


@pytest.fixture
def whole(images: Podman) -> Iterator[Whole]:
    whole = Whole(images)
    try:
        whole.start()
        yield whole
        print(whole.podman("logs", whole.name, check=False).stdout)
    finally:
        whole.end()


def test_one_container_plays_within_512_mb_and_goes_on_after_a_stop(whole: Whole) -> None:
    page = httpx.get(whole.page, timeout=60, trust_env=False)
    source = page.text.partition('<script type="module"')[2].partition('src="')[2].partition('"')[0]
    script = httpx.get(f"{whole.page}/{source.removeprefix('./').removeprefix('/')}", timeout=60, trust_env=False)
    assert (page.status_code, script.status_code) == (200, 200)
    ada = Stranger(whole.grpc_address, "Ada")
    play(ada, *ada.create(me(), computer()))
    begun = ada.create(me(), computer())

    status = whole.run("cat", "/proc/1/status")
    ids = {line.split(":")[0]: line.split(":")[1].split() for line in status.splitlines() if ":" in line}
    assert ids["Uid"] == ["10001"] * 4
    assert "are not compiled" not in whole.said()
    eventually(lambda: "einstein-4.table" in whole.run("ls", "/data/brettwerk/tables"), within_s=60)
    assert f"maxmemory {MEMORY_MB // 4}mb" in whole.run("cat", "/data/brettwerk/redis/redis.conf")
    assert "(signal 9)" not in whole.said(), "the kernel has ended a process for want of memory"

    assert whole.stop() == 0
    whole.start()
    play(ada, *begun)
    ada.close()


def play(stranger: Stranger, session: sessions_pb2.Session, seats: dict[int, str]) -> None:
    last = stranger.play(session.id, seats[0], random.Random(3))
    assert sum(last.session.outcome.scores) == 1
