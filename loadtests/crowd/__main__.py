"""A crowd: people who think, players against computers, and watchers who lose their connection, by a profile over time.

    python -m loadtests.crowd --people 50 --solos 10 --watchers 100 --think 1 --seconds 60
    python -m loadtests.crowd --profile spike --endpoint grpc --storm-every 10 --json spike.json

It starts a deployment of its own unless --grpc and --web name one. Profiles: steady (all from the beginning), ramp (one after
another over four fifths of the time), spike (a fifth of them, all of them in the middle third). --json keeps the figures and what
happened in each second.
"""

import argparse
import asyncio
import contextlib
import json
import math
import random
import statistics
import sys
import time
from collections.abc import Coroutine, Iterator
from pathlib import Path
from typing import Any

import uvloop

from loadtests import run
from loadtests.crowd.endpoints import EndpointName, Endpoints
from loadtests.crowd.match import Match, Player
from loadtests.crowd.mixes import Solo, Storms, Watcher
from loadtests.crowd.report import Second
from loadtests.crowd.report import kept as kept_as
from loadtests.crowd.results import Results
from loadtests.limits import UNLIMITED
from loadtests.processes import cpu_seconds

PROFILES = ("steady", "ramp", "spike")


def times(profile: str, number: int, of: int, seconds: float) -> tuple[float, float]:
    """Return from when until when the player `number` of `of` plays, in seconds from the beginning."""
    if profile == "ramp":
        return 0.8 * seconds * number / max(1, of), seconds
    if profile == "spike" and number >= math.ceil(of / 5):
        return seconds / 3, 2 * seconds / 3
    return 0.0, seconds


async def drive(args: argparse.Namespace, pids: dict[str, int]) -> tuple[list[Second], Storms]:
    """Let the crowd play and return what happened, second by second."""
    endpoints = Endpoints(args.endpoint, args.grpc, args.web)
    results, dice, storms = Results(), random.Random(args.seed), Storms()
    pairs = [(await Player.enter(endpoints, f"P{i}"), await Player.enter(endpoints, f"Q{i}")) for i in range(args.people)]
    solos = [await Player.enter(endpoints, f"S{i}") for i in range(args.solos)]
    playing = 0

    async def during(begin: float, end: float, work: Coroutine[Any, Any, None]) -> None:
        nonlocal playing
        try:
            await asyncio.sleep(begin)
            playing += 1
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(max(0.1, end - begin)):
                    await work
            playing -= 1
        finally:
            work.close()

    def seen() -> str:
        ids = [player.session_id for player, _ in pairs if player.session_id] + [
            one.session_id for one in solos if one.session_id
        ]
        return dice.choice(ids) if ids else ""

    tasks = []
    players = [Match(*pair, results, args.think, random.Random(dice.random())).play_on() for pair in pairs]
    players += [Solo(one, results, args.think, args.level, random.Random(dice.random())).play_on() for one in solos]
    for number, work in enumerate(players):
        tasks.append(asyncio.create_task(during(*times(args.profile, number, len(players), args.seconds), work)))
    while not seen():  # noqa: ASYNC110 - once, until the first game has begun
        await asyncio.sleep(0.05)
    watchers = [Watcher(endpoints, seen, storms) for _ in range(args.watchers)]
    watching = [asyncio.create_task(watcher.watch_on()) for watcher in watchers]
    if args.storm_every:
        watching.append(asyncio.create_task(storms.blow_every(args.storm_every)))
    seconds = await _measure(args, pids, results, watchers, lambda: playing)
    for task in (*tasks, *watching):
        task.cancel()
    await asyncio.gather(*tasks, *watching, return_exceptions=True)
    everybody = [*solos, *(player for pair in pairs for player in pair)]
    await asyncio.gather(*(player.client.close() for player in everybody), return_exceptions=True)
    await endpoints.close()
    return seconds, storms


