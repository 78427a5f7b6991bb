"""Simulate: `python -m loadtests.simulation plan | crowd | day`."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from loadtests.simulation import pictures
from loadtests.simulation.bars import Bar, bars, table
from loadtests.simulation.crowd import CAUSES, Crowd
from loadtests.simulation.parameters import Parameters, read_parameters
from loadtests.simulation.plan import deployments_for
from loadtests.simulation.results import crowd_figures, crowd_tables, day_bars, day_figures, plan_tables
from loadtests.simulation.workers import WorkersDay


def main(arguments: list[str] | None = None) -> int:
    """Do what the arguments say, and return the exit status: 1 if a bar is missed with --strict."""
    options = _parser().parse_args(arguments)
    parameters = read_parameters().replaced(**dict(_setting(text) for text in options.set))
    match options.what:
        case "plan":
            print(plan_tables(parameters))
            return 0
        case "crowd":
            found, figures = _crowd(parameters, options)
        case _:
            found, figures = _day(parameters, options)
    print(table([bar.cells() for bar in found], ("bar", "found", "at most", "")))
    print(json.dumps(figures))
    return int(options.strict and not all(bar.is_met for bar in found))


def _crowd(parameters: Parameters, options: argparse.Namespace) -> tuple[list[Bar], dict[str, Any]]:
    causes = () if options.no_faults else CAUSES
    crowd = Crowd(parameters, options.games, options.seed, causes=causes, lose_zones=options.lose_zones, owners=options.owners)
    tally = crowd.run(options.hours * 3600)
    print(crowd_tables(crowd), "\n")
    if options.pictures:
        pictures.write_crowd(options.pictures, tally)
    return bars(tally), crowd_figures(crowd)


def _day(parameters: Parameters, options: argparse.Namespace) -> tuple[list[Bar], dict[str, Any]]:
    least = options.least if options.least is not None else 2
    most = options.most or max(2, deployments_for(parameters, options.games)[1].workers_most)
    day = WorkersDay(parameters, options.games, options.seed, least=least, most=most)
    day.run(options.hours * 3600)
    if options.pictures:
        pictures.write_day(options.pictures, day, options.name)
    return day_bars(day), day_figures(day)


def _setting(text: str) -> tuple[str, Any]:
    name, _, value = text.partition("=")
    return name, json.loads(value)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m loadtests.simulation", description=__doc__)
    parser.add_argument("what", choices=("plan", "crowd", "day"))
    parser.add_argument("--games", type=float, default=10_000_000, help="how many are played at a time, at most")
    parser.add_argument("--hours", type=float, default=24.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="another value than parameters.json has")
    parser.add_argument("--strict", action="store_true", help="exit status 1 when a bar is missed")
    parser.add_argument("--pictures", type=Path, help="a folder for plots")
    parser.add_argument("--no-faults", action="store_true", help="crowd: nothing fails, and nothing is released")
    parser.add_argument("--lose-zones", action="store_true", help="crowd: every region loses a zone at its peak")
    parser.add_argument("--owners", type=int, help="crowd: session pods of a deployment, in place of the plan's")
    parser.add_argument("--least", type=int, help="day: pods at least; 0: KEDA scales to zero, which the chart never does")
    parser.add_argument("--most", type=int, help="day: pods at most")
    parser.add_argument("--name", default="workers-day", help="day: the name of its plot")
    return parser


if __name__ == "__main__":
    sys.exit(main())
