"""Measures whether computers keep up.

    python -m loadtests.computers overload --sleeping --slots 8 --add-workers     # the scheduler, on a small machine
    python -m loadtests.computers overload --slots 2                               # with real players
    python -m loadtests.computers chaos --sleeping --slots 8
    python -m loadtests.computers chaos --sleeping --slots 4 --workers 3 --k 0.4 --faults drain --times 300 --between 2
    python -m loadtests.computers waiting --tables 10000

A table for people goes to standard error, the figures as one line of JSON to standard output. With --strict the exit status is 1
when a bar is missed (loadtests/README.md).
"""

import argparse
import json
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import uvloop

from loadtests.computers import bars, chaos, want_backlog
from loadtests.computers.figures import table
from loadtests.computers.overload import Overload, Plan
from loadtests.computers.system import System
from loadtests.run import Say, add_data, conditions, folder, progress
from loadtests.run import parser as options

Result = tuple[str, dict[str, Any], list[str]]
"""The text for people, the figures that are kept as JSON, and a sentence for each bar that was missed."""


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    made = options(__doc__)
    runs = made.add_subparsers(dest="run", required=True)
    overload = runs.add_parser("overload", help="more and more demand, then back")
    overload.add_argument(
        "--k",
        default="1,3,10,30",
        help="multiples of the demand that workers can serve, separated by commas; the first is normal operation",
    )
    overload.add_argument("--seconds", type=float, default=30.0, help="how long to measure each level of demand")
    overload.add_argument("--warm-up", type=float, default=10.0, help="how long it lasts before that")
    overload.add_argument("--pause", type=float, default=2.0, help="mean time that a person takes for a move, in seconds")
    overload.add_argument("--hints", type=float, default=0.1, help="how often a person asks for a hint before a move")
    overload.add_argument("--add-workers", action="store_true", help="also measure the effect of added workers")
    overload.add_argument("--one-address", action="store_true", help="everybody comes from one network address")
    hurt = runs.add_parser("chaos", help="kill processes while demand is three times capacity")
    hurt.add_argument("--k", type=float, default=3.0)
    hurt.add_argument("--times", type=int, default=3, help="how often each is killed")
    hurt.add_argument("--faults", default=",".join(chaos.KINDS), help="what to kill, separated by commas")
    hurt.add_argument("--workers", type=int, default=2)
    hurt.add_argument("--between", type=float, default=4.0, help="mean time between two of them, in seconds")
    hurt.add_argument("--seed", type=int, default=1)
    still = runs.add_parser("waiting", help="have very many moves wanted that nobody thinks about")
    still.add_argument("--tables", type=int, default=10_000)
    still.add_argument("--seconds", type=float, default=60.0, help="how long to measure")
    still.add_argument("--rest", type=float, default=150.0, help="how long to wait after the last table")
    for run in (overload, hurt):
        run.add_argument("--sleeping", action="store_true", help="players sleep for the time that they get")
        run.add_argument(
            "--slots", type=int, default=0, help="how many moves a worker thinks about at once; by default, one per CPU"
        )
    for run in (overload, hurt, still):
        run.add_argument("--strict", action="store_true", help="exit with 1 if a bar is missed")
        add_data(run)
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Run, print; return the exit status."""
    args = parser().parse_args(arguments)
    run = {"overload": _overload, "chaos": _chaos, "waiting": _waiting}[args.run]
    with folder(args.data) as data:
        under, say = conditions(args, "data", "quiet", "strict"), progress(is_quiet=args.quiet)
        shown, kept, missed = run(args, data, under, say)
    print(shown, file=sys.stderr, flush=True)
    for sentence in missed:
        print(f"missed: {sentence}", file=sys.stderr)
    print(json.dumps(kept | {"missed": missed}))
    return 1 if missed and args.strict else 0


def _overload(args: argparse.Namespace, data: Path, under: Mapping[str, str], say: Say) -> Result:
    plan = Plan(
        ks=[float(k) for k in args.k.split(",")],
        seconds=args.seconds,
        warm_s=args.warm_up,
        pause_s=args.pause,
        hints=args.hints,
        add_workers=args.add_workers,
        one_address=args.one_address,
    )
    with System(data, args.slots or os.cpu_count() or 1, sleeping=args.sleeping) as system:
        outcome = uvloop.run(Overload(system, plan, under, say).run())
        _tell(system.faults)
    return table(outcome), outcome.kept(), bars.missed(outcome)


def _chaos(args: argparse.Namespace, data: Path, under: Mapping[str, str], say: Say) -> Result:
    kinds = [kind for kind in args.faults.split(",") if kind]
    if unknown := set(kinds) - set(chaos.KINDS):
        raise SystemExit(f"there is no fault {', '.join(sorted(unknown))}")
    pause_s = (args.between / 2, args.between * 1.5)
    plan = chaos.Plan(k=args.k, times=args.times, kinds=kinds, pause_s=pause_s, seed=args.seed)
    with System(data, args.slots or os.cpu_count() or 1, sleeping=args.sleeping, own_broker=True) as system:
        for _ in range(args.workers - 1):
            system.wait(system.add_worker())
        outcome = uvloop.run(chaos.Chaos(system, plan, under, say).run())
        _tell(system.faults)
    figures = " ".join(f"{name}={value}" for name, value in outcome.kept().items() if name != "conditions")
    return figures, outcome.kept(), outcome.missed()


def _waiting(args: argparse.Namespace, data: Path, under: Mapping[str, str], say: Say) -> Result:
    with System(data, 1, sleeping=True, own_broker=True, memory_mb=4096) as system:
        outcome = uvloop.run(want_backlog.stand(system, args.tables, args.seconds, args.rest, under, say))
        _tell(system.faults)
    return outcome.table(), outcome.kept(), outcome.missed()


def _tell(faults: Sequence[str]) -> None:
    for fault in faults[:3]:
        print(fault, file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
