"""The load of a club's evening on a small machine: `python -m loadtests.cost.club`; options of `scripts/play` follow `--`.

    python -m loadtests.cost.club --people 20 --solos 10 --seconds 90
    python -m loadtests.cost.club --memory 512 --core 0 -- --small    # as root: a control group with so many MB, and one core
    python -m loadtests.cost.club --largest --memory 512 --core 0 -- --small    # the largest boards, with all seats

Two guests play each game of people, one guest and a computer each of the others; all four games in turn. Everybody thinks for a
moment, and takes a new table after the end, or after so many actions, when somebody resigns. It prints how long an action took
from request to answer, what the server's processes took together at the most (PSS), which of them ended, and what was written,
by 1,000 actions and by finished game: the append-only file as it grows and as it is rewritten, the databases, the logs. The last
line says what a month of a club is on the disk by that, in the worst case with nothing rewritten.
"""

import argparse
import asyncio
import contextlib
import os
import random
import re
import sqlite3
import statistics
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import psutil
import redis
from google.protobuf.message import Message

from brettwerk.v1 import sessions_pb2, wec_pb2
from brettwerk_client import AsyncClient, AsyncSeat, Refused, computer, me
from loadtests.cost.rest import GAMES, memory, playing
from loadtests.limits import UNLIMITED
from loadtests.markdown import table
from loadtests.run import conditions, folder, parser

MB = 2.0**20
GROUPS = Path("/sys/fs/cgroup")
_LOOK_S = 2.0
_LARGEST: Mapping[str, tuple[int, Message | None]] = {
    "emperado": (6, None),
    "plateau": (4, None),
    "wec": (2, wec_pb2.WecOptions(movement=wec_pb2.WEC_MOVEMENT_MASS_DESTRUCTION, flame_range=2, off_level_rocket_range=1)),
}
"""How many seats play a game on its largest board, and by which options, where that is not how two play it by default."""
_MONTH_GAMES = 50 * 3 * 30
"""A club of fifty: three games a day and member."""
_FAILED = 1


@dataclass(slots=True)
class Evening:
    """The events so far."""

    actions_ms: list[float] = field(default_factory=list)
    """Of persons: from request to answer."""
    actions: int = 0
    """Of everybody, by the versions of their tables."""
    finished: int = 0
    refused: int = 0
    peak_mb: float = 0.0
    pids: set[int] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Written:
    """Bytes on the disk."""

    store: int
    databases: int
    logs: int

    @classmethod
    def of(cls, data: Path) -> "Written":
        """Return what a data folder has now."""

        def size(*patterns: str) -> int:
            return sum(file.stat().st_size for pattern in patterns for file in data.glob(pattern) if file.is_file())

        for database in data.glob("*.sqlite3"):
            with contextlib.closing(sqlite3.connect(database)) as connection:
                connection.execute("PRAGMA wal_checkpoint(PASSIVE)")  # what is in the log of writes goes into the file
        return cls(size("redis/appendonlydir/*"), size("*.sqlite3"), size("logs/*"))


async def _play(client: AsyncClient, number: int, is_alone: bool, args: argparse.Namespace, evening: Evening) -> None:
    """Play one game after the other until cancelled."""
    dice = random.Random(number)
    while True:
        game = GAMES[number % len(GAMES)]
        seats, options = _LARGEST.get(game, (2, None)) if args.largest else (2, None)
        others = [computer("normal") if is_alone else me() for _ in range(seats - 1)]
        made = await client.create_session(game, [me(), *others], options=options)
        version = 0
        try:
            for _ in range(args.most):
                seat, update = await _turn(made.seats, dice)
                if seat is None or update is None:
                    break
                version = update.version
                await asyncio.sleep(args.think * dice.uniform(0.5, 1.5))
                began = time.perf_counter()
                try:
                    await seat.act(update, dice.choice(update.actions))
                    evening.actions_ms.append(1000 * (time.perf_counter() - began))
                except Refused:
                    evening.refused += 1
            else:
                with contextlib.suppress(Refused):
                    await made.seats[0].resign()
            evening.finished += 1
        finally:
            evening.actions += version


async def _turn(seats: Sequence[AsyncSeat], dice: random.Random) -> tuple[AsyncSeat | None, sessions_pb2.Update | None]:
    """Wait until one of these seats is to act; nothing when the game is over."""
    while True:
        for seat in seats:
            update = await seat.update()
            if update.session.HasField("outcome"):
                return None, None
            if update.actions:
                return seat, update
        await asyncio.sleep(dice.uniform(0.2, 0.4))


async def _watch(root: int, evening: Evening) -> None:
    while True:
        held = 0.0
        launcher = psutil.Process(root)
        for process in (launcher, *launcher.children(recursive=True)):
            with contextlib.suppress(psutil.NoSuchProcess, OSError):
                held += memory(process.pid).pss
                evening.pids.add(process.pid)
        evening.peak_mb = max(evening.peak_mb, held)
        await asyncio.sleep(_LOOK_S)


