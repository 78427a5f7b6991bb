"""Proves that session processes own their shards, on a system of its own with several of them.

    python -m loadtests.owners share --sessions 1,2,4     # how they share the load
    python -m loadtests.owners move                       # they come and go, and nobody notices
    python -m loadtests.owners kill                       # kill -9 of owners at full load
    python -m loadtests.owners stop                       # SIGSTOP, and SIGCONT when others own what they had
    python -m loadtests.owners cut                        # cut off from the store, while gateways reach them
    python -m loadtests.owners watchers                   # who begins the watch anew at every event sees the same bytes

Findings go to standard error, the figures as one line of JSON to standard output. The exit status is 1 when something is wrong
that must never be and, with --strict, when a bar is missed (loadtests/README.md).
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import uvloop

from loadtests import run
from loadtests.chaos.figures import Figures
from loadtests.owners import balance, runs

Result = tuple[dict[str, Any], list[str], list[str]]
"""The figures that are kept as JSON, the faults, and a sentence for each bar that was missed."""


_SHARE, _DEFAULTS = balance.Plan(), runs.Plan("move")


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    made = run.parser(__doc__)
    commands = made.add_subparsers(dest="run", required=True)
    share = commands.add_parser("share", help="how the load is shared")
    share.add_argument("--sessions", default="1,2,4", help="how many session processes, separated by commas")
    share.add_argument("--tables", type=int, default=_SHARE.tables)
    share.add_argument("--think", type=float, default=_SHARE.think_s, help="mean time that a person thinks, in seconds")
    share.add_argument("--seconds", type=float, default=_SHARE.seconds, help="length of the window, in seconds")
    helps = {
        "move": "processes come and go in an orderly way",
        "kill": "owners are killed",
        "stop": "owners hang",
        "cut": "owners are cut off from the store",
        "watchers": "watchers start afresh at every event",
    }
    for kind in runs.KINDS:
        one = commands.add_parser(kind, help=helps[kind])
        one.add_argument("--sessions", type=int, default=_DEFAULTS.sessions, help="initial number of session processes")
        one.add_argument("--tables", type=int, default=_DEFAULTS.tables)
        one.add_argument("--think", type=float, default=None, help="mean time that a person thinks, in seconds")
        one.add_argument("--seconds", type=float, default=_DEFAULTS.seconds, help="how long it lasts, in seconds")
        one.add_argument(
            "--pause",
            type=float,
            nargs=2,
            default=_DEFAULTS.pause_s,
            help="minimum and maximum number of seconds between two of them",
        )
        if kind in ("stop", "cut"):
            one.add_argument(
                "--lasts",
                type=float,
                nargs=2,
                default=_DEFAULTS.lasts_s,
                help="for how many seconds an owner is affected, minimum and maximum",
            )
        one.add_argument("--seed", type=int, default=1)
    for command in commands.choices.values():
        command.add_argument("--gateways", type=int, default=2)
        command.add_argument("--strict", action="store_true", help="exit with 1 if a bar is missed")
        command.add_argument("--json", type=Path, default=None, help="also write the figures to this file")
        run.add_data(command)
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Run, print; return the exit status."""
    args = parser().parse_args(arguments)
    under, say = run.conditions(args, "data", "quiet", "strict", "json"), run.progress(is_quiet=args.quiet)
    with run.folder(args.data) as folder:
        kept, wrong, missed = (_share if args.run == "share" else _run)(args, folder, say)
    for sentence in (*wrong, *(f"missed: {one}" for one in missed)):
        print(sentence, file=sys.stderr)
    line = json.dumps(kept | {"wrong": wrong, "missed": missed, "conditions": under})
    if args.json:
        args.json.write_text(line + "\n")
    print(line)
    return int(bool(wrong) or (args.strict and bool(missed)))


def _share(args: argparse.Namespace, folder: Path, say: run.Say) -> Result:
    numbers = [int(one) for one in args.sessions.split(",")]
    plan = balance.Plan(numbers, args.gateways, args.tables, args.think, args.seconds)
    outcome = uvloop.run(balance.measure(plan, folder, say))
    return outcome.kept(), outcome.faults, outcome.missed()


def _run(args: argparse.Namespace, folder: Path, say: run.Say) -> Result:
    pause_s, lasts = (args.pause[0], args.pause[1]), getattr(args, "lasts", _DEFAULTS.lasts_s)
    plan = runs.Plan(
        args.run,
        args.seconds,
        args.sessions,
        args.gateways,
        args.tables,
        args.think,
        pause_s,
        (lasts[0], lasts[1]),
        args.seed,
    )
    figures = Figures()
    with runs.started(plan, folder, figures) as (system, wires):
        outcome = uvloop.run(runs.run(plan, system, wires, figures, say))
    for sentence in figures.sentences():
        print(sentence, file=sys.stderr)
    say(outcome.text())
    wrong = [f"{name}: {count}" for name, count in figures.wrong.items() if count]
    return outcome.kept(), wrong, outcome.missed()


if __name__ == "__main__":
    sys.exit(main())
