import array
import os
import random
import re
import signal
import subprocess
import sys

import pytest
from hypothesis import given, settings

from brettwerk_games.players.einstein.kernels.fill import Filler
from brettwerk_games.players.einstein.layout import layout
from brettwerk_games.players.einstein.sides import pair_of, squares_of
from brettwerk_games.players.einstein.tables import build as building
from brettwerk_games.players.einstein.tables import files
from brettwerk_games.players.einstein.tables.__main__ import Bar, Orphaned, main
from brettwerk_games.players.einstein.tables.build import NoRoom, build, delete, missing
from brettwerk_games.players.einstein.tables.files import Broken, check, open_table, open_tables, path_of, size_of
from brettwerk_games.players.einstein.tables.lock import locked, under_way
from brettwerk_games.rules.einstein.board import BLACK
from brettwerk_games.rules.einstein.position import GONE, Position
from tests.brettwerk_games.players.einstein import plain_lookup
from tests.brettwerk_games.players.einstein.conftest import needs_compiler
from tests.brettwerk_games.players.einstein.plain_lookup import chance
from tests.brettwerk_games.players.einstein.positions import as_it_is, count, mirrored, positions, turned
from tests.brettwerk_games.rules.einstein import exact
from tests.e2e.stranger import eventually
from tests.night import examples

STEP = 1 / 65535


def quiet(stones: int, done: int, total: int) -> None:
    pass


def brute(position: Position) -> float:
    """The exact chance, by fractions and without any of our code."""
    white, black = (
        frozenset((n, *divmod(square, 5)) for n, square in enumerate(side, 1) if square != GONE) for side in position.stones
    )
    return float(exact.value(black, white, position.to_move == BLACK))


def looked_up(folder, position: Position) -> float:
    mover, other = pair_of(position)
    found = chance(open_tables(folder), squares_of(mover), squares_of(other))
    assert found is not None
    return found


def advanced(position: Position) -> bool:
    """Few steps are left, so that fractions are quick."""
    steps = 0
    for seat, side in enumerate(position.stones):
        for square in side:
            if square != GONE:
                row, column = divmod(square if seat == BLACK else 24 - square, 5)
                steps += 8 - row - column
    return count(position) < 4 or steps <= 16


@needs_compiler
@given(position=positions(most=3).filter(lambda position: count(position) <= 4).filter(advanced))
@settings(max_examples=examples(60), deadline=None)
def test_tables_hold_the_exact_chances_rounded_to_a_step(tables_folder, position):
    assert looked_up(tables_folder, position) == pytest.approx(brute(position), abs=0.51 * STEP)


@needs_compiler
@given(position=positions(most=3).filter(lambda position: count(position) <= 4))
@settings(max_examples=examples(100), deadline=None)
def test_the_kernel_finds_what_the_plain_lookup_finds(opened, tables_folder, position):
    opened.engine.begin(1, 1, lambda: False)
    assert opened.engine.chance(*pair_of(position), 0) == pytest.approx(looked_up(tables_folder, position), abs=1e-12)


@needs_compiler
@given(position=positions(most=3).filter(lambda position: count(position) <= 4))
@settings(max_examples=examples(100), deadline=None)
def test_positions_that_are_equal_by_symmetry_have_one_chance(tables_folder, position):
    (white, black), to_move = position.stones, position.to_move
    expected = looked_up(tables_folder, position)
    for same in (
        Position((white[::-1], black), to_move),
        Position((white, black[::-1]), to_move),
        Position((mirrored(white), mirrored(black)), to_move),
        Position((turned(black), turned(white)), 1 - to_move),
    ):
        assert looked_up(tables_folder, same) == pytest.approx(expected, abs=1.01 * STEP)


def test_uncompiled_the_first_table_is_filled_the_same():
    size = layout().sizes[2]
    tables = []
    for kernel in (Filler, as_it_is("fill").Filler):
        chances = array.array("f", bytes(4 * size))
        placements = layout().placements(0, canonical=True)
        kernel(layout(), 0, 0, chances, chances, array.array("f"), None).fill(len(placements), 0, placements)
        tables.append(chances.tolist())
    assert tables[0] == tables[1]
    assert 0 < sum(tables[0]) < size


