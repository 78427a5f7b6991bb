"""The sizes of Redis, its file and every process while a game is played: `python -m loadtests.cost.memory --actions 10000`.

For each game it starts a deployment of its own, lets one person play all seats with random legal actions, a new session whenever
one is over, and watches every seat. It prints a line every so often, and at the end what the fullest session took, key by key.
"""

import os
import random
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field

import redis
import uvloop

from brettwerk.v1 import play_pb2, sessions_pb2
from deploy.local.deployment import Deployment
from loadtests.crowd.endpoints import Client, Endpoints, RefusedError
from loadtests.limits import UNLIMITED
from loadtests.markdown import head, row
from loadtests.processes import resident
from loadtests.run import deployment as started
from loadtests.run import parser

GAMES = {"einstein": 2, "emperado": 4, "plateau": 4, "wec": 2}
"""The games, with how many seats they are played."""
PROCESSES = ("redis", "session", "gateway", "rules", "ai", "worker")
KEYS = ("log", "state")
MIB = 1024 * 1024


@dataclass
class Fullest:
    """The most that keys of one session have taken, in bytes, by the kind of key."""

    total: int = 0
    keys: Mapping[str, int] = field(default_factory=dict)
    actions: int = 0


class Meter:
    """Reads what a deployment takes."""

    def __init__(self, deployment: Deployment) -> None:
        self._deployment = deployment
        self._redis: redis.Redis = redis.Redis.from_url(deployment.environment["BRETTWERK_REDIS_URL"])

    def close(self) -> None:
        """Let go of Redis."""
        self._redis.close()

    def session(self, session_id: str) -> Mapping[str, int]:
        """Return the bytes of a session's keys in Redis."""
        shard = f"s{session_id[:2]}"
        return {key: self._usage(f"bw:{{{shard}}}:{key}:{session_id}") for key in KEYS}

    def redis(self) -> tuple[int, int, int]:
        """Return the memory that Redis uses, its largest so far, and the size of its append-only file."""
        facts = self._redis.info()
        return int(facts["used_memory"]), int(facts["used_memory_peak"]), int(facts.get("aof_current_size", 0))

    def resident(self) -> Mapping[str, int]:
        """Return the resident memory of every process, its children included."""
        return resident(self._deployment.pids())

    def _usage(self, key: str) -> int:
        return int(self._redis.memory_usage(key, samples=0) or 0)


class Table:
    """A person who plays all seats of one session after the other."""

    def __init__(self, client: Client, game: str, dice: random.Random) -> None:
        self._client = client
        self._game = game
        self._dice = dice
        self._tokens: dict[int, str] = {}
        self._watches: list[int] = []
        self.session_id = ""
        self.sessions = 0
        self.actions = 0
        """Those of this session."""

    async def begin(self) -> None:
        """Begin a new session and watch its seats."""
        for watch in self._watches:
            await self._client.unwatch(watch)
        wishes = [play_pb2.SeatWish(me=True)] * GAMES[self._game]
        asked = play_pb2.CreateSessionRequest(game=self._game, seats=wishes, request_id=secrets.token_hex(8))
        created = (await self._client.call(play_pb2.Call(create_session=asked))).create_session
        self.session_id, self.actions = created.session.id, 0
        self.sessions += 1
        self._tokens = {grant.seat: grant.seat_token for grant in created.grants}
        requests = [play_pb2.WatchRequest(session_id=self.session_id, seat_token=token) for token in self._tokens.values()]
        self._watches = [await self._client.watch(request, lambda _message: None) for request in requests]

    async def act(self) -> bool:
        """Play a random legal action. Returns whether there was one."""
        update = await self._see("")
        if not update.to_act or update.session.HasField("outcome"):
            return False
        token = self._tokens[update.to_act[0]]
        update = await self._see(token)
        choice = self._dice.choice(update.actions)
        request = play_pb2.ActRequest(
            session_id=self.session_id,
            seat_token=token,
            expected_version=update.version,
            request_id=secrets.token_hex(8),
            action=choice.action,
        )
        await self._client.call(play_pb2.Call(act=request))
        self.actions += 1
        return True

    async def _see(self, token: str) -> sessions_pb2.Update:
        request = play_pb2.GetSessionRequest(session_id=self.session_id, seat_token=token)
        return (await self._client.call(play_pb2.Call(get_session=request))).get_session.update


async def play(deployment: Deployment, game: str, actions: int, every: int) -> None:
    """Play so many actions of a game and print what was taken."""
    endpoints = Endpoints("websocket", deployment.grpc_address, deployment.web_address)
    client = await endpoints.open()
    answer = await client.call(
        play_pb2.Call(create_player=play_pb2.CreatePlayerRequest(name="Meter", request_id=secrets.token_hex(8)))
    )
    await client.authenticate(answer.create_player.player_token)
    table, meter, fullest = Table(client, game, random.Random(1)), Meter(deployment), Fullest()
    print(f"\n### {game}\n")
    print(head(("actions", "sessions", "Redis", "its peak", "this session", "AOF", *PROCESSES[1:])))
    await table.begin()
    for done in range(actions + 1):
        if done % 100 == 0:
            fullest = _fuller(fullest, meter.session(table.session_id), table.actions)
        if done % every == 0:
            _print_line(done, table, meter)
        try:
            while not await table.act():
                fullest = _fuller(fullest, meter.session(table.session_id), table.actions)
                await table.begin()
        except RefusedError as refused:
            print(f"refused: {refused}")
            await table.begin()
    keys = ", ".join(f"{key} {size / 1024:.0f}" for key, size in fullest.keys.items())
    print(f"\nThe fullest session: {fullest.total / 1024:.0f} KiB after {fullest.actions} actions ({keys} KiB).")
    meter.close()
    await client.close()
    await endpoints.close()


def _fuller(fullest: Fullest, keys: Mapping[str, int], actions: int) -> Fullest:
    total = sum(keys.values())
    return Fullest(total, keys, actions) if total > fullest.total else fullest


def _print_line(done: int, table: Table, meter: Meter) -> None:
    used, peak, file = meter.redis()
    own = sum(meter.session(table.session_id).values())
    held = meter.resident()
    sizes = (used, peak, own, file, *(held[process] for process in PROCESSES[1:]))
    print(row((done, table.sessions, *(f"{size / MIB:.1f}" for size in sizes))), flush=True)


def main() -> None:
    """Measure and print; all sizes of the table are MiB."""
    options = parser(__doc__)
    options.add_argument("--actions", type=int, default=10_000, help="number of actions in each game")
    options.add_argument("--every", type=int, default=1_000, help="number of actions between two lines of output")
    options.add_argument("--game", action="append", choices=sorted(GAMES), help="the games to play; all by default")
    options.add_argument("--keep-s", type=float, default=3600, help="how long a finished game stays in Redis, in seconds")
    args = options.parse_args()
    environment = {**UNLIMITED, "BRETTWERK_KEEP_FINISHED_S": str(args.keep_s)}
    print(f"{os.cpu_count()} CPUs, load {os.getloadavg()[0]:.1f}; sizes in MiB, resident memory of processes.")
    for game in args.game or GAMES:
        with started(environment) as deployment:
            uvloop.run(play(deployment, game, args.actions, args.every))


if __name__ == "__main__":
    main()
