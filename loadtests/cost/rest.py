"""The needs of a server while nobody plays: `python -m loadtests.cost.rest`; options of `scripts/play` follow `--`.

    python -m loadtests.cost.rest
    python -m loadtests.cost.rest --sessions 1000 --wait 60 --seconds 60 -- --workers 4

It starts the launcher as people do, in a data folder of its own, has guests begin sessions of all games and make some moves in
each, and lets all of them leave. A minute later it measures for another one. For each process, its children of the same name
included: proportional memory (PSS: of a page that several share, each has its part), what it shares with nobody and all that it
has resident, in MB of 2^20 bytes; the share of a core; and how often a minute a thread of it went to sleep (voluntary context
switches), which is how often something woke it. Linux only.
"""

import asyncio
import contextlib
import json
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import psutil

from brettwerk_client import AsyncClient, AsyncSeat, Refused, me
from loadtests.markdown import table
from loadtests.run import conditions, folder, parser

GAMES = ("einstein", "emperado", "plateau", "wec")
GUESTS = 20
"""How many guests there are at a time. Each begins sessions one after the other, and plays both seats."""
START_S = 300.0
_SMAPS = re.compile(r"^(Rss|Pss|Private_Clean|Private_Dirty): +(\d+) kB$", re.MULTILINE)
_MB = 1024.0
_FAILED = 1


@dataclass(frozen=True, slots=True)
class Memory:
    """Of a process, in MB."""

    pss: float
    private: float
    resident: float


@dataclass(frozen=True, slots=True)
class Row:
    """The usage of the processes of a name."""

    processes: int
    threads: int
    memory: Memory
    cpu_percent: float
    """Of a core."""
    sleeps_per_minute: float


@dataclass(frozen=True, slots=True)
class _Reading:
    """Of a process at a moment."""

    name: str
    cpu_s: float
    threads: Mapping[int, int]
    """How often each thread has gone to sleep."""


def memory(pid: int) -> Memory:
    """Return the memory of a process. Raises OSError when it is gone or somebody else's."""
    found = Counter({name: int(kib) for name, kib in _SMAPS.findall(Path(f"/proc/{pid}/smaps_rollup").read_text())})
    return Memory(found["Pss"] / _MB, (found["Private_Clean"] + found["Private_Dirty"]) / _MB, found["Rss"] / _MB)


def measured(root: int, seconds: float) -> dict[str, Row]:
    """Return what a process and its descendants take in so many seconds, by name, the dearest first.

    Processes that begin or end meanwhile count by what they have when that is seen last.
    """
    before, began = _readings(root), time.monotonic()
    time.sleep(seconds)
    after, lasted_s = _readings(root), time.monotonic() - began
    rows: dict[str, Row] = {}
    for pid, reading in after.items():
        try:
            holds = memory(pid)
        except OSError:
            continue
        was = before.get(pid, _Reading(reading.name, 0.0, {}))
        sleeps = sum(count - was.threads.get(thread, 0) for thread, count in reading.threads.items())
        row = Row(1, len(reading.threads), holds, 100 * (reading.cpu_s - was.cpu_s) / lasted_s, 60 * sleeps / lasted_s)
        rows[reading.name] = total([rows[reading.name], row]) if reading.name in rows else row
    return dict(sorted(rows.items(), key=lambda item: -item[1].memory.pss))


def total(rows: Sequence[Row]) -> Row:
    """Return all of them together."""
    held = [one.memory for one in rows]
    holds = Memory(sum(one.pss for one in held), sum(one.private for one in held), sum(one.resident for one in held))
    return Row(
        sum(one.processes for one in rows),
        sum(one.threads for one in rows),
        holds,
        sum(one.cpu_percent for one in rows),
        sum(one.sleeps_per_minute for one in rows),
    )


def markdown(rows: Mapping[str, Row]) -> str:
    """Return the table, with a last line for all together."""
    names = ("process", "processes", "threads", "PSS, MB", "of it private", "resident", "% of a core", "sleeps a minute")
    cells = []
    for name, row in [*rows.items(), ("**all**", total(list(rows.values())))]:
        held = [f"{size:.1f}" for size in (row.memory.pss, row.memory.private, row.memory.resident)]
        cells.append((name, row.processes, row.threads, *held, f"{row.cpu_percent:.2f}", f"{row.sleeps_per_minute:.0f}"))
    return table(names, cells)


def _readings(root: int) -> dict[int, _Reading]:
    found = {}
    launcher = psutil.Process(root)
    for process in (launcher, *launcher.children(recursive=True)):
        with contextlib.suppress(psutil.NoSuchProcess, OSError):
            name = "launcher" if process.pid == root else _name(process)
            threads = {
                int(thread.name): int(status[1])
                for thread in Path(f"/proc/{process.pid}/task").iterdir()
                if (status := re.search(r"^voluntary_ctxt_switches:\s+(\d+)", (thread / "status").read_text(), re.MULTILINE))
            }
            # clock_getcpuclockid(3): all threads, to the nanosecond.
            found[process.pid] = _Reading(name, time.clock_gettime((~process.pid << 3) | 2), threads)
    return found


