"""Plays many sessions at once through the gateway and prints what it costs.

    python -m loadtests.crowd.play --endpoint websocket --matches 20
    python -m loadtests.crowd.play --endpoint grpc --matches 50 --think 0.03

It starts a deployment of its own on free ports (see deploy/local) unless --grpc and --web name one. Two players a session,
each watching its own seat over its own connection; whoever is to act plays a random legal action. CPU is that of all
parts of the deployment together, the driver's own left out.
"""

import argparse
import asyncio
import contextlib
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import uvloop

from loadtests.crowd.endpoints import EndpointName, Endpoints
from loadtests.crowd.match import Match, Player
from loadtests.crowd.results import Results, Window, report


def cpu_seconds(pids: dict[str, int]) -> dict[str, float]:
    """Return the CPU time of each process with its children, in seconds."""
    spent: dict[str, float] = {}
    for name, pid in pids.items():
        total = 0.0
        with contextlib.suppress(psutil.NoSuchProcess):
            process = psutil.Process(pid)
            for one in (process, *process.children(recursive=True)):
                with contextlib.suppress(psutil.NoSuchProcess):
                    times = one.cpu_times()
                    total += times.user + times.system
        spent[name] = total
    return spent


async def drive(args: argparse.Namespace, pids: dict[str, int]) -> list[Window]:
    """Play and return the measured windows."""
    endpoints = Endpoints(args.endpoint, args.grpc, args.web)
    results, dice = Results(), random.Random(args.seed)
    players = [await Player.enter(endpoints, f"Load {i}") for i in range(2 * args.matches)]
    matches = [
        Match(players[2 * i], players[2 * i + 1], results, args.think, random.Random(dice.random())) for i in range(args.matches)
    ]
    playing = [asyncio.create_task(match.play_on()) for match in matches]
    windows: list[Window] = []
    try:
        await asyncio.sleep(args.warm_up)
        for number in range(args.windows):
            results.clear()
            before, began = cpu_seconds(pids), time.perf_counter()
            await asyncio.sleep(args.seconds)
            after, seconds = cpu_seconds(pids), time.perf_counter() - began
            windows.append(Window.of(results, seconds, {process: after[process] - before[process] for process in after}))
            print(f"window {number + 1} of {args.windows}: {windows[-1].per_s:,.0f} actions/s", file=sys.stderr, flush=True)
            for task in playing:
                if task.done():
                    task.result()
    finally:
        for task in playing:
            task.cancel()
        await asyncio.gather(*playing, return_exceptions=True)
        await asyncio.gather(*(player.client.close() for player in players), return_exceptions=True)
        await endpoints.close()
    return windows


@contextlib.contextmanager
def deployment(args: argparse.Namespace) -> Iterator[dict[str, int]]:
    """Start a deployment unless one was named; yields the process ids of its parts."""
    if args.grpc or args.web:
        yield {process: int(pid) for process, _, pid in (entry.partition("=") for entry in args.pid)}
        return
    from deploy.local.deployment import Deployment

    unlimited = {"BRETTWERK_RATE_PER_S": "1e6", "BRETTWERK_RATE_BURST": "1000000"}
    unlimited |= {"BRETTWERK_ADDRESS_RATE_PER_S": "1e6", "BRETTWERK_ADDRESS_RATE_BURST": "1000000"}
    unlimited |= {"BRETTWERK_STREAMS_PER_ADDRESS": "1000000", "BRETTWERK_SESSIONS_PER_ADDRESS": "1000000"}
    with tempfile.TemporaryDirectory() as folder, Deployment(data=Path(folder), web=False, environment=unlimited) as started:
        args.grpc, args.web = started.grpc_address, started.web_address
        yield started.pids()


def main() -> None:
    """Read the options, drive, print the report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    endpoints: tuple[EndpointName, ...] = ("grpc", "websocket")
    parser.add_argument("--endpoint", choices=endpoints, default="websocket")
    parser.add_argument("--matches", type=int, default=20, help="number of simultaneous sessions")
    parser.add_argument("--think", type=float, default=0.0, help="mean time that a player thinks, in seconds")
    parser.add_argument("--windows", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=3.0, help="length of a window, in seconds")
    parser.add_argument("--warm-up", type=float, default=3.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--grpc", default="", help="host:port of a running gateway's gRPC endpoint")
    parser.add_argument("--web", default="", help="host:port of its web endpoint")
    parser.add_argument(
        "--pid", action="append", default=[], metavar="NAME=PID", help="processes whose CPU time to count, with --grpc or --web"
    )
    args = parser.parse_args()
    with deployment(args) as pids:
        windows = uvloop.run(drive(args, pids))
    print(report(windows, f"{args.endpoint}, {args.matches} sessions at once, thinking {1000 * args.think:.0f} ms"))


if __name__ == "__main__":
    main()
