"""The launcher's options. Standard library only: `scripts/play` reads them before anything is installed."""

import argparse
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from services.runtime import memory

ROOT = Path(__file__).resolve().parents[2]
"""Of the checkout, or the folder of packages into which Brettwerk was installed."""
IS_CHECKOUT = (ROOT / "scripts" / "play").exists()
MEMORY_MB = 512
"""Bounds the memory of the store's data: the event streams of all games have 64 MB at most, which leaves room for more than ten
thousand usual sessions of 38 KB, or for sixty of the largest; beyond it new sessions are refused, and games go on. Rewriting the
store's file may take as much again for a moment."""
SMALL_MB = 1024
"""With less memory, all services are one process unless it is said otherwise."""
LEAST_MEMORY_MB = 64
_MB = 2**20


def data_folder() -> Path:
    """Return where data are unless it is said otherwise: in a checkout, or where the platform has those of a user."""
    if IS_CHECKOUT:
        return ROOT / "data"
    from platformdirs import user_data_path

    return user_data_path("brettwerk", appauthor=False)


def usual_memory_mb(cgroups: Path = memory.CGROUPS) -> int:
    """Return how many megabytes running games may use unless it is said otherwise: 512, or a quarter of a container's limit.

    The store takes as much again while it rewrites its file; the rest is for the services.
    """
    return max(LEAST_MEMORY_MB, memory.bounded(MEMORY_MB * _MB, 4, cgroups) // _MB)


def is_small(cgroups: Path = memory.CGROUPS) -> bool:
    """Return whether a container's limit, or the machine's memory, is below a gigabyte (2^30 bytes)."""
    return memory.bounded(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"), 1, cgroups) < SMALL_MB * _MB


def program_name(name: str) -> str:
    """Return what to call one of our programs by: `scripts/play` in a checkout, `brettwerk play` elsewhere."""
    return f"scripts/{name}" if IS_CHECKOUT else f"brettwerk {name}"


@dataclass(frozen=True, slots=True)
class Options:
    """The chosen options. A port of 0 means any free one, None the default, or another one if that is taken."""

    data: Path
    host: str
    port: int
    grpc_port: int | None
    workers: int
    web: bool
    open: bool
    verbose: bool
    observe: bool = False
    statistics: bool = True
    appendfsync: str = "everysec"
    maxmemory: int = MEMORY_MB
    tables: int | None = None
    """Up to how many stones endgame tables are built; None for what the settings say."""
    allowed_origins: str = ""
    reload: bool = False
    one_process: bool = False
    small: bool = False
    """Whether all services are one process."""


def _port(text: str) -> int:
    number = int(text)
    if not 0 <= number <= 65535:
        raise ValueError(text)
    return number


def _workers(text: str) -> int:
    number = int(text)
    if not 0 <= number <= 256:
        raise ValueError(text)
    return number


def _megabytes(text: str) -> int:
    number = int(text)
    if not LEAST_MEMORY_MB <= number <= 1_000_000:
        raise ValueError(text)
    return number


class _BasePath(argparse.Action):
    """Refuses to be hosted under a path, which operators of other programs ask for."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        parser.error("Brettwerk cannot be reached under a path: give it a name of its own, as docs/proxies.md shows")


OF_PLAYERS = ("BRETTWERK_PUSH_KEY", "BRETTWERK_MAIL_PASSWORD", "BRETTWERK_OPENID_CLIENT_SECRET")
"""Secrets that the players service alone has."""
NOT_FOR_ALL = ("BRETTWERK_SECRET_KEY", "BRETTWERK_OPERATOR_KEY", *OF_PLAYERS)
"""The key of players' tokens is for those that give and read them, the keys of messages for the players service."""


def parser(program: str = "scripts/play") -> argparse.ArgumentParser:
    """Return the parser, for `scripts/play` or `brettwerk play`."""
    made = argparse.ArgumentParser(
        prog=program,
        allow_abbrev=False,
        description="Start Brettwerk on this machine: Redis, all services, a worker and the web client. Ctrl-C stops everything.",
    )
    made.add_argument("--port", type=_port, default=8000, help="port of the web page (8000; 0 for any free one)")
    made.add_argument("--host", default="127.0.0.1", help="address to listen on (127.0.0.1; 0.0.0.0 or :: for the local network)")
    made.add_argument("--grpc-port", type=_port, default=None, help="port for bots and other gRPC clients (7800, or a free one)")
    made.add_argument("--data", type=Path, default=data_folder(), help="folder for games, archive, keys and logs (%(default)s)")
    made.add_argument(
        "--workers",
        type=_workers,
        default=0,
        help="worker processes, which think for computer players (one per core, with --small one)",
    )
    made.add_argument("--no-web", dest="web", action="store_false", help="do not build or serve the web page")
    made.add_argument("--open", action="store_true", help="open the page in a browser")
    made.add_argument(
        "--no-statistics",
        dest="statistics",
        action="store_false",
        help="disable games among computers for the statistics pages",
    )
    made.add_argument("--observe", action="store_true", help="also run a Prometheus that reads the metrics of all processes")
    made.add_argument(
        "--appendfsync",
        choices=("everysec", "always"),
        default="everysec",
        help="when running games are synced to disk: once a second, or before each move is acknowledged (everysec)",
    )
    made.add_argument(
        "--maxmemory",
        type=_megabytes,
        default=usual_memory_mb(),
        metavar="MB",
        help=f"megabytes that running games may use, at least {LEAST_MEMORY_MB} (512, or a quarter of a container's memory)",
    )
    made.add_argument(
        "--tables",
        type=int,
        choices=range(7),
        metavar="STONES",
        help="endgame tables of EinStein to build, of up to so many stones (4: 24 MB; 5: 1.1 GB, a minute or more; 6: 34 GB, an "
        "hour; 0: none)",
    )
    made.add_argument(
        "--allowed-origins",
        default="",
        metavar="ORIGINS",
        help="origins whose pages may also use this server (https://play.example.org, separated by commas; null: files, *: any)",
    )
    made.add_argument(
        "--reload",
        action="store_true",
        help="restart services, and reload pages, when their sources change",
    )
    made.add_argument(
        "--small",
        action=argparse.BooleanOptionalAction,
        default=is_small(),
        help="run all services in one process, which takes half the memory and one core at most (with less than 1 GB)",
    )
    made.add_argument(
        "--one-process",
        action="store_true",
        help="for debuggers: run all services and the worker in this process, where breakpoint() stops them",
    )
    made.add_argument("--base-path", action=_BasePath, default=argparse.SUPPRESS, help=argparse.SUPPRESS)
    made.add_argument("--verbose", action="store_true", help="also show the logs of all processes here")
    return made


def parse(arguments: Sequence[str], program: str = "scripts/play") -> Options:
    """Return the options. Exits with 2 and a usage line if they are invalid."""
    made = parser(program)
    options = Options(**vars(made.parse_args(arguments)))
    if options.one_process and options.reload:
        made.error("--reload starts processes again, and with --one-process there are none")
    if options.reload and not IS_CHECKOUT:
        made.error("--reload is for those who change the sources: it needs a checkout")
    return replace(options, small=options.small and not options.one_process and not options.reload)
