import os
import socket
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from deploy.local.folder import LONGEST_SOCKET, DataFolder
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


def modes(folder: Path) -> dict[str, str]:
    return {path.name: f"{stat.S_IMODE(path.stat().st_mode):04o}" for path in (folder, *folder.rglob("*"))}


@pytest.mark.parametrize(("mode", "what"), [(0o755, "read"), (0o777, "write"), (0o750, "read")])
def test_a_folder_that_others_may_read_is_closed_to_them_and_that_is_said(tmp_path: Path, mode: int, what: str):
    data, outside = tmp_path / "data", tmp_path / "outside"
    (data / "redis").mkdir(parents=True, mode=0o755)
    for file in (data / "archive.sqlite3", data / "redis" / "appendonly.aof", outside):
        file.touch(mode=0o644)
    (data / "link").symlink_to(outside)
    data.chmod(mode)
    with DataFolder(data) as folder:
        assert folder.warnings == [
            f"others on this machine could {what} the data folder {data} (mode {mode:04o}); "
            "now only its owner can, and the 3 files and folders in it that were open"
        ]
    assert set(modes(data).values()) - {"0700", "0600"} == {modes(tmp_path)["outside"]}, "what a link leads to is not ours"
    with DataFolder(data) as folder:
        assert folder.warnings == []


def test_files_that_only_their_modes_leave_open_are_closed_without_a_word(tmp_path: Path):
    data = tmp_path / "data"
    data.mkdir(mode=0o700)
    (data / "archive.sqlite3").touch(mode=0o644)
    with DataFolder(data) as folder:
        assert folder.warnings == []
    assert modes(data)["archive.sqlite3"] == "0600"


def test_a_folder_whose_modes_cannot_be_changed_is_warned_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def refused(_path: Path, _mode: int) -> None:
        raise PermissionError

    tmp_path.chmod(0o755)
    monkeypatch.setattr(Path, "chmod", refused)  # as on a disk whose file system knows no modes
    with DataFolder(tmp_path) as folder:
        (warning,) = folder.warnings
    assert "may read the data folder" in warning
    assert "--data" in warning


def test_a_damaged_key_is_refused_and_not_replaced(tmp_path: Path):
    (tmp_path / "secret_key").write_text("short")
    with DataFolder(tmp_path) as folder, pytest.raises(LauncherError, match="backup"):
        folder.secret_key()
    assert (tmp_path / "secret_key").read_text() == "short"


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path):
    (tmp_path / "file").touch()
    with pytest.raises(LauncherError, match="cannot be used"), DataFolder(tmp_path / "file" / "data"):
        pass


def test_sockets_have_short_paths_however_deep_the_data_folder_and_the_temporary_one_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    deep = tmp_path / ("deep" * 25)
    deep.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(deep))
    with DataFolder(deep / "data") as folder:
        sockets = folder.sockets
        with socket.socket(socket.AF_UNIX) as listening:
            listening.bind(str(sockets / LONGEST_SOCKET))
        assert stat.S_IMODE(sockets.stat().st_mode) == 0o700
    assert not sockets.exists()
    assert list(deep.iterdir()) == [deep / "data"], "nothing else is left"
