"""What a call between services costs: ApplyAction one by one (unary) against many over one stream (LinkRules).

    python -m loadtests.link_against_unary --in-flight 1 64 256 --runs 5 --seconds 2

It starts a rules service of its own, plays EinStein steps by random games, and prints for each road and number of calls in
flight the median over the runs of: calls a second, and CPU time of a call on both ends. CPU time is the figure to compare: it
hardly depends on what else the machine does. It imports the runtime's link, since that is what it measures.

Measured on two busy cores of a virtual machine, CPython 3.11, grpcio 1.85, medians of 5 runs of 2 s (22 November 2026):

    road   in flight  calls/s  server us  client us
    unary          1     1212        519        283
    link           1     1664        352        223
    unary         64     1409        449        248
    link          64     6505        128         32
    unary        256     1236        447        249
    link         256     7855        120         27

Applying the action itself, with its three views, events and legal actions, is about 70 us of the server's time in all of them.
"""

import argparse
import asyncio
import os
import random
import secrets
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from typing import Any

import grpc
import psutil
import uvloop

from brettwerk.v1 import rules_pb2, rules_pb2_grpc
from services.runtime.channel import open_channel
from services.runtime.link import LinkClient

Ask = Callable[[rules_pb2.ApplyActionRequest], Awaitable[object]]

GAME = "einstein"
GAMES = 20
TIMEOUT_S = 30.0


async def main() -> None:
    """Measure and print."""
    options = _options()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    os.environ.setdefault("BRETTWERK_INNER_KEY", secrets.token_hex(16))
    environment = {**os.environ, "BRETTWERK_LISTEN": address, "BRETTWERK_DRAIN_S": "0", "BRETTWERK_LOG_LEVEL": "error"}
    server = subprocess.Popen([sys.executable, "-m", "services.rules"], env=environment)  # noqa: ASYNC220 - started once
    try:
        async with open_channel(address) as channel:
            await channel.channel_ready()
            stub: Any = rules_pb2_grpc.RulesServiceStub(channel)
            requests = await _requests(stub)
            link: Any = LinkClient("rules", stub.LinkRules, _batch, lambda response: response.answers)
            roads: dict[str, Ask] = {
                "unary": lambda request: stub.ApplyAction(request, timeout=TIMEOUT_S),
                "link": lambda request: link.call(rules_pb2.RulesCall(apply_action=request), TIMEOUT_S),
            }
            print(f"{'road':6} {'in flight':>9} {'calls/s':>8} {'server us':>10} {'client us':>10}")
            for in_flight in options.in_flight:
                for name, ask in roads.items():
                    runs = [await _run(ask, requests, in_flight, options.seconds, server.pid) for _ in range(options.runs)]
                    per_s, server_us, client_us = (statistics.median(run[i] for run in runs) for i in range(3))
                    print(f"{name:6} {in_flight:9} {per_s:8.0f} {server_us:10.0f} {client_us:10.0f}", flush=True)
            await link.close()
    finally:
        server.terminate()
        server.wait(20)


async def _run(
    ask: Ask, requests: list[rules_pb2.ApplyActionRequest], in_flight: int, seconds: float, server: int
) -> tuple[float, float, float]:
    """Return calls a second, and microseconds of CPU for each on the server and on the client."""
    ends = time.monotonic() + seconds
    done = 0

    async def caller(number: int) -> None:
        nonlocal done
        while time.monotonic() < ends:
            await ask(requests[number % len(requests)])
            number += 1
            done += 1

    before = _cpu_s(server), _cpu_s(os.getpid()), time.monotonic()
    await asyncio.gather(*(caller(7 * number) for number in range(in_flight)))
    after = _cpu_s(server), _cpu_s(os.getpid()), time.monotonic()
    server_s, client_s, wall_s = (late - early for late, early in zip(after, before, strict=True))
    return done / wall_s, 1e6 * server_s / done, 1e6 * client_s / done


def _cpu_s(pid: int) -> float:
    times = psutil.Process(pid).cpu_times()
    return float(times.user + times.system)


async def _requests(stub: Any) -> list[rules_pb2.ApplyActionRequest]:
    """Return the steps of random games."""
    chance = random.Random(1)
    requests = []
    for _ in range(GAMES):
        begin = rules_pb2.NewPositionRequest(game=GAME, seats=2, step_seed=chance.randbytes(32))
        step = (await stub.NewPosition(begin, timeout=TIMEOUT_S)).step
        while step.to_act:
            seat = step.to_act[0]
            choice = chance.choice(step.perspectives[seat].actions)
            action = rules_pb2.SeatAction(seat=seat, action=choice.action)
            seed = chance.randbytes(32)
            request = rules_pb2.ApplyActionRequest(game=GAME, position=step.position, action=action, step_seed=seed)
            requests.append(request)
            step = (await stub.ApplyAction(request, timeout=TIMEOUT_S)).step
    return requests


def _batch(calls: Any) -> rules_pb2.LinkRulesRequest:
    return rules_pb2.LinkRulesRequest(calls=calls)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Compare calls one by one with calls over a link.")
    parser.add_argument("--in-flight", type=int, nargs="+", default=[1, 64, 256])
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=2.0)
    return parser.parse_args()


if __name__ == "__main__":
    grpc.aio.init_grpc_aio()
    uvloop.run(main())