async def _measure(
    args: argparse.Namespace, pids: dict[str, int], results: Results, watchers: list[Watcher], playing: Any
) -> list[Second]:
    made: list[Second] = []
    began = time.perf_counter()
    updates = 0
    while time.perf_counter() - began < args.seconds:
        results.clear()
        before, at = cpu_seconds(pids), time.perf_counter()
        await asyncio.sleep(1)
        after, took = cpu_seconds(pids), time.perf_counter() - at
        latencies = sorted(results.latencies_s) or [math.nan]
        seen = sum(watcher.updates for watcher in watchers)
        made.append(
            Second(
                at_s=time.perf_counter() - began,
                playing=playing(),
                actions_per_s=results.accepted / took,
                p50_ms=1000 * statistics.median(latencies),
                p99_ms=1000 * latencies[min(len(latencies) - 1, int(len(latencies) * 0.99))],
                refused=results.refusals.total(),
                updates_per_s=(seen - updates) / took,
                cpu={process: (after[process] - before[process]) / took for process in after},
            )
        )
        updates = seen
        if not args.quiet:
            print("\r" + _line(made[-1], args.seconds), end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return made


def _line(one: Second, seconds: float) -> str:
    cores = sum(one.cpu.values())
    return (
        f"{one.at_s:4.0f}/{seconds:.0f} s  {one.playing:5} sessions  {one.actions_per_s:7,.0f} actions/s  "
        f"p50 {one.p50_ms:6.1f} ms  p99 {one.p99_ms:6.1f} ms  {one.updates_per_s:8,.0f} updates/s  "
        f"{cores:4.1f} cores  {one.refused} refused   "
    )


@contextlib.contextmanager
def deployment(args: argparse.Namespace) -> Iterator[dict[str, int]]:
    """Start a deployment unless one was named; yields the process ids of its parts."""
    if args.grpc or args.web:
        yield {process: int(pid) for process, _, pid in (entry.partition("=") for entry in args.pid)}
        return
    with run.deployment(UNLIMITED) as started:
        args.grpc, args.web = started.grpc_address, started.web_address
        yield started.pids()


def parser() -> argparse.ArgumentParser:
    """Return the parser of the options."""
    made = run.parser(__doc__)
    endpoints: tuple[EndpointName, ...] = ("grpc", "websocket")
    made.add_argument("--endpoint", choices=endpoints, default="websocket")
    made.add_argument("--profile", choices=PROFILES, default="steady")
    made.add_argument("--people", type=int, default=20, help="number of sessions of two people")
    made.add_argument("--solos", type=int, default=0, help="number of sessions of one person and a computer")
    made.add_argument("--level", default="easy", help="level of those computers")
    made.add_argument("--watchers", type=int, default=0, help="number of people who only watch")
    made.add_argument("--think", type=float, default=1.0, help="mean time that a player thinks, in seconds")
    made.add_argument("--storm-every", type=float, default=0.0, help="disconnect all watchers every so many seconds; 0 for never")
    made.add_argument("--seconds", type=float, default=30.0)
    made.add_argument("--seed", type=int, default=1)
    made.add_argument("--json", type=Path, default=None, help="file for the figures and for each second")
    made.add_argument("--quiet", action="store_true", help="show no progress")
    made.add_argument("--grpc", default="", help="host:port of a running gateway's gRPC endpoint")
    made.add_argument("--web", default="", help="host:port of its web endpoint")
    made.add_argument(
        "--pid", action="append", default=[], metavar="NAME=PID", help="processes whose CPU time to count, with --grpc or --web"
    )
    return made


def main() -> None:
    """Read the options, let the crowd play, keep and print what came of it."""
    args = parser().parse_args()
    under = run.conditions(args, "json", "quiet", "grpc", "web", "pid")
    with deployment(args) as pids:
        seconds, storms = uvloop.run(drive(args, pids))
    made = kept_as(seconds, under, storms.recovered_s)
    if args.json:
        args.json.write_text(json.dumps(made, indent=1) + "\n")
    for name, value in made["figures"].items():
        print(f"{name}: {value}")


if __name__ == "__main__":
    main()
