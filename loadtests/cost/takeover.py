"""The cost of going on elsewhere: `python -m loadtests.cost.takeover --sessions 1000`.

It starts a deployment of its own, founds sessions of EinStein and plays some actions in each. Then it measures CPU time, kernel
included, of a session process that has just taken all shards over, and of the gateway, while both seats of each session come back
over new connections and go on watching after the version that they have seen:

- watching: what the session process takes to go on with a watch, in a session that it has read
- reading: what it takes more for a session, where nobody had asked for it before
- connecting: what the gateway takes to accept a connection, see who it is, and begin its watch
- watching anew: what the session process takes when somebody comes who has seen nothing yet

The first three are the parameters watch_ms, read_ms and connect_ms of loadtests/capacity.json.
"""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import uvloop

from brettwerk.v1 import play_pb2, sessions_pb2
from deploy.local.deployment import Deployment
from loadtests.cost.footprint import begin_games
from loadtests.crowd.endpoints import Client, Endpoints, RefusedError
from loadtests.limits import UNLIMITED
from loadtests.processes import cpu_s
from loadtests.run import deployment as started
from loadtests.run import parser

AT_ONCE = 4
"""Calls, or connections, that are on their way at once."""
PROCESSES = ("session", "gateway")
WARM = 2
"""How often what is in memory already is measured; the lesser counts."""
_IDLE_S = 10.0
_GONE_S = 2.0
_ENOUGH_S = 120.0


async def measure(deployment: Deployment, sessions: int, actions: int) -> dict[str, float]:
    """Return milliseconds of CPU by what they are taken for."""
    endpoints = Endpoints("websocket", deployment.grpc_address, deployment.web_address)
    players = await begin_games(endpoints, sessions, actions)
    seats = [(player.session_id, player.seat_token) for player in players]
    await _close(player.client for player in players)
    client = await endpoints.open()
    token = await _enter(client)
    seen = [await _look(client, session) for session, _ in seats]
    again = [_watch(*seat, update) for seat, update in zip(seats, seen, strict=True)]
    deployment.kill("session")
    await asyncio.to_thread(deployment.wait, "session")
    await _look(client, seats[0][0])
    idle = await Idle.of(deployment)

    async def took(watches: Sequence[play_pb2.WatchRequest]) -> Mapping[str, float]:
        watchers = list[Client]()
        cpu = await idle.took(lambda: _watch_all(endpoints, token, watches, watchers))
        await _close(watchers)
        await asyncio.sleep(_GONE_S)
        return cpu

    cold, *warm, anew = [
        await took(watches) for watches in (again[2:], *[again[2:]] * WARM, [_watch(*seat) for seat in seats[2:]])
    ]
    await _close([client])
    await endpoints.close()
    watches, known = len(seats) - 2, min(one["session"] for one in warm)
    found = {
        "read_ms": 2 * (cold["session"] - known) / watches,
        "watch_ms": known / watches,
        "connect_ms": min(one["gateway"] for one in warm) / watches,
        "watch_anew_ms": anew["session"] / watches,
    }
    return {name: seconds * 1000 for name, seconds in found.items()}


@dataclass(frozen=True)
class Idle:
    """The load of processes while nobody asks anything, in CPU seconds a second: it is not part of what is measured."""

    deployment: Deployment
    share: Mapping[str, float]

    @classmethod
    async def of(cls, deployment: Deployment) -> "Idle":
        """Watch both processes for a while."""
        began, before = time.monotonic(), _spent(deployment)
        await asyncio.sleep(_IDLE_S)
        seconds, after = time.monotonic() - began, _spent(deployment)
        return cls(deployment, {process: (after[process] - before[process]) / seconds for process in PROCESSES})

    async def took(self, work: Callable[[], Awaitable[None]]) -> Mapping[str, float]:
        """Do something, and return the CPU seconds that each process took for it."""
        began, before = time.monotonic(), _spent(self.deployment)
        await work()
        seconds, after = time.monotonic() - began, _spent(self.deployment)
        return {process: after[process] - before[process] - self.share[process] * seconds for process in PROCESSES}


def _spent(deployment: Deployment) -> dict[str, float]:
    pids = deployment.pids()
    return {process: cpu_s(pids[process]) for process in PROCESSES}


async def _enter(client: Client) -> str:
    entered = await client.call(play_pb2.Call(create_player=play_pb2.CreatePlayerRequest(name="Who asks", request_id="who-asks")))
    token = entered.create_player.player_token
    await client.authenticate(token)
    return token


async def _look(client: Client, session: str) -> sessions_pb2.Update:
    """Return a session once it is answered: its new owner may not be there yet, and a busy machine may let it take long."""
    wanted = play_pb2.Call(get_session=play_pb2.GetSessionRequest(session_id=session))
    async with asyncio.timeout(_ENOUGH_S):
        while True:
            try:
                return (await client.call(wanted)).get_session.update
            except RefusedError:
                await asyncio.sleep(0.2)


def _watch(session: str, seat_token: str, seen: sessions_pb2.Update | None = None) -> play_pb2.WatchRequest:
    """Return what somebody asks who has seen an update, or nothing yet."""
    watch = play_pb2.WatchRequest(session_id=session, seat_token=seat_token)
    if seen is not None:
        watch.after_version, watch.after_at_ms = seen.version, seen.at_ms
    return watch


async def _watch_all(endpoints: Endpoints, token: str, watches: Sequence[play_pb2.WatchRequest], watchers: list[Client]) -> None:
    """Have somebody connect for each watch, and return when everybody was answered."""

    async def come(watch: play_pb2.WatchRequest) -> None:
        answered = asyncio.Event()
        watcher = await endpoints.open()
        watchers.append(watcher)
        await watcher.authenticate(token)
        await watcher.watch(watch, lambda _: answered.set())
        async with asyncio.timeout(_ENOUGH_S):
            await answered.wait()

    for first in range(0, len(watches), AT_ONCE):
        await asyncio.gather(*(come(watch) for watch in watches[first : first + AT_ONCE]))


async def _close(clients: Iterable[Client]) -> None:
    await asyncio.gather(*(client.close() for client in clients), return_exceptions=True)


def main() -> None:
    """Measure and print one line of JSON."""
    options = parser(__doc__)
    options.add_argument("--sessions", type=int, default=1000)
    options.add_argument("--actions", type=int, default=8, help="number of actions in each session")
    args = options.parse_args()
    with started(UNLIMITED | {"BRETTWERK_STREAMS_PER_PLAYER": "1000000"}) as deployment:
        found = uvloop.run(measure(deployment, args.sessions, args.actions))
    print(json.dumps({name: round(value, 3) for name, value in found.items()} | vars(args)))


if __name__ == "__main__":
    main()
