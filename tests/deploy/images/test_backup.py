"""The chart's backup of running games, with the containers that the CronJob runs: a store is started on what it has copied."""

import os
import secrets
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from tests.deploy.chart.rendering import CHART
from tests.deploy.containers import Podman
from tests.deploy.tools import ROOT
from tests.e2e.stranger import eventually

pytestmark = [pytest.mark.e2e, pytest.mark.nightly, pytest.mark.slow, pytest.mark.timeout(1300)]

SCRIPTS = CHART / "files" / "backup"
PASSWORD = "a password of a test"
KEYS = 500
_LOCKED = ("--read-only", "--read-only-tmpfs=false", "--cap-drop", "all")
_OURS = ("--user", "10001:10001")
_FAULTY = """#!/bin/sh
/usr/bin/valkey-cli "$@" || exit 1
case "$*" in *--rdb*) for file; do :; done; truncate -s 100 "$file" ;; esac
"""


class Stores:
    """Stores in a network of their own; all of it is removed in the end."""

    def __init__(self, podman: Podman, folder: Path) -> None:
        self.podman, self.folder, self.name = podman, folder, f"backup{secrets.token_hex(4)}"
        podman("network", "create", self.name)
        self._started: list[str] = []

    def start(self, data: Path, user: str = "10001:10001") -> str:
        """Start a store on a folder, and return its name when it answers."""
        name = f"{self.name}-{len(self._started)}"
        self._started.append(name)
        command = ("valkey-server", "--dir", "/data", "--appendonly", "yes", "--save", "", "--requirepass", PASSWORD)
        self.podman("run", "--detach", "--name", name, "--network", self.name, *_LOCKED, "--user", user, "--volume", f"{data}:/data", self.podman.store_image, *command)  # fmt: skip # noqa: E501
        eventually(lambda: "PONG" in self.ask(name, "ping"), within_s=60)
        return name

    def ask(self, name: str, *command: str) -> str:
        return self.podman("exec", "--env", f"REDISCLI_AUTH={PASSWORD}", name, "valkey-cli", *command, check=False).stdout.strip()

    def back_up(self, store: str, backups: Path, *, faulty: bool = False) -> subprocess.CompletedProcess[str]:
        """Do what the CronJob's first container does."""
        given = [f"STORE_HOST={store}", f"REDISCLI_AUTH={PASSWORD}", "BACKUP=/backup"]
        volumes = [f"{SCRIPTS}:/scripts:ro", f"{backups}:/backup"]
        if faulty:
            (self.folder / "valkey-cli").write_text(_FAULTY)
            (self.folder / "valkey-cli").chmod(0o755)
            volumes.append(f"{self.folder / 'valkey-cli'}:/usr/local/bin/valkey-cli:ro")
        options = [word for one in given for word in ("--env", one)] + [word for one in volumes for word in ("--volume", one)]
        return self.podman("run", "--rm", "--network", self.name, *_LOCKED, *_OURS, *options, self.podman.store_image, "sh", "/scripts/games.sh", check=False)  # fmt: skip # noqa: E501

    def restore(self, backups: Path, games: Path, archive: Path) -> None:
        """Do what the pod of the guide does, as its user."""
        pod = yaml.safe_load((ROOT / "deploy" / "manifests" / "restore.yaml").read_text())["spec"]
        (container,) = pod["containers"]
        user, group = pod["securityContext"]["runAsUser"], pod["securityContext"]["fsGroup"]
        volumes = [word for one in (f"{backups}:/backup:ro", f"{games}:/games", f"{archive}:/archive") for word in ("--volume", one)]  # fmt: skip # noqa: E501
        self.podman("run", "--rm", *_LOCKED, "--user", f"{user}:{user}", "--group-add", str(group), *volumes, self.podman.store_image, *container["command"])  # fmt: skip # noqa: E501

    def close(self) -> None:
        for name in self._started:
            self.podman("rm", "--force", "--time", "0", name)
        self.podman("network", "rm", "--force", self.name)


@pytest.fixture
def stores(images: Podman, tmp_path: Path) -> Iterator[Stores]:
    tmp_path.chmod(0o755)
    stores = Stores(images, tmp_path)
    yield stores
    stores.close()


def folder(path: Path, user: int = 10001) -> Path:
    """Return a folder that belongs to the user of a container, and to the group that pods give their volumes."""
    path.mkdir()
    os.chown(path, user, 10001)
    path.chmod(0o2775)
    return path


def test_a_store_that_is_started_on_a_backup_has_every_game(stores: Stores, images: Podman, tmp_path: Path) -> None:
    store, backups = stores.start(folder(tmp_path / "data")), folder(tmp_path / "backups")
    stores.ask(store, "eval", f"for i = 1, {KEYS} do redis.call('hset', 'game:' .. i, 'log', string.rep('x', i)) end", "0")
    done = stores.back_up(store, backups)
    assert done.returncode == 0, done.stderr
    assert f"{KEYS} keys were read back from the copy" in done.stdout
    assert not (backups / "unfinished" / "trial").exists()
    finish = ("python", "/scripts/databases.py", "/backup", "7")
    images("run", "--rm", *_LOCKED, *_OURS, "--volume", f"{SCRIPTS}:/scripts:ro", "--volume", f"{backups}:/backup", "--entrypoint", finish[0], images.image("session"), *finish[1:])  # fmt: skip # noqa: E501
    assert not (backups / "unfinished").exists()
    games, archive = folder(tmp_path / "games", 999), folder(tmp_path / "archive")
    folder(games / "appendonlydir", 999)
    stores.restore(backups, games, archive)
    assert {path.name for path in games.iterdir()} == {"appendonlydir", "before-restore"}
    restored = stores.start(games, user="999:999")
    assert stores.ask(restored, "dbsize") == str(KEYS)
    assert stores.ask(restored, "hget", "game:7", "log") == "x" * 7


def test_a_copy_that_no_server_can_read_is_no_backup(stores: Stores, tmp_path: Path) -> None:
    store, backups = stores.start(folder(tmp_path / "data")), folder(tmp_path / "backups")
    stores.ask(store, "eval", f"for i = 1, {KEYS} do redis.call('set', 'game:' .. i, 'log') end", "0")
    done = stores.back_up(store, backups, faulty=True)
    assert done.returncode != 0
    assert "no server starts on it" in done.stderr
