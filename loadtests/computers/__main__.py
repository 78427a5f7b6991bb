"""Measures whether computers keep up.

    python -m loadtests.computers overload --sleeping --slots 16 --add-workers     # the scheduler, on a small machine
    python -m loadtests.computers overload --slots 2                               # with real players
    python -m loadtests.computers chaos --sleeping --slots 8
    python -m loadtests.computers standing --tables 10000

A table for people goes to standard error, the figures as one line of JSON to standard output. With --strict the exit status is 1
when a bar is missed (loadtests/README.md).
"""

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import uvloop

from loadtests.computers import bars
from loadtests.computers.figures import table
from loadtests.computers.overload import Overload, Plan
from loadtests.computers.system import System
from loadtests.report import conditions


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    made = argparse.ArgumentParser(
        prog="loadtests.computers", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    runs = made.add_subparsers(dest="run", required=True)
    overload = runs.add_parser("overload", help="more and more demand, and back")
    overload.add_argument(
        "--k", default="1,3,10,30", help="times the demand that workers can serve, by commas, the first is usual"
    )
    overload.add_argument("--seconds", type=float, default=30.0, help="how long each demand is measured")
    overload.add_argument("--warm-up", type=float, default=10.0, help="how long it is there before")
    overload.add_argument("--pause", type=float, default=2.0, help="mean time a person takes for a move, in seconds")
    overload.add_argument("--hints", type=float, default=0.1, help="how often a person wants a hint before a move")
    overload.add_argument("--add-workers", action="store_true", help="measure what added workers bring, too")
    overload.add_argument("--one-address", action="store_true", help="everybody comes from one network address")
    for run in (overload,):
        run.add_argument("--sleeping", action="store_true", help="players sleep for the time that they are granted")
        run.add_argument("--slots", type=int, default=0, help="thoughts at once; as many as CPUs, if nothing is said")
        run.add_argument("--strict", action="store_true", help="exit with 1 when a bar is missed")
        run.add_argument("--data", type=Path, default=None, help="where everything is kept; a temporary folder at first")
        run.add_argument("--quiet", action="store_true", help="no line of progress")
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Run, print; return the exit status."""
    args = parser().parse_args(arguments)
    args.slots = args.slots or os.cpu_count() or 1
    under = conditions({name: value for name, value in vars(args).items() if name not in ("data", "quiet", "strict")})
    under |= {"day": time.strftime("%Y-%m-%d"), "load average before": f"{os.getloadavg()[0]:.1f}"}
    began = time.monotonic()

    def say(sentence: str) -> None:
        if not args.quiet:
            print(f"{time.monotonic() - began:7.1f} s  {sentence}", file=sys.stderr, flush=True)

    with tempfile.TemporaryDirectory(prefix="brettwerk-computers-") as temporary:
        folder = args.data or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        with System(folder, args.slots, sleeping=args.sleeping) as system:
            plan = Plan(
                ks=[float(k) for k in args.k.split(",")],
                seconds=args.seconds,
                warm_s=args.warm_up,
                pause_s=args.pause,
                hints=args.hints,
                add_workers=args.add_workers,
                one_address=args.one_address,
            )
            outcome = uvloop.run(Overload(system, plan, under, say).run())
            for fault in system.faults[:20]:
                print(fault, file=sys.stderr)
    print(table(outcome), file=sys.stderr, flush=True)
    missed = bars.missed(outcome)
    for sentence in missed:
        print(f"missed: {sentence}", file=sys.stderr)
    print(json.dumps(outcome.kept() | {"missed": missed}))
    return 1 if missed and args.strict else 0


if __name__ == "__main__":
    sys.exit(main())
