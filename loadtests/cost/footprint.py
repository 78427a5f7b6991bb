"""How much memory a session takes in Redis, and a watch in the gateway: `python -m loadtests.cost.footprint --sessions 500`.

It starts a deployment of its own, founds sessions of EinStein with both seats taken, plays some actions in each, keeps a watch
of each seat open, and compares the memory before and after.
"""

import asyncio
import random

import redis
import uvloop

from deploy.local.deployment import Deployment
from loadtests.crowd.endpoints import Endpoints
from loadtests.crowd.match import Match, Player
from loadtests.crowd.results import Results
from loadtests.limits import UNLIMITED
from loadtests.processes import resident
from loadtests.run import deployment as started
from loadtests.run import parser


def memory(deployment: Deployment) -> dict[str, float]:
    """Return the memory of each process, in bytes: resident, but for Redis what it says that it uses."""
    used = {process: float(size) for process, size in resident(deployment.pids()).items()}
    with redis.Redis.from_url(deployment.environment["BRETTWERK_REDIS_URL"]) as client:
        used["redis"] = float(client.info("memory")["used_memory"])
    return used


async def fill(deployment: Deployment, sessions: int, actions: int) -> dict[str, float]:
    """Fill the deployment and return how much memory each process took for it, in bytes."""
    endpoints = Endpoints("websocket", deployment.grpc_address, deployment.web_address)
    results, dice = Results(), random.Random(1)
    warm = Match(await Player.enter(endpoints, "A"), await Player.enter(endpoints, "B"), results, 0, dice)
    playing = asyncio.create_task(warm.play_on())
    await asyncio.sleep(2)
    playing.cancel()
    before = memory(deployment)
    everybody = await begin_games(endpoints, sessions, actions)
    await asyncio.sleep(2)
    after = memory(deployment)
    await asyncio.gather(*(player.client.close() for player in everybody), return_exceptions=True)
    await endpoints.close()
    return {process: after[process] - before[process] for process in after}


async def begin_games(endpoints: Endpoints, sessions: int, actions: int) -> list[Player]:
    """Found so many sessions, play so many actions in each, and return both players of each, who watch their seats."""
    results, dice, everybody = Results(), random.Random(2), list[Player]()
    for number in range(sessions):
        pair = await Player.enter(endpoints, f"P{number}"), await Player.enter(endpoints, f"Q{number}")
        match = Match(*pair, results, 0, dice)
        await match.begin()
        for _ in range(actions):
            first = [asyncio.create_task(player.turn()) for player in pair]
            done, left = await asyncio.wait(first, return_when=asyncio.FIRST_COMPLETED)
            for task in left:
                task.cancel()
            update = done.pop().result()
            if update is None:
                break
            mover = next(player for player in pair if player.newest is update)
            await mover.act(update, dice)
            mover.newest = None if mover.newest is update else mover.newest
        everybody.extend(pair)
    return everybody


def main() -> None:
    """Measure and print."""
    options = parser(__doc__)
    options.add_argument("--sessions", type=int, default=500)
    options.add_argument("--actions", type=int, default=8, help="number of actions in each session")
    args = options.parse_args()
    with started(UNLIMITED) as deployment:
        taken = uvloop.run(fill(deployment, args.sessions, args.actions))
    for process in ("redis", "session", "gateway", "rules"):
        print(f"{process}: {taken[process] / args.sessions / 1024:.1f} KiB a session (two watches, {args.actions} actions)")


if __name__ == "__main__":
    main()
