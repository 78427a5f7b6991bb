"""The damage in a data folder, a sentence each, and a copy of it that is whole: of running games, and of the databases.

Nothing here mends a folder in its place, but for a write at the very end of the store's file that is not all there: that is what
any server leaves that dies while it writes, and nobody can read it.
"""

import contextlib
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from deploy.local import append_only, sqlite_file, trial
from deploy.local.append_only import Files
from deploy.local.folder import DataFolder
from deploy.local.launcher_error import LauncherError
from deploy.local.startable import ARCHIVE, DATABASES, remedy
from services.archive.archive import unpacked
from services.runtime.refusal import Refused

_RECORDS = (("archived_sessions", "session_id"), ("saved_games", "save_id"))
_NOT_COPIED = ("run", "lock", "tables", ".trial-*")


@dataclass(frozen=True, slots=True)
class Verdict:
    """The findings of a trial of a data folder."""

    faults: tuple[str, ...]
    """The faults that keep a server or a service from reading."""
    games: tuple[str, ...]
    """Single games that cannot be read, in files that can be."""


def try_out(data: Path) -> Verdict:
    """Return what is damaged in a data folder that nobody uses, or in a copy: a server is started on the games.

    The folder's files stay as they are. Raises OSError when there is no room for that.
    """
    store_fault, games = _try_store(data / "redis")
    faults = [store_fault] if store_fault else []
    for name in DATABASES:
        if not (data / name).exists():
            continue
        if said := sqlite_file.damage_of(data / name):
            faults.append(f"{name} is damaged ({said})")
        elif name == ARCHIVE:
            games += _damaged_records(data / name)
    return Verdict(tuple(faults), tuple(games))


def explain_store(data: Path) -> tuple[str, bool]:
    """Return why no server starts on the games of a data folder, and whether that is mended; nothing if it is not the files.

    To be called while no server runs on them.
    """
    damage = append_only.find_damage(data / "redis", trial.commands(), trial.is_sound)
    if damage is not None and damage.is_cut:
        append_only.mend(damage)
        return f"the store ended while it wrote: {damage.sentence}. That is done", True
    fault, _ = (damage.sentence, []) if damage else _try_store(data / "redis")
    return f"the games in {data} are damaged: {fault}. {remedy(data)}" if fault else "", False


def mend_folder(data: Path) -> tuple[Path, list[str]]:
    """Put a mended copy in the place of a data folder; returns where the folder is now, and what was done, a sentence each.

    Raises LauncherError, having changed nothing, when nothing is damaged, it cannot be mended, or the folder is in use.
    """
    data = data.resolve()
    if not data.is_dir():
        raise LauncherError(f"{data} is no data folder of Brettwerk: there is nothing to mend")
    with DataFolder(data), tempfile.TemporaryDirectory(prefix=f".{data.name}-", dir=data.parent) as staging:
        stage = Path(staging) / "data"
        shutil.copytree(data, stage, ignore=shutil.ignore_patterns(*_NOT_COPIED))
        done = mend(stage)
        if not done:
            raise LauncherError(f"nothing in {data} is damaged")
        return put_in_place(stage, data), done


def mend(copy: Path) -> list[str]:
    """Mend a copy of a data folder, and try it; returns what was done, a sentence each.

    Raises LauncherError when it cannot be mended.
    """
    done = _mend_store(copy / "redis")
    for name in DATABASES:
        if (copy / name).exists() and sqlite_file.damage_of(copy / name):
            done.append(_mend_database(copy / name))
    left = try_out(copy)
    if left.faults:
        raise LauncherError(f"it cannot be mended: {left.faults[0]}")
    return [*done, *left.games] if done else []


def put_in_place(stage: Path, data: Path) -> Path:
    """Rename a finished folder to where the data folder is, and that to another name beside it; return that name."""
    aside = data.with_name(f"{data.name}.before-{datetime.now(UTC):%Y%m%dT%H%M%S}")
    data.rename(aside)
    stage.rename(data)
    return aside


def _try_store(folder: Path) -> tuple[str, list[str]]:
    """Return what keeps a server from reading the games, and the sentences about single ones."""
    if damage := append_only.find_damage(folder, trial.commands(), trial.is_sound):
        return damage.sentence, []
    try:
        with trial.store(folder) as connection:
            return "", trial.damaged_games(connection)
    except trial.CannotBeRead as words:
        files = append_only.named_files(folder)
        if isinstance(files, Files) and files.base is not None:
            return f"{files.base.name}, on which all else builds, is damaged ({words}): restore a backup", []
        return f"a server does not start on them ({words})", []


def _mend_store(folder: Path) -> list[str]:
    done = []
    known = trial.commands()
    while damage := append_only.find_damage(folder, known, trial.is_sound):
        if damage.kept is None:
            raise LauncherError(f"it cannot be mended: {damage.sentence}")
        append_only.mend(damage)
        done.append(damage.sentence)
    return done


def _mend_database(file: Path) -> str:
    fresh = file.with_suffix(".mended")
    try:
        lost = sqlite_file.rescue(file, fresh)
    except sqlite3.DatabaseError as error:
        raise LauncherError(
            f"it cannot be mended: nothing of {file.name} can be read ({error}); restore a backup, or move the file away, "
            "and an empty one is made"
        ) from None
    fresh.replace(file)
    for rest in ("-journal", "-wal", "-shm"):
        file.with_name(file.name + rest).unlink(missing_ok=True)
    if not lost:
        return f"{file.name} was damaged; nothing of it is lost"
    tables = ", ".join(f"{'an unknown number' if rows is None else f'{rows:,}'} of {table}" for table, rows in lost.items())
    return f"{file.name} was damaged; these rows are lost: {tables}"


def _damaged_records(file: Path) -> Iterator[str]:
    """Yield a sentence for each game of the archive whose record cannot be unpacked: each has a checksum."""
    with contextlib.closing(sqlite3.connect(file, timeout=30)) as database:
        for table, name in _RECORDS:
            if not database.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (table,)).fetchone():
                continue
            for key, record in database.execute(f"SELECT {name}, record FROM {table}"):  # noqa: S608 - ours
                try:
                    unpacked(record)
                except Refused:
                    yield f"the game {key} of the archive cannot be read"
