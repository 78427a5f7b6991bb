"""Measures what an accepted action costs, in all games and under several loads, beside yardsticks in the same minutes.

    python -m loadtests.actions                                       # all of it: an hour and three quarters
    python -m loadtests.actions --games einstein --only saturation lone
    python -m loadtests.actions --yardsticks loop --windows 3         # without Node.js
    python -m loadtests.actions --games wec --only saturation --without-lists    # people who know the rules
    python -m loadtests.actions --strict --json actions.json --markdown actions.md
    python -m loadtests.actions --games einstein --only saturation --yardsticks --beside ../before --windows 100 --seconds 1

It starts a deployment of its own for each game, as the launcher does, with limits of callers that a driver cannot meet. CPU time
is that of all its processes, their children included; the driver's is told apart. The tables go to standard output.
"""

import argparse
import contextlib
import gc
import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, Literal

import uvloop

from deploy.local.launcher_error import LauncherError
from loadtests.actions import measures, other_deployment
from loadtests.actions.bars import judge
from loadtests.actions.figures import Result
from loadtests.actions.markdown import markdown
from loadtests.actions.systems import OTHER, STORES, Boardgame, Brettwerk, Loop, System
from loadtests.actions.turns import Timing, measure
from loadtests.actions.yardstick.boardgame import Store, prepare
from loadtests.limits import UNLIMITED
from loadtests.run import conditions, deployment
from loadtests.run import parser as options

SETTINGS: Mapping[str, str] = UNLIMITED | {
    "BRETTWERK_TRUSTED_PROXIES": "127.0.0.0/8",  # everybody says an address of their own
    "BRETTWERK_SESSIONS_TOTAL": "1000000",
    "BRETTWERK_TABLES_STONES": "0",  # computers play nowhere here, and no endgame table is made meanwhile
}
MEASURES = tuple(one.name for one in measures.measures("einstein", 0))
LOOP: Final = "loop"


def parser() -> argparse.ArgumentParser:
    """Return the parser of the options."""
    made = options(__doc__)
    made.add_argument("--games", nargs="+", choices=measures.GAMES, default=list(measures.GAMES))
    made.add_argument("--only", nargs="+", choices=MEASURES, default=list(MEASURES), help="only these measures")
    made.add_argument("--windows", type=int, default=5, help="number of windows for each measure and side")
    made.add_argument("--seconds", type=float, default=3.0, help="length of a window, in seconds")
    made.add_argument("--warm-up", type=float, default=1.0, help="seconds of play before each window")
    made.add_argument("--idle-sessions", type=int, default=2000)
    made.add_argument("--without-lists", action="store_true", help="people are bots that know the rules and need no lists")
    made.add_argument("--rate", type=float, default=0.0, help="actions per second of the open loop; 0 for the game's own rate")
    made.add_argument(
        "--yardsticks",
        nargs="*",
        choices=(*STORES, LOOP),
        default=None,
        help="boardgame.io by where it keeps matches, or fixed work; by default all of boardgame.io if Node.js is available",
    )
    made.add_argument("--json", type=Path, default=None, help="file for the figures")
    made.add_argument("--markdown", type=Path, default=None, help="file for the tables")
    made.add_argument("--strict", action="store_true", help="exit with 1 if a bar is missed; with faults it always does")
    made.add_argument("--beside", type=Path, default=None, help="prepared checkout of another state, to take turns with")
    made.add_argument("--web", default="", help="host:port of the web endpoint of a running deployment, for a single game")
    made.add_argument(
        "--pid", action="append", default=[], metavar="NAME=PID", help="processes whose CPU time to count, with --web"
    )
    return made


def _yardsticks(asked: Sequence[Store | Literal["loop"]] | None) -> list[System]:
    if asked is not None and not {*asked} & {*STORES}:
        return [Loop() for _ in asked[:1]]
    try:
        node = prepare(_say)
    except LauncherError as error:
        if asked is not None:
            raise
        _say(f"no boardgame.io, fixed work instead: {error}")
        return [Loop()]
    return [Loop() if name == LOOP else Boardgame(node, name) for name in asked or STORES]


@contextlib.contextmanager
def _beside(checkout: Path | None, game: str, *, without_lists: bool) -> Iterator[list[System]]:
    """Yield the deployment of another checkout, if one was named."""
    if checkout is None:
        yield []
        return
    root = checkout.absolute()
    path = os.pathsep.join(str(root / folder) for folder in (".", "generated/python", "clients/python/src"))
    command = [str(root / ".venv/bin/python"), str(Path(other_deployment.__file__).absolute()), json.dumps(SETTINGS)]
    with subprocess.Popen(  # noqa: S603 - the caller names the checkout
        command, cwd=root, env=os.environ | {"PYTHONPATH": path}, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        if not line:
            raise LauncherError(f"no deployment of {checkout} runs")
        address, pids = json.loads(line)
        yield [Brettwerk(address, lambda: pids, game, f"{OTHER}{_commit(root)}", without_lists=without_lists)]
    # Leaving `process` closes its standard input, which ends the deployment, and waits for it.


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


async def _game(game: str, args: argparse.Namespace, yardsticks: Sequence[System], system: System) -> list[Result]:
    timing = Timing(args.windows, args.seconds, args.warm_up)
    chosen: Iterable[measures.Measure] = measures.measures(game, args.idle_sessions, args.rate)
    return [await measure(game, one, system, yardsticks, timing, _say) for one in chosen if one.name in args.only]


def run(args: argparse.Namespace, yardsticks: Sequence[System]) -> list[Result]:
    """Measure and return the results. Raises LauncherError when something does not start."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard if soft < hard else soft, hard))
    results: list[Result] = []
    gc.freeze()
    gc.set_threshold(100_000, 50, 1000)

    def driven(game: str, address: str, pids: Callable[[], Mapping[str, int]], others: Sequence[System] = ()) -> None:
        system = Brettwerk(address, pids, game, without_lists=args.without_lists)
        results.extend(uvloop.run(_game(game, args, [*yardsticks, *others], system)))

    for game in args.games:
        if args.web:
            given = {process: int(pid) for process, _, pid in (entry.partition("=") for entry in args.pid)}
            driven(game, args.web, lambda given=given: given)  # type: ignore[misc]
            continue
        with deployment(SETTINGS) as started, _beside(args.beside, game, without_lists=args.without_lists) as others:
            driven(game, started.web_address, started.pids, others)
    return results


def _commit(checkout: Path = Path()) -> str:
    command = ["git", "describe", "--always", "--dirty"]
    described = subprocess.run(command, cwd=checkout, capture_output=True, text=True, check=False)  # noqa: S603
    return described.stdout.strip()


def main() -> int:
    """Read the options, measure, print and keep the results. Returns the exit status."""
    args = parser().parse_args()
    hidden = ("rate", "json", "markdown", "strict", "web", "pid", "games", "only", "yardsticks", "beside")
    under = conditions(args, *hidden) | {"commit": _commit()}
    yardsticks = _yardsticks(args.yardsticks)
    results = run(args, yardsticks)
    under["after"] = f"{os.getloadavg()[0]:.1f}"
    verdicts = judge(results)
    text = markdown(results, verdicts, under)
    print(text)
    if args.markdown:
        args.markdown.write_text(text + "\n")
    if args.json:
        kept = {"conditions": under, "results": [result.kept() for result in results]}
        args.json.write_text(json.dumps(kept, indent=1) + "\n")
    failed = any(result.faults for result in results) or (args.strict and not all(verdict.met for verdict in verdicts))
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