@needs_compiler
def test_only_missing_tables_are_built(tmp_path):
    assert build(tmp_path, 3, quiet) == [2, 3]
    stamp = path_of(tmp_path, 3).stat().st_mtime_ns
    path_of(tmp_path, 2).unlink()
    assert missing(tmp_path, 3) == [2]
    assert build(tmp_path, 3, quiet) == [2]
    assert path_of(tmp_path, 3).stat().st_mtime_ns == stamp
    assert build(tmp_path, 3, quiet) == []
    assert list(open_tables(tmp_path)) == [2, 3]


@needs_compiler
def test_a_table_of_another_size_or_version_is_not_used_and_built_anew(tmp_path):
    build(tmp_path, 3, quiet)
    path = path_of(tmp_path, 3)
    data = path.read_bytes()
    for broken in (data[:-2], b"\0" * 8 + data[8:], data[:8] + b"\x07" + data[9:]):
        path.write_bytes(broken)
        with pytest.raises(Broken):
            open_table(tmp_path, 3)
        assert list(open_tables(tmp_path)) == [2]
    assert build(tmp_path, 3, quiet) == [3]
    assert path.read_bytes() == data


@needs_compiler
def test_a_flipped_bit_is_found_by_the_check(tmp_path):
    build(tmp_path, 3, quiet)
    check(tmp_path, 3)
    data = bytearray(path_of(tmp_path, 3).read_bytes())
    data[random.Random(1).randrange(64, len(data))] ^= 4
    path_of(tmp_path, 3).write_bytes(data)
    with pytest.raises(Broken, match="damaged"):
        check(tmp_path, 3)


@needs_compiler
def test_an_interrupted_build_leaves_no_table_behind(tmp_path, monkeypatch):
    monkeypatch.setattr(building, "FLOATS", 2)

    class Interrupted(Exception):
        pass

    def interrupt(stones: int, done: int, total: int) -> None:
        if stones == 3:
            raise Interrupted

    with pytest.raises(Interrupted):
        build(tmp_path, 3, interrupt)
    assert sorted(os.listdir(tmp_path)) == ["einstein-2.table", "lock"]


@needs_compiler
def test_tables_made_from_stored_ones_are_off_by_two_roundings_at_most(tmp_path, monkeypatch, tables_folder):
    monkeypatch.setattr(building, "FLOATS", 2)
    build(tmp_path, 3, quiet)
    for stored, straight in zip(open_table(tmp_path, 3), open_table(tables_folder, 3), strict=True):
        assert abs(stored - straight) <= 1


def larger(folder) -> list[str]:
    """Put a table and what was to become one into a folder, of 100 MB each, and return their names."""
    for name in ("einstein-5.table", "einstein-6.part"):
        (folder / name).touch()
        os.truncate(folder / name, 100_000_000)
    return ["einstein-5.table", "einstein-6.part"]


@needs_compiler
def test_larger_tables_and_unfinished_ones_are_deleted_and_the_others_kept(tmp_path, capsys):
    build(tmp_path, 3, quiet)
    larger(tmp_path)
    assert main(["--folder", str(tmp_path), "--delete"]) == 0
    assert "200 MB" in capsys.readouterr().out
    assert sorted(os.listdir(tmp_path)) == ["einstein-2.table", "einstein-3.table", "lock"]
    assert main(["--folder", str(tmp_path), "--delete", "--stones", "0"]) == 0
    assert os.listdir(tmp_path) == ["lock"]
    assert delete(tmp_path / "nowhere", 0) == 0


def test_tables_are_not_deleted_while_others_are_being_built(tmp_path, capsys):
    names = larger(tmp_path)
    with locked(tmp_path):
        assert main(["--folder", str(tmp_path), "--delete"]) == 1
    assert "being built" in capsys.readouterr().err
    assert sorted(os.listdir(tmp_path)) == [*names, "lock"]


@needs_compiler
def test_size_and_time_are_said_before_anything_is_built(tmp_path, capsys):
    assert main(["--folder", str(tmp_path), "--stones", "4"]) == 0
    first, *then = capsys.readouterr().err.splitlines()
    assert first == f"building tables of 2, 3, 4 stones: 24 MB in {tmp_path}, about 2 seconds of a core"
    assert [line.split()[0] for line in then] == ["2", "3", "4"]
    assert main(["--folder", str(tmp_path), "--stones", "4"]) == 0
    assert capsys.readouterr().err == ""


