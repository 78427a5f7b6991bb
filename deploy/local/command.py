"""The `brettwerk` command: play, back up and restore, endgame tables, verify a saved game, print the settings."""

import argparse
import os
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from deploy.local.launcher_error import LauncherError
from deploy.local.options import data_folder, program_name

_USAGE = """usage: brettwerk play [options]      start everything on this machine (play --help)
       brettwerk backup file        one file with games, archive and key, also while it runs (backup --help)
       brettwerk restore file       a data folder made of such a file (restore --help)
       brettwerk mend               a mended copy in the place of a damaged data folder (mend --help)
       brettwerk tables             build, check or delete endgame tables (tables --help)
       brettwerk verify game.json   replay a saved game and check every step and roll
       brettwerk settings           print the table of settings
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the first argument says; returns the exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    match words:
        case ["play", *rest]:
            from deploy.local.first_process import leave_first_place

            leave_first_place()
            # Until the launcher hears signals, they end it: Python may drop an interrupt that comes while modules are loaded.
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            from deploy.local.options import parse
            from deploy.local.play import play

            return play(parse(rest, "brettwerk play"))
        case ["backup", *rest]:
            return _backup(rest)
        case ["restore", *rest]:
            return _restore(rest)
        case ["mend", *rest]:
            return _mend(rest)
        case ["tables", *rest]:
            return _tables(rest)
        case ["verify", *rest]:
            from services.rules.verify import main as verify

            return verify(rest)
        case ["settings"]:
            from services.runtime.settings import table

            print(table(), end="")
            return 0
        case ["--help" | "-h" | "help"]:
            print(_USAGE, end="")
            return 0
        case _:
            print(_USAGE, end="", file=sys.stderr)
            return 2


def _backup(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="brettwerk backup",
        description="Write running games, archive and key of a data folder, in use or not, to one file. "
        "The file holds the key: keep it as safe as the folder.",
    )
    parser.add_argument("file", type=Path, help="the file to write, which must not exist yet (games.tar.gz)")
    parser.add_argument("--data", type=Path, default=data_folder(), help="the data folder (%(default)s)")
    options = parser.parse_args(arguments)

    def run() -> None:
        missing = backup.make(options.data, options.file)
        print(f"{options.file} holds everything of {options.data}" + (", except for this:" if missing else ""))
        for sentence in missing:
            print(f"  {sentence}")

    from deploy.local import backup

    return _explained(run)


def _restore(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="brettwerk restore", description="Create a data folder from a backup.")
    parser.add_argument("file", type=Path, help="a file written by `brettwerk backup`")
    parser.add_argument("--data", type=Path, default=data_folder(), help="the data folder to create (%(default)s)")
    parser.add_argument("--force", action="store_true", help="if the folder is not empty, move it aside under another name")
    parser.add_argument("--mend", action="store_true", help="restore what is whole of a backup of damaged games or databases")
    options = parser.parse_args(arguments)

    def run() -> None:
        done = backup.restore(options.file, options.data, force=options.force, mends=options.mend)
        aside = f"; what was there is in {done.aside}" if done.aside else ""
        print(f"{options.data} is what {options.file} holds{aside}" + (", except for this:" if done.missing else ""))
        for sentence in done.missing:
            print(f"  {sentence}")

    from deploy.local import backup

    return _explained(run)


def _mend(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="brettwerk mend",
        description="Put a mended copy in the place of a damaged data folder, without what comes after the last whole write of "
        "the games, and without rows of databases that cannot be read. The damaged folder is kept under another name.",
    )
    parser.add_argument("--data", type=Path, default=data_folder(), help="the data folder (%(default)s)")
    options = parser.parse_args(arguments)

    def run() -> None:
        aside, done = damage.mend_folder(options.data)
        print(f"{options.data} is mended; as it was, it is in {aside}")
        for sentence in done:
            print(f"  {sentence}")

    from deploy.local import damage

    return _explained(run)


def _tables(arguments: Sequence[str]) -> int:
    from brettwerk_games.players.einstein.tables.__main__ import main as tables
    from deploy.local.folder import UMASK
    from deploy.local.tables import folder_of

    os.umask(UMASK)
    return tables(arguments, program_name("tables"), folder_of(data_folder()))


def _explained(run: Callable[[], None]) -> int:
    """Return 0, or 1 after saying what is wrong. Files that it writes are for their owner only."""
    from deploy.local.folder import UMASK

    before = os.umask(UMASK)
    try:
        run()
    except LauncherError as error:
        print(error, file=sys.stderr)
        return 1
    finally:
        os.umask(before)
    return 0


if __name__ == "__main__":
    sys.exit(main())
