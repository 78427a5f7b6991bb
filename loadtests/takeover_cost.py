"""What it costs to go on elsewhere: `python -m loadtests.takeover_cost --sessions 1000`.

It starts a deployment of its own, founds sessions of EinStein and plays some actions in each. Then it measures CPU time, kernel
included, of a session process that has just taken all shards over, and of the gateway:

- reading: each session is asked for once, and then again; the first time less the second is what reading it out of Redis took
- watching: what the session process takes to begin a watch of a seat, of sessions that it has read
- connecting: what the gateway takes to accept a connection, see who it is, and begin its watch

They are the parameters read_ms, watch_ms and connect_ms of the simulation (loadtests/simulation/parameters.json).
"""

import argparse
import asyncio
import json
import tempfile
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil
import uvloop

from brettwerk.v1 import play_pb2
from deploy.local.deployment import Deployment
from loadtests.endpoints import Client, Endpoints, RefusedError
from loadtests.footprint import UNLIMITED, begin_games

AT_ONCE = 4
"""Calls, or connections, that are on their way at once."""
PROCESSES = ("session", "gateway")
_IDLE_S = 10.0
_ENOUGH_S = 120.0


def cpu_s(deployment: Deployment, process: str) -> float:
    """Return the CPU seconds that a process and those that it has started took since it began."""
    first = psutil.Process(deployment.pids()[process])
    used = [one.cpu_times() for one in (first, *first.children(recursive=True))]
    return sum(one.user + one.system for one in used)


async def measure(deployment: Deployment, sessions: int, actions: int) -> dict[str, float]:
    """Return milliseconds of CPU by parameter of the simulation."""
    endpoints = Endpoints("websocket", deployment.grpc_address, deployment.web_address)
    players = await begin_games(endpoints, sessions, actions)
    seats = [(player.session_id, player.seat_token) for player in players]
    await asyncio.gather(*(player.client.close() for player in players), return_exceptions=True)
    deployment.kill("session")
    await asyncio.to_thread(deployment.wait, "session")
    client = await endpoints.open()
    token = await _enter(client)
    await _look(client, seats[0][0])
    idle = await Idle.of(deployment)
    ids = [session for session, _ in seats[2::2]]
    passes = [(await idle.took(_asking(client, ids)))["session"] for _ in range(3)]
    watchers = list[Client]()
    took = await idle.took(lambda: _watch_all(endpoints, token, seats, watchers))
    await asyncio.gather(*(watcher.close() for watcher in (*watchers, client)), return_exceptions=True)
    await endpoints.close()
    read = (passes[0] - min(passes[1:])) / len(ids)
    watching, connecting = took["session"] / len(seats), took["gateway"] / len(seats)
    return {"read_ms": read * 1000, "watch_ms": watching * 1000, "connect_ms": connecting * 1000}


@dataclass(frozen=True)
class Idle:
    """What processes take while nobody asks anything, in CPU seconds a second: it is not part of what is measured."""

    deployment: Deployment
    share: Mapping[str, float]

    @classmethod
    async def of(cls, deployment: Deployment) -> "Idle":
        """Watch both processes for a while."""
        began, before = time.monotonic(), {process: cpu_s(deployment, process) for process in PROCESSES}
        await asyncio.sleep(_IDLE_S)
        seconds = time.monotonic() - began
        return cls(deployment, {process: (cpu_s(deployment, process) - before[process]) / seconds for process in PROCESSES})

    async def took(self, work: Callable[[], Awaitable[None]]) -> Mapping[str, float]:
        """Do something, and return the CPU seconds that each process took for it."""
        began, before = time.monotonic(), {process: cpu_s(self.deployment, process) for process in PROCESSES}
        await work()
        seconds = time.monotonic() - began
        return {
            process: cpu_s(self.deployment, process) - before[process] - self.share[process] * seconds for process in PROCESSES
        }


async def _enter(client: Client) -> str:
    entered = await client.call(play_pb2.Call(create_player=play_pb2.CreatePlayerRequest(name="Who asks", request_id="who-asks")))
    token = entered.create_player.player_token
    await client.authenticate(token)
    return token


async def _look(client: Client, session: str) -> None:
    """Ask for a session until it is answered: its new owner may not be there yet, and a busy machine may let it take long."""
    async with asyncio.timeout(_ENOUGH_S):
        while True:
            try:
                await client.call(_wanted(session))
            except RefusedError:
                await asyncio.sleep(0.2)
            else:
                return


def _wanted(session: str) -> play_pb2.Call:
    return play_pb2.Call(get_session=play_pb2.GetSessionRequest(session_id=session))


def _asking(client: Client, ids: Sequence[str]) -> Callable[[], Awaitable[None]]:
    async def ask() -> None:
        for first in range(0, len(ids), AT_ONCE):
            await asyncio.gather(*(_look(client, session) for session in ids[first : first + AT_ONCE]))

    return ask


async def _watch_all(endpoints: Endpoints, token: str, seats: Sequence[tuple[str, str]], watchers: list[Client]) -> None:
    """Have somebody connect for each seat, and return when everybody has seen it."""

    async def come(session: str, seat_token: str) -> None:
        seen = asyncio.Event()
        watcher = await endpoints.open()
        watchers.append(watcher)
        await watcher.authenticate(token)
        await watcher.watch(play_pb2.WatchRequest(session_id=session, seat_token=seat_token), lambda _: seen.set())
        async with asyncio.timeout(_ENOUGH_S):
            await seen.wait()

    for first in range(0, len(seats), AT_ONCE):
        await asyncio.gather(*(come(*seat) for seat in seats[first : first + AT_ONCE]))


def main() -> None:
    """Measure and print one line of JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sessions", type=int, default=1000)
    parser.add_argument("--actions", type=int, default=8, help="number of actions in each session")
    args = parser.parse_args()
    environment = UNLIMITED | {"BRETTWERK_STREAMS_PER_PLAYER": "1000000"}
    with tempfile.TemporaryDirectory() as folder, Deployment(data=Path(folder), web=False, environment=environment) as deployment:
        found = uvloop.run(measure(deployment, args.sessions, args.actions))
    print(json.dumps({name: round(value, 3) for name, value in found.items()} | vars(args)))


if __name__ == "__main__":
    main()