async def _spend(address: str, root: int, args: argparse.Namespace) -> Evening:
    evening = Evening()
    async with contextlib.AsyncExitStack() as clients:
        guests = [
            await clients.enter_async_context(AsyncClient(address, name=f"Guest {number}"))
            for number in range(args.people + args.solos)
        ]
        works = [_play(client, number, number >= args.people, args, evening) for number, client in enumerate(guests)]
        tasks = [asyncio.create_task(work) for work in (*works, _watch(root, evening))]
        done, _ = await asyncio.wait(tasks, timeout=args.seconds, return_when=asyncio.FIRST_EXCEPTION)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for task in done:
            task.result()
    return evening


@contextlib.contextmanager
def _group(memory_mb: int) -> Iterator[Path | None]:
    """Make a control group of version 2 or 1 with so much memory; none for 0. Raises OSError where that is not to be had."""
    if not memory_mb:
        yield None
        return
    is_first = (GROUPS / "memory").is_dir()
    made = (GROUPS / "memory" if is_first else GROUPS) / f"brettwerk-{os.getpid()}"
    made.mkdir()
    try:
        (made / ("memory.limit_in_bytes" if is_first else "memory.max")).write_text(str(memory_mb * 2**20))
        yield made
    finally:
        for _ in range(50):  # what ended in it is still being buried
            with contextlib.suppress(OSError):
                made.rmdir()
                break
            time.sleep(0.1)


def _rewritten(data: Path) -> Written:
    """Have the append-only file rewritten, as the store does by itself when it has doubled, and return what there is then."""
    said = dict(line.split(" ", 1) for line in (data / "redis" / "redis.conf").read_text().splitlines() if " " in line)
    with redis.Redis(port=int(said["port"]), password=said["requirepass"]) as store:
        store.bgrewriteaof()
        while any(store.info("persistence")[f"aof_rewrite_{what}"] for what in ("in_progress", "scheduled")):
            time.sleep(0.1)
        time.sleep(1)  # the old files are removed in the background
    return Written.of(data)


def main(arguments: Sequence[str] | None = None) -> int:
    """Play, and print; return the exit status, 1 when a bar is given and missed, or a process was killed."""
    made = parser(__doc__)
    made.add_argument("--people", type=int, default=20, help="games of people (20)")
    made.add_argument("--solos", type=int, default=10, help="games against the computer, on normal (10)")
    made.add_argument("--think", type=float, default=2.0, help="seconds that a person thinks (2)")
    made.add_argument("--most", type=int, default=60, help="actions after which somebody resigns (60)")
    made.add_argument("--seconds", type=float, default=90.0, help="how long they play (90)")
    made.add_argument("--largest", action="store_true", help="with all seats, and on the largest boards")
    made.add_argument("--memory", type=int, default=0, metavar="MB", help="of a control group for the server; as root (none)")
    made.add_argument("--core", default="", help="which core the server may use, for taskset (all)")
    made.add_argument("--max-p99", type=float, default=0.0, metavar="MS", help="fail if an action takes longer")
    made.add_argument("options", nargs="*", help="options of scripts/play, after --")
    args = made.parse_args(arguments)
    os.environ.update(UNLIMITED)
    prefix = ("taskset", "-c", args.core) if args.core else ()
    with folder(None) as data, _group(args.memory) as group, playing(data, args.options, prefix, group) as (launcher, address):
        under = conditions(args)
        before = Written.of(data)
        evening = asyncio.run(_spend(address, launcher, args))
        after, rewritten = Written.of(data), _rewritten(data)
        said = (data / "said").read_text()
    killed = re.findall(r"^ *(\S+ has stopped .*|\S+ hangs.*)$", said, re.MULTILINE)
    taken = evening.actions_ms
    p50, p99 = statistics.median(taken), statistics.quantiles(taken, n=100, method="inclusive")[-1]
    print(
        table(
            ("actions of persons", "p50, ms", "p99, ms", "slowest, ms", "refused", "games", "PSS at most, MB", "ended"),
            [
                (
                    len(taken),
                    *(f"{ms:.1f}" for ms in (p50, p99, max(taken))),
                    evening.refused,
                    evening.finished,
                    f"{evening.peak_mb:.0f}",
                    len(killed),
                )
            ],
        )
    )
    grown = [getattr(after, kind) - getattr(before, kind) for kind in ("store", "databases", "logs")]
    names = ("append-only file", "databases", "logs")
    rows = [
        (
            name,
            f"{size / 1024:.0f}",
            f"{size / evening.actions * 1000 / 1024:.0f}",
            f"{size / max(1, evening.finished) / 1024:.1f}",
        )
        for name, size in zip(names, grown, strict=True)
    ]
    print("\n" + table(("what", "written, KiB", "by 1,000 actions, KiB", "by finished game, KiB"), rows))
    month = [size / max(1, evening.finished) * _MONTH_GAMES / MB for size in grown]
    print(f"\nrewritten, the append-only file has {rewritten.store / 1024:.0f} KiB instead of {after.store / 1024:.0f}")
    sums = ", ".join(f"{name} {size:.0f} MB" for name, size in zip(names, month, strict=True))
    print(f"{_MONTH_GAMES} games, a month of a club of 50: {sums}")
    print("\n".join(killed) or "no process ended")
    print(", ".join(f"{name} {value}" for name, value in under.items()))
    is_missed = 0 < args.max_p99 < p99
    return _FAILED if is_missed or killed else 0


if __name__ == "__main__":
    sys.exit(main())
