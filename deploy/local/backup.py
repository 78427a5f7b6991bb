"""A backup: one file with running games, archive, accounts and the key of a data folder, taken while it is in use or not.

The file is a tar.gz. Its first member, manifest.json, says which format it has and which length and SHA-256 every other member
has; restoring checks all of them before anything is put in place. It holds the secret key, so only its owner may read it.

Running games come from Redis: while it runs, as a snapshot that it writes itself (BGSAVE, one moment for all games), which is
laid down as the base of an append-only file; else its append-only file is copied. The archive is copied after that, by SQLite's
own means: a game that ends meanwhile is in both, never in neither. All of it is tried before it is called a backup, and before it
is called restored (damage.py): what a server cannot start on is neither.
"""

import contextlib
import fcntl
import hashlib
import json
import os
import re
import shutil
import sqlite3
import tarfile
import tempfile
import time
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import redis as client

from deploy.local import damage, redis
from deploy.local.append_only import FOLDER
from deploy.local.folder import BACKUP_MARKER, DataFolder, redis_password
from deploy.local.launcher_error import LauncherError
from deploy.local.startable import ARCHIVE, PLAYERS, remedy
from services.runtime.version import VERSION

FORMAT = 1
MANIFEST = "manifest.json"
KEY = "secret_key"
_AOF = f"redis/{FOLDER}"
_BASE = "appendonly.aof.1.base.rdb"
_AOF_MANIFEST = f"file {_BASE} seq 1 type b\n"
"""The file that Redis 7 and later reads first: which files its append-only file consists of."""
_NAMES = re.compile(rf"{re.escape(ARCHIVE)}|{re.escape(PLAYERS)}|{KEY}|{_AOF}/[A-Za-z0-9][A-Za-z0-9._-]*")
_DATABASES = {
    ARCHIVE: ("BRETTWERK_DATABASE_URL", "finished games"),
    PLAYERS: ("BRETTWERK_PLAYERS_DATABASE_URL", "accounts"),
}
"""The databases: which variable says where each is, and what is in it."""
_SNAPSHOT_S = 600.0
_MANIFEST_BYTES = 1024 * 1024
_CHUNK = 1024 * 1024


def make(data: Path, file: Path, environment: Mapping[str, str] = os.environ) -> list[str]:
    """Write a backup of a data folder to a file that is not there yet; returns what it does not hold, a sentence each.

    Raises LauncherError when there is nothing to back up, the file is there, something is damaged, or cannot be read or written.
    """
    if not (data / "redis").is_dir():
        raise LauncherError(f"{data} is no data folder of Brettwerk: there is nothing to back up")
    if file.exists():
        raise LauncherError(f"{file} is there already; name another file")
    missing: list[str] = []
    try:
        with tempfile.TemporaryDirectory(prefix=f".{file.name}-", dir=file.resolve().parent) as staging:
            stage = Path(staging)
            _copy_games(data, stage, missing, environment)
            for name in _DATABASES:
                _copy_database(data, stage, missing, environment, name)
            if (data / KEY).exists():
                shutil.copyfile(data / KEY, stage / KEY)
            else:
                missing.append("the secret key is not in the data folder: keep BRETTWERK_SECRET_KEY, too")
            verdict = damage.try_out(stage)
            if verdict.faults:
                raise LauncherError(f"there is no backup, since {data} is damaged: {verdict.faults[0]}. {remedy(data)}")
            missing += verdict.games
            whole = stage / "whole"
            _pack(stage, whole)
            whole.rename(file)
            _sync(file.resolve().parent)
            (data / BACKUP_MARKER).touch()
    except (OSError, sqlite3.Error, client.RedisError) as error:
        raise LauncherError(f"the backup cannot be made: {error}") from error
    return missing


@dataclass(frozen=True, slots=True)
class Restored:
    """How a backup was restored."""

    aside: Path | None
    """Where the folder is that was there before."""
    missing: tuple[str, ...]
    """The damage in the backup that was mended, and the missing parts, a sentence each."""


