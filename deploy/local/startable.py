"""Whether a data folder can be started on, found out in little time: its databases, and that the store's files are named.

It stands apart from damage.py, which reads games and so takes memory that a launcher keeps for as long as it runs.
"""

from pathlib import Path

from deploy.local import append_only, sqlite_file
from deploy.local.append_only import Damage
from deploy.local.launcher_error import LauncherError
from deploy.local.options import program_name

ARCHIVE, PLAYERS = "archive.sqlite3", "players.sqlite3"
DATABASES = (ARCHIVE, PLAYERS)


def require_startable(data: Path, *, has_store: bool) -> None:
    """Return if what can be looked at quickly is not damaged. Raises LauncherError with what is, and what mends it.

    A server that finds no manifest begins with an empty store in its place, and a service finds out about a damaged database
    game by game.
    """
    found = append_only.named_files(data / "redis") if has_store else None
    faults = [found.sentence] if isinstance(found, Damage) else []
    found_in = {name: sqlite_file.damage_of(data / name, quick=True) for name in DATABASES if (data / name).exists()}
    faults += [f"{name} is damaged ({said})" for name, said in found_in.items() if said]
    if faults:
        raise LauncherError(f"{data} is damaged: {'; '.join(faults)}. {remedy(data)}")


def remedy(data: Path) -> str:
    """Return what somebody can do about a damaged folder."""
    return f"`{program_name('mend')} --data {data}` puts a mended copy in its place and keeps the folder under another name"