def _name(process: psutil.Process) -> str:
    """Return what a process is called: that of the module which Python runs, if it is named after nothing else."""
    name, command = process.name(), process.cmdline()
    is_python = name.startswith("python") and "-m" in command[:-1]
    return command[command.index("-m") + 1].rpartition(".")[2] if is_python else name


@contextlib.contextmanager
def playing(
    data: Path,
    options: Sequence[str],
    prefix: Sequence[str] = (),
    group: Path | None = None,
    interpreter: str = sys.executable,
) -> Iterator[tuple[int, str]]:
    """Run the launcher, and yield its process id and the address of its gRPC endpoint. Raises RuntimeError when it ends.

    `prefix`: a command that starts it, such as taskset. `group`: the folder of the control group that it is in, with all that it
    starts. `interpreter`: the Python that runs all of it.
    """
    command = [
        *prefix,
        interpreter,
        "-P",
        "-m",
        "deploy.local",
        "--data",
        str(data),
        "--port",
        "0",
        "--grpc-port",
        "0",
        *options,
    ]
    with (data / "said").open("w+") as said:
        process = subprocess.Popen(command, stdout=said, stderr=subprocess.STDOUT)  # noqa: S603
        if group is not None:
            (group / "cgroup.procs").write_text(str(process.pid))
        try:
            until = time.monotonic() + START_S
            while not (found := re.search(r"bots \(gRPC\) +(\S+)", (data / "said").read_text())):
                if process.poll() is not None or time.monotonic() > until:
                    raise RuntimeError(f"the launcher is not ready; it said:\n{(data / 'said').read_text()}")
                time.sleep(0.1)
            yield process.pid, found[1]
        finally:
            process.terminate()
            process.wait()


async def begin_sessions(address: str, sessions: int, moves: int) -> None:
    """Begin so many sessions, play so many moves in each, and leave."""
    numbers = iter(range(sessions))

    async def play(guest: int) -> None:
        async with AsyncClient(address, name=f"Guest {guest}") as client:
            for number in numbers:
                table = await client.create_session(GAMES[number % len(GAMES)], [me(), me()])
                for _ in range(moves):
                    await _move(table.seats)

    await asyncio.gather(*map(play, range(min(GUESTS, sessions))))


async def _move(seats: Sequence[AsyncSeat]) -> None:
    for seat in seats:
        update = await seat.update()
        if update.actions:
            with contextlib.suppress(Refused):  # somebody's turn may have passed by itself
                await seat.act(update, update.actions[0])
            return


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; return the exit status, 1 when a bar is given and missed."""
    made = parser(__doc__)
    made.add_argument("--sessions", type=int, default=1000, help="sessions that stay in the store (1000)")
    made.add_argument("--moves", type=int, default=4, help="moves in each of them (4)")
    made.add_argument("--wait", type=float, default=60.0, help="seconds from when the last player has left (60)")
    made.add_argument("--seconds", type=float, default=60.0, help="seconds to measure for (60)")
    made.add_argument("--max-pss", type=float, default=0.0, metavar="MB", help="fail if all processes take more")
    made.add_argument("--max-cpu", type=float, default=0.0, metavar="PERCENT", help="fail if all processes take more of a core")
    made.add_argument(
        "--python", default=sys.executable, help="the interpreter of the server: of an environment as people have it (this one)"
    )
    made.add_argument("--json", type=Path, default=None, help="also write the figures to this file")
    made.add_argument("options", nargs="*", help="options of scripts/play, after --")
    args = made.parse_args(arguments)
    with folder(None) as data, playing(data, args.options, interpreter=args.python) as (launcher, address):
        asyncio.run(begin_sessions(address, args.sessions, args.moves))
        time.sleep(args.wait)
        under = conditions({"sessions": args.sessions, "options": " ".join(args.options)})
        rows = measured(launcher, args.seconds)
    print(f"{markdown(rows)}\n\n{', '.join(f'{name} {value}' for name, value in under.items())}")
    if args.json:
        args.json.write_text(
            json.dumps({"conditions": under, "rows": {name: asdict(row) for name, row in rows.items()}}, indent=2)
        )
    whole = total(list(rows.values()))
    is_missed = 0 < args.max_pss < whole.memory.pss or 0 < args.max_cpu < whole.cpu_percent
    return _FAILED if is_missed else 0


if __name__ == "__main__":
    sys.exit(main())