def restore(file: Path, data: Path, *, force: bool = False, mends: bool = False) -> Restored:
    """Make a data folder of a backup; return what is missing in it, and where the folder before it is.

    `force` has the folder put aside that is there; `mends` restores what is whole of games and databases that were damaged when
    the backup was made.

    Raises LauncherError, having changed nothing, when the file is no backup, is damaged, or the folder is in use or not empty.
    """
    data = data.resolve()
    if data.exists() and any(entry.name != "lock" for entry in data.iterdir()) and not force:
        raise LauncherError(f"{data} is not empty; name another folder with --data, or put what it holds aside with --force")
    data.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{data.name}-", dir=data.parent) as staging:
        stage = Path(staging) / "data"
        try:
            _unpack(file, stage)
            missing = _tried(file, stage, mends=mends)
        except (OSError, EOFError, tarfile.TarError, zlib.error, ValueError, KeyError, TypeError) as error:
            raise LauncherError(f"{file} cannot be restored: {_why(error)}") from None
        with DataFolder(data) if data.exists() else contextlib.nullcontext():  # nobody uses it
            aside = None
            if data.exists():
                if not force and any(path.is_file() and path != data / "lock" for path in data.rglob("*")):
                    raise LauncherError(f"{data} is not empty any more")
                aside = damage.put_in_place(stage, data)
            else:
                stage.rename(data)
            _sync(data.parent)
    if aside is not None and not force:
        shutil.rmtree(aside)  # there was nothing in it
        aside = None
    return Restored(aside, missing)


def _tried(file: Path, stage: Path, *, mends: bool) -> tuple[str, ...]:
    """Try what was unpacked, mended if `mends`; returns what it lacks. Raises LauncherError when it would not start."""
    verdict = damage.try_out(stage)
    if not verdict.faults:
        return verdict.games
    if not mends:
        raise LauncherError(f"{file} cannot be restored: {verdict.faults[0]}. With --mend, what is whole is restored")
    return tuple(damage.mend(stage))


def _copy_games(data: Path, stage: Path, missing: list[str], environment: Mapping[str, str]) -> None:
    target = stage / _AOF
    target.mkdir(parents=True)
    try:
        with DataFolder(data) as stopped:
            source = stopped.redis / "appendonlydir"
            if source.is_dir():
                shutil.copytree(source, target, dirs_exist_ok=True)
            if environment.get("BRETTWERK_REDIS_URL"):
                missing.append("running games are in the Redis of BRETTWERK_REDIS_URL: back it up by its own means")
            return
    except LauncherError:
        pass  # it is in use
    configuration = data / "redis" / "redis.conf"
    said = configuration.read_text() if configuration.exists() else ""
    place = re.search(r"^bind (?P<host>\S+)\nport (?P<port>\d+)$", said, re.MULTILINE)
    key = environment.get("BRETTWERK_SECRET_KEY") or ((data / KEY).read_text().strip() if (data / KEY).exists() else "")
    if place is None or environment.get("BRETTWERK_REDIS_URL"):
        missing.append("running games are in the Redis of BRETTWERK_REDIS_URL: back it up by its own means")
        return
    address = redis.url(int(place["port"]), redis_password(key), 0, place["host"])
    with client.Redis.from_url(address, socket_timeout=30) as connection:
        _snapshot(connection, data / "redis", target / _BASE)
    (target / "appendonly.aof.manifest").write_text(_AOF_MANIFEST)


