"""The launcher as people start it."""

import contextlib
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

import httpx
import psutil
import pytest

from deploy.local.folder import DataFolder
from tests.brettwerk_games.players.einstein.conftest import needs_compiler
from tests.deploy.local.test_process_supervisor import until
from tests.ports import free_port
from tests.process_tree import running

pytestmark = pytest.mark.e2e


WITHOUT_SETTINGS = {name: value for name, value in os.environ.items() if not name.startswith("BRETTWERK_")}


class Launcher:
    def __init__(self, *options: str, web: bool = False, environment: Mapping[str, str] = MappingProxyType({})) -> None:
        command = [sys.executable, "-P", "-m", "deploy.local", *(() if web else ("--no-web",)), *options]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env={**WITHOUT_SETTINGS, **environment}
        )
        self.said = ""

    def hear(self, pattern: str) -> str:
        """Read on until a line has `pattern`; returns its group."""
        assert self.process.stdout
        for line in self.process.stdout:
            self.said += line
            if match := re.search(pattern, line):
                return match[1] if match.groups() else match[0]
        raise AssertionError(f"it never said {pattern}, but\n{self.said}")

    def end(self) -> int:
        code = self.process.wait(60)
        assert self.process.stdout
        self.said += self.process.stdout.read()
        self.process.stdout.close()
        return code


@pytest.fixture
def launcher(tmp_path: Path) -> Iterator[Launcher]:
    launcher = Launcher("--data", str(tmp_path / "data"), "--port", "0", "--grpc-port", "0", "--workers", "1")
    yield launcher
    if launcher.process.poll() is None:
        launcher.process.kill()
        launcher.end()


def descendants(launcher: Launcher) -> list[psutil.Process]:
    return psutil.Process(launcher.process.pid).children(recursive=True)


def gone(processes: list[psutil.Process]) -> bool:
    return not any(process.is_running() and process.status() != psutil.STATUS_ZOMBIE for process in processes)


def test_ctrl_c_stops_everything_in_order_and_the_folder_is_free_again(launcher: Launcher, tmp_path: Path):
    launcher.hear("Ctrl-C stops everything")
    everything = [tmp_path / "data", *(tmp_path / "data").rglob("*")]
    assert {"archive.sqlite3", "players.sqlite3", "session.log", "appendonlydir"} <= {path.name for path in everything}
    assert [path for path in everything if path.exists() and path.stat().st_mode & 0o077] == [], "all of it is its owner's only"
    assert re.findall(r"^  (\w+) is ready after", launcher.said, re.MULTILINE)[0] == "redis"
    processes = descendants(launcher)
    assert len(processes) >= 7  # six processes and the worker's pool
    launcher.process.send_signal(signal.SIGINT)
    assert launcher.end() == 0
    assert "stopped" in launcher.said
    assert "killed" not in launcher.said
    assert gone(processes)
    with DataFolder(tmp_path / "data"):
        assert {log.stem for log in (tmp_path / "data" / "logs").iterdir()} >= {"rules", "session", "gateway"}


BUILDER = "brettwerk_games.players.einstein.tables"


@pytest.mark.nightly
@needs_compiler
def test_of_endgame_tables_only_the_small_ones_are_written_unasked(tmp_path: Path):
    data, tables = tmp_path / "data", tmp_path / "tables"
    options = ("--data", str(data), "--port", "0", "--grpc-port", "0", "--workers", "1")
    launcher = Launcher(*options, environment={"BRETTWERK_TABLES_FOLDER": str(tables)})
    try:
        launcher.hear("Ctrl-C stops everything")
        until(lambda: (tables / "einstein-4.table").exists() and not running(BUILDER, descendants(launcher)))
        assert sum(file.stat().st_size for file in tables.iterdir()) < 25e6
    finally:
        launcher.process.terminate()
        assert launcher.end() == 0


