"""Damage at random places of a file that a real server wrote: it is found, and mending keeps every whole write before it."""

import random
import shutil
from pathlib import Path

import pytest

from deploy.local import append_only, trial
from deploy.local.append_only import Commands, Damage
from tests.deploy.local import stores
from tests.deploy.local.stores import INCREMENT, Damaging
from tests.night import examples
from tests.ports import free_port


@pytest.fixture(scope="module")
def commands() -> Commands:
    return trial.commands()


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[int]]:
    """A data folder, and the length of its file after each write."""
    data = tmp_path_factory.mktemp("games") / "data"
    return data, stores.write_games(data, free_port())


def find(data: Path, commands: Commands) -> Damage | None:
    return append_only.find_damage(data / "redis", commands, trial.is_sound)


def copy(games: Path, tmp_path: Path, name: object = "") -> Path:
    return shutil.copytree(games, tmp_path / f"copy{name}", ignore=shutil.ignore_patterns("lock"))


def test_a_whole_file_is_not_damaged(games: tuple[Path, list[int]], commands: Commands) -> None:
    assert find(games[0], commands) is None
    with trial.store(games[0] / "redis") as connection:
        assert sum(stores.logs(connection).values()) == len(games[1]) - 1
        assert trial.damaged_games(connection) == []


@pytest.mark.parametrize(
    "damaging",
    [
        stores.zeros_appended,
        stores.end_zeroed,
        stores.block_zeroed,
        stores.cut,
        stores.length_changed,
        stores.garbled,
    ],
)
def test_damage_is_found_and_all_before_it_is_kept(
    games: tuple[Path, list[int]], commands: Commands, tmp_path: Path, damaging: Damaging
) -> None:
    source, whole = games
    dice, original = random.Random(damaging.__name__), (source / INCREMENT).read_bytes()
    for number in range(examples(40)):
        data = copy(source, tmp_path, number)
        content = bytearray(original)
        place = damaging(content, dice)
        (data / INCREMENT).write_bytes(content)
        kept = max(length for length in whole if length <= place)
        found = find(data, commands)
        if found is None:  # within a value that nobody can tell from another, or between two writes
            assert damaging is stores.garbled or place in whole
        else:
            assert found.whole in whole, "only whole writes are kept"
            assert found.whole >= kept, "every whole write before the damage is kept"
            assert found.whole == kept or damaging is stores.garbled
            assert f"from byte {found.whole:,} of {len(content):,}" in found.sentence
            assert f"loses these {len(content) - found.whole:,} bytes" in found.sentence
            assert found.is_cut == (damaging is stores.cut)
            append_only.mend(found)
            assert (data / INCREMENT).read_bytes() == original[: found.whole] or damaging is stores.garbled
            assert find(data, commands) is None
        with trial.store(data / "redis") as connection:
            assert sum(stores.logs(connection).values()) >= whole.index(kept)
        shutil.rmtree(data)


def test_zeros_at_the_end_are_called_that_and_no_write_is_lost_with_them(
    games: tuple[Path, list[int]], commands: Commands, tmp_path: Path
) -> None:
    data = copy(games[0], tmp_path)
    with (data / INCREMENT).open("ab") as file:
        file.write(bytes(4096))
    size = games[1][-1]
    with pytest.raises(trial.CannotBeRead, match="Bad file format"), trial.store(data / "redis"):
        pass
    found = find(data, commands)
    assert found is not None
    assert found.sentence == (
        f"appendonly.aof.1.incr.aof holds only zeros from byte {size:,} of {size + 4096:,}; "
        "mending it loses these 4,096 bytes, with no whole write among them"
    )


def test_writes_after_a_damaged_length_are_counted_and_not_taken_for_a_cut(
    games: tuple[Path, list[int]], commands: Commands, tmp_path: Path
) -> None:
    data = copy(games[0], tmp_path)
    content = bytearray((data / INCREMENT).read_bytes())
    at = content.index(b"RPUSH\r\n$") + len(b"RPUSH\r\n$")
    content[at:at] = b"99999"  # which a server takes for a write that was cut off, and drops all that follows
    (data / INCREMENT).write_bytes(content)
    found = find(data, commands)
    assert found is not None
    assert not found.is_cut
    assert found.lost_writes > 30
    assert found.whole == games[1][0]


