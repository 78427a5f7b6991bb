"""Damaged data folders, as people meet them: what the launcher, backup, restore and mend say, and what is left of the games."""

import contextlib
import random
import shutil
import sqlite3
import tempfile
import zlib
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
import redis as client

from deploy.local import backup, damage, redis, trial
from deploy.local.command import main
from deploy.local.damage import Verdict
from deploy.local.deployment import Deployment
from deploy.local.folder import DataFolder
from deploy.local.launcher_error import LauncherError
from deploy.local.processes import Processes
from tests.chaos.test_kill import acknowledged_are_in_the_log, act_whatever_happens
from tests.deploy.local import stores
from tests.deploy.local.stores import INCREMENT
from tests.e2e.stranger import Stranger, computer, eventually, me
from tests.ports import free_port

BASE = "redis/appendonlydir/appendonly.aof.1.base.rdb"
MANIFEST = "redis/appendonlydir/appendonly.aof.manifest"


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, int]:
    """A data folder with games and an archive, and how long its logs are together."""
    data = tmp_path_factory.mktemp("games") / "data"
    writes = len(stores.write_games(data, free_port())) - 1
    with contextlib.closing(sqlite3.connect(data / "archive.sqlite3")) as archive:
        archive.execute("CREATE TABLE archived_sessions (session_id TEXT PRIMARY KEY, record BLOB NOT NULL)")
        archive.execute("CREATE TABLE saved_games (save_id TEXT PRIMARY KEY, record BLOB NOT NULL)")
        for number in range(500):
            record = zlib.compress(random.Random(number).randbytes(3000))
            archive.execute("INSERT INTO archived_sessions VALUES (?, ?)", (f"game {number}", record))
        archive.commit()
    return data, writes


@pytest.fixture
def data(games: tuple[Path, int], tmp_path: Path) -> Path:
    return shutil.copytree(games[0], tmp_path / "data", ignore=shutil.ignore_patterns("lock"))


def zeros_at_the_end(data: Path) -> None:
    with (data / INCREMENT).open("ab") as file:
        file.write(bytes(4096))


def zeros_in_the_middle(data: Path) -> None:
    content = bytearray((data / INCREMENT).read_bytes())
    content[8192:12288] = bytes(4096)
    (data / INCREMENT).write_bytes(content)


def cut_off(data: Path) -> None:
    (data / INCREMENT).write_bytes((data / INCREMENT).read_bytes()[:-7])


def empty_manifest(data: Path) -> None:
    (data / MANIFEST).write_bytes(b"")


def no_manifest(data: Path) -> None:
    (data / MANIFEST).unlink()


def damaged_base(data: Path) -> None:
    content = bytearray((data / BASE).read_bytes())
    content[-20:-12] = bytes(8)
    (data / BASE).write_bytes(content)


def damaged_archive(data: Path) -> None:
    content = bytearray((data / "archive.sqlite3").read_bytes())
    content[4096 * 40 : 4096 * 43] = bytes(4096 * 3)
    (data / "archive.sqlite3").write_bytes(content)


def no_archive_at_all(data: Path) -> None:
    (data / "archive.sqlite3").write_bytes(bytes(8192))


Damaging = Callable[[Path], None]
MENDED = [
    (zeros_at_the_end, "holds only zeros from byte"),
    (zeros_in_the_middle, "is damaged from byte"),
    (cut_off, "ends in the middle of a write from byte"),
    (empty_manifest, "appendonly.aof.manifest is empty"),
    (no_manifest, "appendonly.aof.manifest is missing"),
    (damaged_archive, "archive.sqlite3 is damaged"),
]
NOT_MENDED = [(damaged_base, "appendonly.aof.1.base.rdb"), (no_archive_at_all, "archive.sqlite3 is damaged")]


def only_line(text: str) -> str:
    assert text.count("\n") == 1, text
    return text


@pytest.mark.parametrize(("damaging", "says"), MENDED + NOT_MENDED)
def test_there_is_no_backup_of_a_damaged_folder_and_that_is_said(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], damaging: Damaging, says: str
) -> None:
    damaging(data)
    assert main(["backup", str(tmp_path / "games.tar.gz"), "--data", str(data)]) == 1
    said = only_line(capsys.readouterr().err)
    assert "there is no backup" in said
    assert says in said
    assert f"scripts/mend --data {data}" in said
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data"]