@pytest.mark.nightly
@needs_compiler
def test_large_tables_are_built_when_asked_for(tmp_path: Path):
    data, tables = tmp_path / "data", tmp_path / "tables"
    options = ("--data", str(data), "--port", "0", "--grpc-port", "0", "--workers", "1", "--tables", "5")
    launcher = Launcher(*options, environment={"BRETTWERK_TABLES_FOLDER": str(tables)})
    try:
        launcher.hear(rf"  tables: building tables of .*5 stones: 1,\d+ MB in {tables}, about \d+ seconds of a core")
        launcher.hear(r"  tables: 5 stones \[#* *\] +\d+%.* s to go")
    finally:
        launcher.process.terminate()
        assert launcher.end() == 0
    assert not (tables / "einstein-5.part").exists()


@contextlib.contextmanager
def full_pipe() -> Iterator[int]:
    """Yield the end for writing of a pipe that is full, and that nobody reads."""
    read, write = os.pipe()
    try:
        os.set_blocking(write, False)
        with contextlib.suppress(BlockingIOError):
            while True:
                os.write(write, bytes(4096))
        os.set_blocking(write, True)
        yield write
    finally:
        os.close(read)
        os.close(write)


@pytest.mark.nightly
def test_it_starts_and_ends_though_nobody_reads_what_it_says(tmp_path: Path):
    port = free_port()
    options = ["--data", str(tmp_path / "data"), "--port", str(port), "--grpc-port", "0", "--workers", "1", "--verbose"]
    with full_pipe() as output:
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "deploy.local", "--no-web", *options], stdout=output, stderr=output, env=WITHOUT_SETTINGS
        )
        try:
            until(lambda: answers(f"http://127.0.0.1:{port}/v1/health"))
            processes = psutil.Process(process.pid).children(recursive=True)
            process.terminate()
            assert process.wait(60) == 0
        finally:
            process.kill()
    assert gone(processes)


@pytest.mark.nightly
def test_a_process_that_hangs_does_not_keep_it_from_ending(launcher: Launcher):
    launcher.hear("Ctrl-C stops everything")
    processes = descendants(launcher)
    for process in processes:
        if process.name() in ("gateway", "worker") or "valkey" in process.name():
            process.suspend()
    launcher.process.terminate()
    assert launcher.end() in (0, 130)
    assert gone(processes)


@pytest.mark.nightly
@pytest.mark.parametrize("after_s", [0.0, 0.3, 0.6, 1.0, 1.5, 2.0, 3.0, 5.0])
def test_a_signal_while_it_starts_ends_it(after_s: float, launcher: Launcher):
    time.sleep(after_s)  # when the signal comes is what is tried
    processes = descendants(launcher)
    launcher.process.terminate()
    assert launcher.end() in (0, -signal.SIGTERM)  # before it heard signals
    until(lambda: gone(processes))


def test_a_data_folder_that_cannot_be_used_is_said_in_one_sentence(tmp_path: Path):
    (tmp_path / "redis" / "redis.conf").mkdir(parents=True)
    launcher = Launcher("--data", str(tmp_path), "--port", "0", "--grpc-port", "0")
    assert launcher.end() == 1
    assert launcher.said == f"starting Brettwerk\nBrettwerk cannot go on: Is a directory ({tmp_path}/redis/redis.conf)\n"


@pytest.mark.nightly
def test_a_folder_of_any_name_and_any_locale_will_do(tmp_path: Path):
    data = tmp_path / "Spiele für alle"
    options = ("--data", str(data), "--port", "0", "--grpc-port", "0", "--workers", "1")
    launcher = Launcher(*options, environment={"LC_ALL": "C", "PYTHONUTF8": "0"})
    launcher.hear("Ctrl-C stops everything")
    launcher.process.terminate()
    assert launcher.end() == 0
    assert (data / "redis" / "appendonlydir").is_dir()