def in_two(data: Path, at: int) -> None:
    """Let the file go on in another one, as it does when it could not be written anew."""
    file = data / INCREMENT
    content = file.read_bytes()
    file.write_bytes(content[:at])
    file.with_name("appendonly.aof.2.incr.aof").write_bytes(content[at:])
    with file.with_name(append_only.MANIFEST).open("a") as manifest:
        manifest.write("file appendonly.aof.2.incr.aof seq 2 type i\n")


def test_damage_in_a_file_that_is_not_the_last_loses_those_after_it(
    games: tuple[Path, list[int]], commands: Commands, tmp_path: Path
) -> None:
    data, whole = copy(games[0], tmp_path), games[1]
    in_two(data, whole[20])
    assert find(data, commands) is None
    content = bytearray((data / INCREMENT).read_bytes())
    content[whole[10] + 3 :] = bytes(len(content) - whole[10] - 3)
    (data / INCREMENT).write_bytes(content)
    found = find(data, commands)
    assert found is not None
    assert found.whole == whole[10]
    assert found.lost_bytes == whole[-1] - whole[10]
    assert found.lost_writes >= 20
    append_only.mend(found)
    with trial.store(data / "redis") as connection:
        assert sum(stores.logs(connection).values()) == 10


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda manifest: manifest.write_bytes(b""), "is empty; mending it loses nothing"),
        (lambda manifest: manifest.write_bytes(bytes(4096)), "is empty"),
        (lambda manifest: manifest.write_bytes(b"file append"), "is damaged"),
        (lambda manifest: manifest.unlink(), "is missing; mending it loses nothing"),
    ],
)
def test_a_manifest_that_says_nothing_is_made_of_the_files_that_are_there(
    games: tuple[Path, list[int]], commands: Commands, tmp_path: Path, change, says: str
) -> None:
    data = copy(games[0], tmp_path)
    in_two(data, games[1][20])
    manifest = data / "redis" / "appendonlydir" / append_only.MANIFEST
    change(manifest)
    found = find(data, commands)
    assert found is not None
    assert says in found.sentence
    append_only.mend(found)
    with trial.store(data / "redis") as connection:
        assert sum(stores.logs(connection).values()) == len(games[1]) - 1


def test_of_two_bases_the_newer_one_goes_on_with_the_last_file_alone(
    games: tuple[Path, list[int]], commands: Commands, tmp_path: Path
) -> None:
    data = copy(games[0], tmp_path)
    folder = data / "redis" / "appendonlydir"
    (folder / "appendonly.aof.2.base.rdb").write_bytes((folder / "appendonly.aof.1.base.rdb").read_bytes())
    in_two(data, games[1][20])
    (folder / append_only.MANIFEST).write_bytes(b"")
    found = find(data, commands)
    assert found is not None
    assert found.kept is not None
    assert [file.name for file in found.kept.all] == ["appendonly.aof.2.base.rdb", "appendonly.aof.2.incr.aof"]


@pytest.mark.parametrize("gone", ["appendonly.aof.1.base.rdb", "appendonly.aof.1.incr.aof"])
def test_a_file_that_is_gone_is_named(games: tuple[Path, list[int]], commands: Commands, tmp_path: Path, gone: str) -> None:
    data = copy(games[0], tmp_path)
    (data / "redis" / "appendonlydir" / gone).unlink()
    found = find(data, commands)
    assert found is not None
    assert f"names {gone}, which is not there" in found.sentence
    assert (found.kept is None) == gone.endswith(".rdb")


def test_a_store_that_has_never_been_started_is_not_damaged(tmp_path: Path, commands: Commands) -> None:
    (tmp_path / "redis").mkdir()
    assert find(tmp_path, commands) is None