def _snapshot(connection: "client.Redis", folder: Path, target: Path) -> None:
    """Have a running Redis write all it holds at one moment to a file. Raises LauncherError when that fails or takes too long."""
    snapshot = folder / str(connection.config_get("dbfilename")["dbfilename"])
    end = time.monotonic() + _SNAPSHOT_S
    with (folder / "backup.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # one backup at a time
        snapshot.unlink(missing_ok=True)  # nobody else has one made (save "")
        connection.bgsave(schedule=True)  # while it rewrites its file: right after that
        while not snapshot.exists():  # it comes there by a renaming, when it is whole
            state = connection.info("persistence")
            idle = not (state["rdb_bgsave_in_progress"] or state["aof_rewrite_in_progress"] or state.get("aof_rewrite_scheduled"))
            if idle and state["rdb_last_bgsave_status"] != "ok":
                raise LauncherError("the backup cannot be made: Redis cannot write a snapshot; its log says why")
            if time.monotonic() > end:
                raise LauncherError(f"the backup cannot be made: Redis has written no snapshot within {_SNAPSHOT_S:.0f} s")
            time.sleep(0.05)
        shutil.copyfile(snapshot, target)
        snapshot.unlink()


def _copy_database(data: Path, stage: Path, missing: list[str], environment: Mapping[str, str], name: str) -> None:
    variable, content = _DATABASES[name]
    url = environment.get(variable) or f"sqlite:///{data / name}"
    if not url.startswith("sqlite:///"):
        missing.append(f"{content} are in the database of {variable}: back it up by its own means (pg_dump)")
        return
    source = Path(url.removeprefix("sqlite:///"))
    if not source.exists():
        return
    with (
        contextlib.closing(sqlite3.connect(f"{source.resolve().as_uri()}?mode=ro", uri=True, timeout=30)) as database,
        contextlib.closing(sqlite3.connect(stage / name)) as copy,
    ):
        try:
            database.backup(copy)
        except sqlite3.OperationalError:
            raise
        except sqlite3.DatabaseError as error:
            raise LauncherError(f"there is no backup, since {source} is damaged ({error}). {remedy(data)}") from None


def _pack(stage: Path, whole: Path) -> None:
    names = sorted(path.relative_to(stage).as_posix() for path in stage.rglob("*") if path.is_file())
    files = {name: {"bytes": (stage / name).stat().st_size, "sha256": _digest(stage / name)} for name in names}
    made_at = datetime.now(UTC).isoformat(timespec="seconds")
    (stage / MANIFEST).write_text(
        json.dumps({"format": FORMAT, "version": VERSION, "made_at": made_at, "files": files}, indent=1)
    )
    with os.fdopen(os.open(whole, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as output:
        with tarfile.open(fileobj=output, mode="w:gz", compresslevel=6) as tar:
            for name in (MANIFEST, *names):
                tar.add(stage / name, name, filter=_plain)
        output.flush()
        os.fsync(output.fileno())


def _plain(member: tarfile.TarInfo) -> tarfile.TarInfo:
    member.uid = member.gid = 0
    member.uname = member.gname = ""
    member.mode = 0o600
    return member


def _unpack(file: Path, stage: Path) -> None:
    """Write the members of a backup below `stage`, each checked. Raises ValueError, TarError, OSError, EOFError or zlib.error."""
    for folder in (stage, stage / "redis", stage / _AOF):
        folder.mkdir(mode=0o700)
    with tarfile.open(file, "r:gz") as tar:
        members = iter(tar)
        expected = _manifest(tar, next(members, None))
        for member in members:
            wanted = expected.pop(member.name, None)
            if wanted is None or not member.isfile() or not _NAMES.fullmatch(member.name) or member.size != wanted["bytes"]:
                raise ValueError(f"it is damaged: {member.name[:100]} is not as its manifest says")
            target = stage / member.name
            with open(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as output:
                for chunk in _chunks(tar, member):
                    output.write(chunk)
                output.flush()
                os.fsync(output.fileno())
            if _digest(target) != wanted["sha256"]:
                raise ValueError(f"it is damaged: {member.name} is not as its manifest says")
    if expected:
        raise ValueError(f"it is damaged: {min(expected)} is missing")


def _manifest(tar: tarfile.TarFile, first: tarfile.TarInfo | None) -> dict[str, Any]:
    if first is None or first.name != MANIFEST or first.size > _MANIFEST_BYTES:
        raise ValueError("it is no backup of Brettwerk")
    manifest = json.loads(b"".join(_chunks(tar, first)))
    if manifest["format"] != FORMAT:
        raise ValueError(
            f"its format is {manifest['format']}, made by version {manifest['version']}; this version reads {FORMAT}"
        )
    return dict(manifest["files"])


def _chunks(tar: tarfile.TarFile, member: tarfile.TarInfo) -> Iterator[bytes]:
    reader = tar.extractfile(member)
    while reader is not None and (chunk := reader.read(_CHUNK)):
        yield chunk


def _why(error: Exception) -> str:
    if isinstance(error, FileNotFoundError | PermissionError | IsADirectoryError):
        return f"{error.strerror}"
    if isinstance(error, ValueError) and not isinstance(error, json.JSONDecodeError | UnicodeDecodeError):
        return str(error)
    return "it is damaged, or no backup of Brettwerk"


def _digest(file: Path) -> str:
    with file.open("rb") as reader:
        return hashlib.file_digest(reader, "sha256").hexdigest()


def _sync(folder: Path) -> None:
    """Have the names in a folder written to the disk."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