@needs_compiler
def test_a_build_that_is_ended_leaves_nothing_unfinished(tmp_path):
    command = [sys.executable, "-m", "brettwerk_games.players.einstein.tables", "--folder", str(tmp_path), "--stones", "5"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as building:
        eventually(lambda: (tmp_path / "einstein-5.part").exists(), within_s=100)
        building.send_signal(signal.SIGTERM)
        assert "stopped" in building.communicate(timeout=60)[1]
    assert building.returncode == 130
    assert sorted(os.listdir(tmp_path)) == [*(f"einstein-{stones}.table" for stones in (2, 3, 4)), "lock"]


def test_a_full_disk_is_said_before_anything_is_written(tmp_path, monkeypatch):
    monkeypatch.setattr(building, "SPARE_BYTES", 1 << 60)
    with pytest.raises(NoRoom):
        build(tmp_path, 4, quiet)
    assert os.listdir(tmp_path) == ["lock"]


def test_tables_take_no_more_than_they_may(tmp_path):
    with pytest.raises(NoRoom, match=r"1\.1 GB are needed"):
        build(tmp_path, 5, quiet, 64 << 20)
    assert os.listdir(tmp_path) == ["lock"]


@needs_compiler
def test_others_see_how_far_a_build_is_until_it_ends(tmp_path):
    seen = []
    build(tmp_path, 3, lambda stones, done, total: seen.append((stones, done / total, under_way(tmp_path))))
    for stones, share, progress in seen:
        assert progress is not None
        assert progress.stones == stones
        assert progress.share == pytest.approx(share)
        assert progress.left_s >= 0
    assert {stones for stones, _, _ in seen} == {2, 3}
    assert under_way(tmp_path) is None
    assert under_way(tmp_path / "nowhere") is None


def test_a_process_that_only_deletes_shows_no_build(tmp_path):
    with locked(tmp_path) as hold:
        assert under_way(tmp_path) is None
        hold.note(5, 0, 4)
        hold.note(5, 1, 4)
        progress = under_way(tmp_path)
        assert progress is not None
        assert (progress.stones, progress.share) == (5, 0.25)


def test_sizes_on_the_disk_are_those_that_are_promised():
    assert size_of(4) < 25e6
    assert size_of(5) < 1.2e9
    assert size_of(6) < 33e9


@pytest.mark.nightly
@needs_compiler
@pytest.mark.parametrize("listed", [1, 2])
def test_sides_that_are_too_many_to_be_listed_have_the_same_chances(tmp_path, monkeypatch, tables_folder, listed):
    """The table of six stones has them (five against one); here they begin with fewer stones."""
    others = layout(listed)
    with monkeypatch.context() as patch:
        for module in (building, files, plain_lookup):
            patch.setattr(module, "layout", lambda: others)
        build(tmp_path, 4, quiet)
        found = open_tables(tmp_path)
        dice = random.Random(listed)
        met: list[tuple[list[list[int]], float | None]] = []
        while len(met) < 3000:
            mine, theirs = dice.choice([(1, 3), (3, 1), (2, 2), (1, 2), (2, 1)])
            free = dice.sample(range(24), mine + theirs)
            sides = [[31] * 6, [31] * 6]
            for place, square in enumerate(free):
                side = sides[place >= mine]
                side[dice.choice([number for number in range(6) if side[number] == 31])] = square if place < mine else 24 - square
            if 24 not in sides[1]:
                met.append((sides, chance(found, *sides)))
    straight = open_tables(tables_folder)
    for (mover, other), value in met:
        assert value == pytest.approx(chance(straight, mover, other), abs=1.01 * STEP), (mover, other)


@pytest.mark.parametrize(("every_s", "received"), [(0, ["25%", "50%", "100%"]), (3600, ["100%"])])
def test_a_log_is_told_of_a_long_build_now_and_then_and_of_each_table(capsys, every_s, received):
    bar = Bar(0, every_s)
    for done in (1, 2, 4):
        bar(6, done, 4)
    assert re.findall(r"\d+%", capsys.readouterr().err) == received


def test_a_build_for_a_worker_ends_with_the_worker():
    with pytest.raises(Orphaned):
        Bar(os.getppid() + 1)(6, 1, 4)