@pytest.mark.nightly
def test_a_second_ctrl_c_stops_at_once(launcher: Launcher):
    launcher.hear("Ctrl-C stops everything")
    processes = descendants(launcher)
    launcher.process.send_signal(signal.SIGINT)
    launcher.hear("stopping")
    launcher.process.send_signal(signal.SIGINT)
    assert launcher.end() in (0, 130)  # 0: it had ended in order meanwhile
    until(lambda: gone(processes))


@pytest.mark.nightly
def test_a_killed_launcher_leaves_no_process(launcher: Launcher, tmp_path: Path):
    launcher.hear("Ctrl-C stops everything")
    processes = descendants(launcher)
    launcher.process.kill()
    launcher.end()
    until(lambda: gone(processes))
    with DataFolder(tmp_path / "data"):
        pass


def test_a_taken_port_is_said_at_once_with_the_option_that_changes_it(deployment, tmp_path: Path):
    port = deployment.web_address.rpartition(":")[2]
    launcher = Launcher("--data", str(tmp_path), "--port", port)
    assert launcher.end() == 1
    assert f"port {port}" in launcher.said
    assert "--port NUMBER" in launcher.said
    assert "Traceback" not in launcher.said


@pytest.mark.nightly
def test_a_killed_process_is_reported_and_started_again(launcher: Launcher):
    launcher.hear("Ctrl-C stops everything")
    gateway = next(p for p in psutil.process_iter(["name"]) if p.info["name"] == "gateway" and p in descendants(launcher))
    gateway.kill()
    launcher.hear(r"gateway has stopped \(signal 9\)")
    launcher.hear("gateway is back after")
    launcher.process.send_signal(signal.SIGTERM)
    assert launcher.end() == 0


@pytest.mark.nightly
def test_the_page_is_that_of_the_sources_while_they_are_being_written(tmp_path: Path):
    port = free_port()
    launcher = Launcher("--data", str(tmp_path / "data"), "--port", str(port), "--grpc-port", "0", "--reload", web=True)
    try:
        page = launcher.hear(r"the page as its sources are: (\S+)")
        launcher.hear("services start again when their sources change")
        until(lambda: answers(page))
        assert "/@vite/client" in httpx.get(page, trust_env=False).text
        made = httpx.post(f"{page}v1/CreatePlayer", json={"name": "Ada", "requestId": "12345678"}, trust_env=False, timeout=20)
        assert made.raise_for_status().json()["name"] == "Ada"
        processes = descendants(launcher)
        assert "gateway" not in {process.name() for process in processes}, "none is forked from one that has read the sources"
    finally:
        launcher.process.send_signal(signal.SIGINT)
        assert launcher.end() == 0
    until(lambda: gone(processes))


def answers(address: str) -> bool:
    try:
        return httpx.get(address, trust_env=False, timeout=20).status_code == 200
    except httpx.TransportError:
        return False


def test_without_a_page_the_endpoints_for_programs_are_open(deployment):
    created = httpx.post(
        f"http://{deployment.web_address}/v1/CreatePlayer", json={"name": "Ada", "requestId": "12345678"}, timeout=20
    )
    assert created.raise_for_status().json()["name"] == "Ada"


@pytest.mark.nightly
def test_one_option_lets_pages_of_another_origin_in(tmp_path: Path):
    port, origin = free_port(), "https://play.example"
    ports = ("--port", str(port), "--grpc-port", "0")
    launcher = Launcher("--data", str(tmp_path / "data"), *ports, "--workers", "1", "--allowed-origins", origin)
    try:
        launcher.hear("Ctrl-C stops everything")
        asked = httpx.options(
            f"http://127.0.0.1:{port}/v1/Act",
            headers={"origin": origin, "access-control-request-method": "POST"},
            trust_env=False,
            timeout=20,
        )
        assert (asked.status_code, asked.headers["access-control-allow-origin"]) == (204, origin)
    finally:
        launcher.process.send_signal(signal.SIGINT)
        assert launcher.end() == 0
