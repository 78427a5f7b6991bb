"""Backups, of a data folder that is in use and of one that is not, and what restoring them gives."""

import io
import json
import random
import shutil
import sqlite3
import stat
import tarfile
from pathlib import Path

import grpc
import pytest

from deploy.local import backup
from deploy.local.command import main
from deploy.local.deployment import Deployment
from deploy.local.folder import DataFolder
from deploy.local.launcher_error import LauncherError
from deploy.local.processes import Processes
from tests.chaos.test_kill import acknowledged_are_in_the_log, act_whatever_happens
from tests.deploy.local import stores
from tests.deploy.local.stores import KEY
from tests.e2e.stranger import Stranger, computer, me
from tests.ports import free_port


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with games that a server wrote."""
    data = tmp_path_factory.mktemp("games") / "data"
    stores.write_games(data, free_port())
    return data


@pytest.fixture
def data(tmp_path: Path, games: Path) -> Path:
    """A data folder that is not in use."""
    folder = shutil.copytree(games, tmp_path / "data")
    with sqlite3.connect(folder / "archive.sqlite3") as archive:
        archive.execute("create table games (id text)")
        archive.execute("insert into games values ('a game')")
    archive.close()
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in (folder / "redis").rglob("*") if path.is_file()}


def test_a_restored_backup_equals_the_data_it_was_made_of(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "games.tar.gz"
    assert main(["backup", str(file), "--data", str(data)]) == 0
    assert capsys.readouterr().out == f"{file} holds everything of {data}\n"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    elsewhere = tmp_path / "elsewhere"
    assert main(["restore", str(file), "--data", str(elsewhere)]) == 0
    assert contents(elsewhere) == contents(data)
    assert (elsewhere / "secret_key").read_text() == KEY
    assert all(stat.S_IMODE(path.stat().st_mode) & 0o077 == 0 for path in (elsewhere, *elsewhere.rglob("*")))
    with sqlite3.connect(elsewhere / "archive.sqlite3") as archive:
        assert archive.execute("select id from games").fetchall() == [("a game",)]
    archive.close()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data", "elsewhere", "games.tar.gz"]


def test_a_folder_that_is_not_empty_is_put_aside_only_when_asked_to(data: Path, tmp_path: Path):
    file = tmp_path / "games.tar.gz"
    backup.make(data, file)
    (data / "redis" / "later").touch()
    with pytest.raises(LauncherError, match="not empty"):
        backup.restore(file, data)
    assert (data / "redis" / "later").exists()
    aside = backup.restore(file, data, force=True).aside
    assert aside is not None
    assert (aside / "redis" / "later").exists()
    assert not (data / "redis" / "later").exists()


def test_a_folder_that_is_in_use_is_not_replaced(data: Path, tmp_path: Path):
    file = tmp_path / "games.tar.gz"
    backup.make(data, file)
    with DataFolder(data), pytest.raises(LauncherError, match="in use"):
        backup.restore(file, data, force=True)
    assert (data / "secret_key").exists()


def test_a_folder_that_holds_only_a_lock_is_as_good_as_none(data: Path, tmp_path: Path):
    file, stopped = tmp_path / "games.tar.gz", tmp_path / "stopped"
    backup.make(data, file)
    stopped.mkdir()
    (stopped / "lock").write_text("1\n")
    assert backup.restore(file, stopped).aside is None
    assert contents(stopped) == contents(data)
    assert not list(tmp_path.glob("stopped.before-*"))


def test_a_folder_that_holds_only_a_lock_which_somebody_has_is_in_use(data: Path, tmp_path: Path):
    file, used = tmp_path / "games.tar.gz", tmp_path / "used"
    backup.make(data, file)
    with DataFolder(used):
        for folder in (entry for entry in used.iterdir() if entry.is_dir()):
            folder.rmdir()
        with pytest.raises(LauncherError, match="in use"):
            backup.restore(file, used)
    assert (used / "lock").exists()


@pytest.mark.parametrize("held", ["lock/games", "redis/lock"])
def test_a_file_called_lock_elsewhere_is_not_lost(data: Path, tmp_path: Path, held: str):
    file, other = tmp_path / "games.tar.gz", tmp_path / "other"
    backup.make(data, file)
    (other / held).parent.mkdir(parents=True)
    (other / held).write_text("mine")
    with pytest.raises(LauncherError):
        backup.restore(file, other)
    assert (other / held).read_text() == "mine"


def test_a_file_that_is_there_is_not_written_over(data: Path, tmp_path: Path):
    (tmp_path / "other").write_text("something else")
    with pytest.raises(LauncherError, match="there already"):
        backup.make(data, tmp_path / "other")
    with pytest.raises(LauncherError, match="no data folder"):
        backup.make(tmp_path / "nowhere", tmp_path / "games.tar.gz")
    assert (tmp_path / "other").read_text() == "something else"


def test_a_backup_names_the_data_kept_elsewhere(data: Path, tmp_path: Path):
    elsewhere = {"BRETTWERK_DATABASE_URL": "postgresql+psycopg://u:p@h/d", "BRETTWERK_REDIS_URL": "redis://h"}
    missing = backup.make(data, tmp_path / "games.tar.gz", elsewhere)
    assert ["pg_dump" in sentence or "Redis" in sentence for sentence in missing] == [True, True]


def damaged(file: Path) -> list[bytes]:
    """The bytes of a backup, damaged in every way that may happen to a file."""
    whole = file.read_bytes()
    dice = random.Random(7)
    cut = [whole[: len(whole) * share // 10] for share in range(10)]
    flipped = []
    for _ in range(20):
        place = dice.randrange(len(whole))
        flipped.append(whole[:place] + bytes([whole[place] ^ 0x55]) + whole[place + 1 :])
    return [*cut, *flipped, b"not a backup at all\n" * 1000]


def test_a_damaged_file_is_refused_with_one_sentence_and_nothing_is_made(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    file, broken, elsewhere = tmp_path / "games.tar.gz", tmp_path / "broken", tmp_path / "elsewhere"
    backup.make(data, file)
    refused = 0
    for content in damaged(file):
        broken.write_bytes(content)
        if main(["restore", str(broken), "--data", str(elsewhere)]) == 0:
            assert contents(elsewhere) == contents(data)  # a byte that means nothing, such as the time in gzip's header
            backup.restore(file, elsewhere, force=True)
            for path in (path for path in tmp_path.iterdir() if path.name.startswith("elsewhere")):
                path.rename(tmp_path.parent / f"{tmp_path.name}-{path.name}-{random.random()}")
            continue
        refused += 1
        said = capsys.readouterr().err
        assert said.count("\n") == 1, said
        assert "cannot be restored" in said
        assert not elsewhere.exists()
    assert refused >= 28


def rewritten(file: Path, target: Path, change) -> None:
    """Write a backup again with its manifest and members changed."""
    with tarfile.open(file) as tar:
        members = {member.name: tar.extractfile(member).read() for member in tar}  # type: ignore[union-attr]
    manifest = json.loads(members.pop(backup.MANIFEST))
    change(manifest, members)
    with tarfile.open(target, "w:gz") as tar:
        for name, content in {backup.MANIFEST: json.dumps(manifest).encode(), **members}.items():
            member = tarfile.TarInfo(name)
            member.size = len(content)
            tar.addfile(member, io.BytesIO(content))


def escape(manifest, members) -> None:
    manifest["files"]["../outside"] = manifest["files"]["secret_key"]
    members["../outside"] = members["secret_key"]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda manifest, _: manifest.update(format=2), "its format is 2"),
        (lambda _, members: members.update(secret_key=b"K" * 48), "secret_key is not as"),
        (lambda _, members: members.pop("secret_key"), "secret_key is missing"),
        (lambda _, members: members.update(other=b"x"), "other is not as"),
        (escape, "outside is not as"),
        (lambda manifest, _: manifest.pop("files"), "no backup"),
    ],
)
def test_a_file_that_somebody_changed_is_refused(data: Path, tmp_path: Path, change, sentence: str):
    file = tmp_path / "games.tar.gz"
    backup.make(data, file)
    rewritten(file, tmp_path / "changed", change)
    with pytest.raises(LauncherError, match=sentence):
        backup.restore(tmp_path / "changed", tmp_path / "elsewhere")
    assert not (tmp_path / "elsewhere").exists()
    assert not (tmp_path / "outside").exists()


def test_a_link_in_place_of_a_file_is_refused_though_the_manifest_names_it(data: Path, tmp_path: Path):
    file, changed = tmp_path / "games.tar.gz", tmp_path / "changed"
    backup.make(data, file)
    with tarfile.open(file) as tar, tarfile.open(changed, "w:gz") as other:
        for member in tar:
            content = tar.extractfile(member)
            if member.name == "secret_key":
                member.type, member.linkname = tarfile.SYMTYPE, "/etc/hostname"
            other.addfile(member, content)
    with pytest.raises(LauncherError, match="secret_key is not as"):
        backup.restore(changed, tmp_path / "elsewhere")
    assert not (tmp_path / "elsewhere").exists()


@pytest.mark.nightly
@pytest.mark.e2e
def test_a_game_stands_where_the_backup_was_and_is_played_to_its_end(tmp_path: Path):
    file, dice = tmp_path / "games.tar.gz", random.Random(3)
    with Deployment(data=tmp_path / "data", processes=Processes(web=False)) as deployment:
        ada = Stranger(deployment.grpc_address, "Ada")
        session, seats = ada.create(me(), computer())
        versions = [act_whatever_happens(ada, session.id, seats[0], dice) for _ in range(3)]
        before = list(ada.record(session.id).entries)  # the computer may move while the backup is made
        assert backup.make(deployment.data, file) == []
        later = act_whatever_happens(ada, session.id, seats[0], dice)
        assert later is not None
        ada.close()
    backup.restore(file, tmp_path / "elsewhere")
    with Deployment(data=tmp_path / "elsewhere", processes=Processes(web=False)) as deployment:
        ada.channel = grpc.insecure_channel(deployment.grpc_address)
        again = Stranger(deployment.grpc_address, "Somebody else")
        ada.stub = again.stub
        entries = list(ada.record(session.id).entries)
        assert entries[: len(before)] == before
        assert versions[-1] in [entry.version for entry in entries]
        while (version := act_whatever_happens(ada, session.id, seats[0], dice)) is not None:
            versions.append(version)
        acknowledged_are_in_the_log(ada, session.id, [version for version in versions if version is not None])
        ada.channel.close()
        again.close()
