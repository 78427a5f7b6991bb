import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from deploy.local.folder import DataFolder
from deploy.local.launcher_error import LauncherError


def test_one_launcher_at_a_time_uses_a_folder_and_the_second_is_told_which_one_does(tmp_path: Path):
    with DataFolder(tmp_path / "data"):
        with pytest.raises(LauncherError) as raised, DataFolder(tmp_path / "data"):
            pass
        assert f"process {os.getpid()}" in str(raised.value)
        assert "--data" in str(raised.value)
    with DataFolder(tmp_path / "data"):
        pass


def test_the_lock_lasts_while_a_process_that_inherited_it_lives(tmp_path: Path):
    folder = DataFolder(tmp_path)
    with folder:
        child = subprocess.Popen(
            [sys.executable, "-c", "input()"], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, pass_fds=[folder.lock]
        )
    with pytest.raises(LauncherError), DataFolder(tmp_path):
        pass
    child.communicate(b"\n")
    with DataFolder(tmp_path):
        pass


def test_the_key_is_made_once_and_only_its_owner_may_read_it(tmp_path: Path):
    with DataFolder(tmp_path) as folder:
        key = folder.secret_key()
        assert folder.secret_key() == key
        assert len(key) >= 32
        assert stat.S_IMODE((tmp_path / "secret_key").stat().st_mode) == 0o600
    with DataFolder(tmp_path) as folder:
        assert folder.secret_key() == key


def test_a_damaged_key_is_refused_and_not_replaced(tmp_path: Path):
    (tmp_path / "secret_key").write_text("short")
    with DataFolder(tmp_path) as folder, pytest.raises(LauncherError, match="backup"):
        folder.secret_key()
    assert (tmp_path / "secret_key").read_text() == "short"


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path):
    (tmp_path / "file").touch()
    with pytest.raises(LauncherError, match="cannot be used"), DataFolder(tmp_path / "file" / "data"):
        pass