def untried(data: Path, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a backup as releases did that did not try it."""
    with monkeypatch.context() as patch:
        patch.setattr(damage, "try_out", lambda _data: Verdict((), ()))
        backup.make(data, file)


@pytest.mark.parametrize(("damaging", "says"), [one for one in MENDED if one[0] is not damaged_archive])
def test_a_backup_that_no_server_can_start_on_is_restored_only_as_far_as_it_is_whole_and_when_asked_to(
    games: tuple[Path, int],
    data: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    damaging: Damaging,
    says: str,
) -> None:
    file, elsewhere = tmp_path / "games.tar.gz", tmp_path / "elsewhere"
    damaging(data)
    untried(data, file, monkeypatch)
    assert main(["restore", str(file), "--data", str(elsewhere)]) == 1
    said = only_line(capsys.readouterr().err)
    assert "cannot be restored" in said
    assert says in said
    assert "--mend" in said
    assert not elsewhere.exists()
    assert main(["restore", str(file), "--data", str(elsewhere), "--mend"]) == 0
    assert "except for this" in capsys.readouterr().out
    with trial.store(elsewhere / "redis") as connection:
        kept = sum(stores.logs(connection).values())
    assert kept == games[1] if damaging not in (zeros_in_the_middle, cut_off) else 0 < kept < games[1]


@pytest.mark.parametrize(("damaging", "says"), MENDED)
def test_mend_puts_a_copy_in_the_place_and_keeps_what_was_there(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], damaging: Damaging, says: str
) -> None:
    damaging(data)
    before = {path.relative_to(data): path.read_bytes() for path in data.rglob("*") if path.is_file()}
    assert main(["mend", "--data", str(data)]) == 0
    said = capsys.readouterr().out
    assert says.replace("is damaged", "").split()[0] in said
    assert "lost" in said or "loses" in said
    (aside,) = tmp_path.glob("data.before-*")
    assert before.items() <= {path.relative_to(aside): path.read_bytes() for path in aside.rglob("*") if path.is_file()}.items()
    assert damage.try_out(data) == Verdict((), ())
    assert main(["backup", str(tmp_path / "games.tar.gz"), "--data", str(data)]) == 0
    assert main(["mend", "--data", str(data)]) == 1
    assert "nothing in" in only_line(capsys.readouterr().err)


@pytest.mark.parametrize(("damaging", "says"), NOT_MENDED)
def test_damage_beyond_mending_is_reported_and_left_alone(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], damaging: Damaging, says: str
) -> None:
    damaging(data)
    assert main(["mend", "--data", str(data)]) == 1
    said = only_line(capsys.readouterr().err)
    assert "cannot be mended" in said
    assert says.split()[0] in said
    assert "restore a backup" in said
    assert [path.name for path in tmp_path.iterdir()] == ["data"]


def test_a_folder_that_is_in_use_is_not_mended(data: Path) -> None:
    zeros_at_the_end(data)
    with DataFolder(data), pytest.raises(LauncherError, match="in use"):
        damage.mend_folder(data)


def test_one_damaged_game_keeps_nobody_from_a_backup_and_is_named(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with redis_on(data) as connection:
        (key, *_) = stores.logs(connection)
        connection.lset(key, 1, b"\0" * 50)
        connection.bgrewriteaof()
        eventually(lambda: connection.info("persistence")["aof_rewrites"] == 1, within_s=60)
    with contextlib.closing(sqlite3.connect(data / "archive.sqlite3")) as archive:
        archive.execute("UPDATE archived_sessions SET record = zeroblob(100) WHERE session_id = 'game 7'")
        archive.commit()
    assert main(["backup", str(tmp_path / "games.tar.gz"), "--data", str(data)]) == 0
    said = capsys.readouterr().out
    assert "except for this:" in said
    assert f"the game {key.decode().rpartition(':')[2]} cannot be read from version 2 of" in said
    assert "the game game 7 of the archive cannot be read" in said


@contextlib.contextmanager
def redis_on(data: Path):
    """Run a server on a data folder."""
    port = free_port()
    configuration = redis.write_configuration(data / "redis", port, "secret")
    with stores.run([str(redis.find_server()), str(configuration)]), client.Redis(port=port, password="secret") as connection:
        eventually(lambda: answers(connection), within_s=60)
        yield connection
        connection.shutdown()


def answers(connection: "client.Redis") -> bool:
    with contextlib.suppress(client.RedisError):
        return bool(connection.ping())
    return False


@pytest.mark.e2e
@pytest.mark.parametrize(("damaging", "says"), [MENDED[0], MENDED[3], MENDED[4], MENDED[5], NOT_MENDED[0]])
def test_the_launcher_names_damage_and_its_remedy_in_one_sentence(data: Path, damaging: Damaging, says: str) -> None:
    damaging(data)
    before = {path: path.read_bytes() for path in (data / "redis" / "appendonlydir").iterdir()}
    with pytest.raises(LauncherError) as raised, Deployment(data=data, processes=Processes(web=False)):
        pass
    said = str(raised.value)
    assert "\n" not in said
    assert says in said
    assert f"scripts/mend --data {data}" in said
    assert {path: path.read_bytes() for path in (data / "redis" / "appendonlydir").iterdir()} == before


@pytest.mark.nightly
@pytest.mark.e2e
@pytest.mark.slow
def test_health_names_a_store_that_cannot_start_and_games_go_on_when_it_can(own_deployment: Deployment) -> None:
    ada = Stranger(own_deployment.grpc_address, "Ada")
    session, seats = ada.create(me(), computer())
    dice = random.Random(1)
    versions = [act_whatever_happens(ada, session.id, seats[0], dice)]

    def missing() -> list[str]:
        found: list[str] = httpx.get(f"http://{own_deployment.web_address}/v1/health", timeout=20).json()["missing"]
        return found

    assert missing() == []
    (file,) = (own_deployment.data / "redis" / "appendonlydir").glob("*.incr.aof")
    log = own_deployment.data / "logs" / "redis.log"
    own_deployment.restart("redis", lambda: zeros_on(file))
    eventually(lambda: "store" in missing(), within_s=90)
    eventually(lambda: f"{file.name} holds only zeros from byte" in log.read_text(), within_s=90)
    own_deployment.restart("redis", lambda: cut_zeros(file))
    own_deployment.wait("redis")
    eventually(lambda: missing() == [], within_s=90)
    versions.append(act_whatever_happens(ada, session.id, seats[0], dice))
    own_deployment.restart("redis", lambda: half_a_write(file))
    own_deployment.wait("redis")
    assert "the store ended while it wrote" in log.read_text()
    versions.append(act_whatever_happens(ada, session.id, seats[0], dice))
    acknowledged_are_in_the_log(ada, session.id, [version for version in versions if version is not None])
    ada.close()


def zeros_on(file: Path) -> None:
    with file.open("ab") as writer:
        writer.write(bytes(4096))


def cut_zeros(file: Path) -> None:
    file.write_bytes(file.read_bytes().rstrip(b"\0"))


def half_a_write(file: Path) -> None:
    with file.open("ab") as writer:
        writer.write(b"*1\r\n$5\r\nMULTI\r\n*3\r\n$3\r\nSET\r\n$1\r\na\r\n$10\r\nhalf")


@pytest.mark.nightly
@pytest.mark.e2e
def test_a_game_goes_on_in_a_mended_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data, dice = tmp_path / "data", random.Random(3)
    with Deployment(data=data, processes=Processes(web=False)) as deployment:
        ada = Stranger(deployment.grpc_address, "Ada")
        session, seats = ada.create(me(), computer())
        versions = [act_whatever_happens(ada, session.id, seats[0], dice) for _ in range(3)]
        ada.channel.close()
    (file,) = (data / "redis" / "appendonlydir").glob("*.incr.aof")
    zeros_on(file)
    with pytest.raises(LauncherError, match="holds only zeros"), Deployment(data=data, processes=Processes(web=False)):
        pass
    assert main(["mend", "--data", str(data)]) == 0
    assert "loses these 4,096 bytes, with no whole write among them" in capsys.readouterr().out
    with Deployment(data=data, processes=Processes(web=False)) as deployment:
        again = Stranger(deployment.grpc_address, "Somebody else")
        ada.channel, ada.stub = again.channel, again.stub
        while (version := act_whatever_happens(ada, session.id, seats[0], dice)) is not None:
            versions.append(version)
        acknowledged_are_in_the_log(ada, session.id, [version for version in versions if version is not None])
        ada.close()


def test_files_are_tried_also_where_the_temporary_folder_is_too_deep_for_a_socket(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deep = tmp_path / ("deep" * 25)
    deep.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(deep))
    with trial.store(None) as connection:
        assert connection.ping()
    assert list(deep.iterdir()) == []


def test_damage_that_is_no_half_written_end_is_not_mended_unasked(data: Path) -> None:
    zeros_in_the_middle(data)
    before = (data / INCREMENT).read_bytes()
    why, is_mended = damage.explain_store(data)
    assert "scripts/mend" in why
    assert not is_mended
    assert (data / INCREMENT).read_bytes() == before
