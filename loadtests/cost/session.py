"""The cost of an accepted action to the session service, in lockstep: `python -m loadtests.cost.session`.

    python -m loadtests.cost.session --games einstein wec --rounds 60
    python -m loadtests.cost.session --new                     # new tables instead: created, joined, two watches begun
    python -m loadtests.cost.session --profile                 # which functions, by cProfile
    valgrind --tool=callgrind --instr-atstart=no python -m loadtests.cost.session --tables 5 --rounds 40 --callgrind --wait 20

The session service runs in this process, the rules, Redis and the driver beside it, all over their real sockets. The driver
plays one action at each of 30 tables, waits for all answers and for the updates of two watchers, and goes on: so how much comes
together does not depend on what else the machine does. CPU time of this process alone, kernel included; the least and the median
round, and what the rules and Redis took besides.
With callgrind only rounds are counted: divide by the number of actions, which is printed.
"""

import argparse
import asyncio
import contextlib
import os
import random
import resource
import secrets
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import uvloop

from brettwerk.internal.v1 import session_pb2, session_pb2_grpc
from brettwerk.v1 import play_pb2, sessions_pb2
from deploy.local.redis import find_server
from loadtests import run
from loadtests.limits import UNLIMITED
from loadtests.processes import cpu_s, free_port
from services.runtime import logs
from services.runtime.link import LinkChannel, metadata_for_shard

SEATS = 2
_OVER = (sessions_pb2.Session.STATE_FINISHED, sessions_pb2.Session.STATE_CLOSED)
_TIMEOUT_S = 60.0


class _Table:
    """One table in the driver: its session, tokens, and what its watchers see."""

    def __init__(self, driver: "_Driver", number: int) -> None:
        self._driver, self._number = driver, number
        self._dice = random.Random(number)
        self._tokens: list[str] = []
        self.session_id = ""
        self._versions = [0] * SEATS
        self._choices: tuple[int, list[Any]] | None = None
        self.is_over = True

    async def create(self) -> None:
        driver, self.is_over, self._versions = self._driver, False, [0] * SEATS
        wishes = [play_pb2.SeatWish(me=True)] + [play_pb2.SeatWish(open=True)] * (SEATS - 1)
        create = play_pb2.CreateSessionRequest(game=driver.game, seats=wishes, request_id=secrets.token_hex(8))
        made = (await driver.call(play_pb2.Call(create_session=create), self._player(0), None)).create_session
        self.session_id, self._tokens = made.session.id, [made.grants[0].seat_token]
        for seat in range(1, SEATS):
            join = play_pb2.JoinSessionRequest(session_id=self.session_id, seat=seat, request_id=secrets.token_hex(8))
            joined = (await driver.call(play_pb2.Call(join_session=join), self._player(seat), self.session_id)).join_session
            self._tokens.append(joined.grant.seat_token)
        for seat in range(SEATS):
            watch = play_pb2.WatchRequest(session_id=self.session_id, seat_token=self._tokens[seat])
            driver.follow(self, seat, watch)
        await driver.until(self.is_up_to_date)

    def saw(self, seat: int, data: bytes) -> None:
        """Take what a watcher is sent."""
        response = play_pb2.WatchResponse.FromString(data)
        kind = response.WhichOneof("kind")
        if kind == "heartbeat":
            return
        update = response.update if kind == "update" else response.resync.update
        self._versions[seat] = update.version
        self.is_over = update.session.state in _OVER
        if update.actions:
            self._choices = seat, list(update.actions)

    def is_up_to_date(self) -> bool:
        """Return whether all watchers have the same version, and somebody can act."""
        return min(self._versions) == max(self._versions) > 2

    async def act(self) -> None:
        """Play by lot."""
        assert self._choices is not None
        seat, choices = self._choices
        act = play_pb2.ActRequest(
            session_id=self.session_id,
            seat_token=self._tokens[seat],
            expected_version=self._versions[seat],
            action=self._dice.choice(choices).action,
            request_id=secrets.token_hex(8),
        )
        answer = await self._driver.call(play_pb2.Call(act=act), self._player(seat), self.session_id)
        version = answer.act.version
        await self._driver.until(lambda: min(self._versions) >= version)

    def _player(self, seat: int) -> session_pb2.Caller:
        return session_pb2.Caller(player_id=f"player {self._number} {seat}", name="Anna", address="10.0.0.1")


class _Driver:
    """The callers: a gateway without clients."""

    def __init__(self, game: str) -> None:
        self.game = game
        self._channel = LinkChannel(os.environ["BRETTWERK_SESSION_LINK_ADDRESS"], "session", "gateway")
        self._stub: Any = session_pb2_grpc.SessionServiceStub(self._channel)
        self._watches: dict[int, tuple[_Table, int]] = {}
        self._to_follow: list[session_pb2.Follow] = []
        self._came = asyncio.Condition()
        self._feed: Any = None

    async def call(self, call: play_pb2.Call, caller: session_pb2.Caller, session_id: str | None) -> play_pb2.Answer:
        """Return the answer to a call."""
        request = session_pb2.CarryOutRequest(caller=caller, call=call.SerializeToString())
        shard = None if session_id is None else metadata_for_shard(int(session_id[:2], 16))
        response = await self._stub.CarryOut(request, timeout=_TIMEOUT_S, metadata=shard)
        return play_pb2.Answer.FromString(response.answer)

    def follow(self, table: _Table, seat: int, watch: play_pb2.WatchRequest) -> None:
        """Begin a watch."""
        number = len(self._watches) + 1
        self._watches[number] = table, seat
        self._to_follow.append(session_pb2.Follow(id=number, watch=watch))

    async def until(self, is_so: Any) -> None:
        """Return when something is so."""
        if self._to_follow:
            follow, self._to_follow = self._to_follow, []
            await self._feed.write(session_pb2.TailSessionsRequest(follow=follow))
        async with self._came:
            await self._came.wait_for(is_so)

    async def run(self, count: int, rounds: int, *, is_new: bool) -> None:
        """Play so many rounds at so many tables, or make so many `new` ones in each, and say when rounds begin and end."""
        self._feed = self._stub.TailSessions()
        feeding = asyncio.create_task(self._feed.each(self._take))
        tables = [_Table(self, number) for number in range(count)]
        for n in range(rounds + 1):
            if is_new:
                tables = [_Table(self, n * count + number) for number in range(count)]
                _say("begin" if n else "warm")
                await asyncio.gather(*(table.create() for table in tables))
            else:
                await asyncio.gather(*(table.create() for table in tables if table.is_over))
                _say("begin" if n else "warm")
                await asyncio.gather(*(table.act() for table in tables))
            _say("end")
        feeding.cancel()

    def _take(self, response: session_pb2.TailSessionsResponse) -> None:
        for tail in response.tails:
            for number in tail.ids:
                table, seat = self._watches[number]
                table.saw(seat, tail.message)
        asyncio.get_running_loop().create_task(self._notify())

    async def _notify(self) -> None:
        async with self._came:
            self._came.notify_all()


def _say(word: str) -> None:
    """Tell the measuring process, and wait until it has heard it."""
    print(word, flush=True)
    sys.stdin.readline()


@contextlib.contextmanager
def _beside(folder: Path) -> Iterator[dict[str, int]]:
    """Run Redis and the rules, set where everything is, and return their process ids."""
    port = free_port()
    redis = subprocess.Popen(  # noqa: S603
        [find_server(), "--port", str(port), "--bind", "127.0.0.1", "--dir", folder, "--appendonly", "yes"],
        stdout=subprocess.DEVNULL,
    )
    os.environ |= UNLIMITED | {
        "BRETTWERK_SECRET_KEY": secrets.token_hex(32),
        "BRETTWERK_REDIS_URL": f"redis://127.0.0.1:{port}/0",
        "BRETTWERK_BROKER_URL": f"redis://127.0.0.1:{port}/1",
        "BRETTWERK_DATABASE_URL": f"sqlite:///{folder}/archive.db",
        "BRETTWERK_RULES_ADDRESS": f"127.0.0.1:{free_port()}",
        "BRETTWERK_SESSION_ADDRESS": f"127.0.0.1:{free_port()}",
        "BRETTWERK_RULES_LINK_ADDRESS": f"unix:{folder}/rules.link",
        "BRETTWERK_SESSION_LINK_ADDRESS": f"unix:{folder}/session.link",
        "BRETTWERK_METRICS_LISTEN": "",
        "BRETTWERK_HEALTH_LISTEN": "",
    }
    rules = subprocess.Popen([sys.executable, "-m", "services.rules"], stdout=subprocess.DEVNULL)
    try:
        yield {"rules": rules.pid, "redis": redis.pid}
    finally:
        for process in (rules, redis):
            process.terminate()
            process.wait()


def _cpu_s() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def _other_threads_s() -> float:
    """Return the CPU seconds of all threads but this one."""
    return _cpu_s() - time.thread_time()


async def _measure(game: str, args: argparse.Namespace, beside: dict[str, int]) -> tuple[list[float], dict[str, float]]:
    """Return the CPU seconds of each round, and those that others took in all of them, by what they are."""
    from services.runtime.server import serve
    from services.runtime.settings import settings
    from services.session.app.service import SessionProcess

    config, stopping = settings(), asyncio.Event()
    logs.configure("session", config.log_level)
    links = config.session_link_address
    serving = asyncio.create_task(serve(SessionProcess(config), config.session_address, config, stopping, links=links))
    await asyncio.sleep(args.wait)
    driver = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", __spec__.name if __spec__ else "loadtests.cost.session", "--driver", game),
        *("--rounds", str(args.rounds), "--tables", str(args.tables), *(["--new"] if args.new else ())),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert driver.stdin is not None
    assert driver.stdout is not None
    spent: list[float] = []
    others: Counter[str] = Counter()
    began = 0.0

    def besides() -> dict[str, float]:
        return {"other threads": _other_threads_s(), **{name: cpu_s(pid) for name, pid in beside.items()}}

    while line := (await driver.stdout.readline()).strip():
        if line == b"begin":
            others.subtract(besides())
            args.switch(True)
            began = _cpu_s()
        elif line == b"end" and began:
            spent.append(_cpu_s() - began)
            args.switch(False)
            others.update(besides())
        driver.stdin.write(b"\n")
    await driver.wait()
    stopping.set()
    await serving
    return spent, dict(others)


def _instrument(on: bool) -> None:
    """Let valgrind count from now on, or no more."""
    command = ["callgrind_control", "-i", "on" if on else "off", str(os.getpid())]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)  # noqa: S603


def parser() -> argparse.ArgumentParser:
    """Return the parser of the options."""
    made = run.parser(__doc__)
    made.add_argument("--games", nargs="+", default=["einstein"])
    made.add_argument("--rounds", type=int, default=100)
    made.add_argument("--wait", type=float, default=3.0, help="seconds for the processes to find one another")
    made.add_argument("--tables", type=int, default=30)
    made.add_argument("--new", action="store_true", help="new tables instead of actions")
    made.add_argument("--profile", action="store_true")
    made.add_argument("--callgrind", action="store_true")
    made.add_argument("--driver", default="", help=argparse.SUPPRESS)
    return made


def main() -> None:
    """Measure, and print."""
    args = parser().parse_args()
    if args.driver:
        uvloop.run(_Driver(args.driver).run(args.tables, args.rounds, is_new=args.new))
        return
    args.switch = lambda _on: None
    if args.callgrind:
        args.switch = _instrument
    if args.profile:
        import cProfile

        profile = cProfile.Profile(time.thread_time)
        args.switch = lambda on: profile.enable() if on else profile.disable()
    with tempfile.TemporaryDirectory() as folder, _beside(Path(folder)) as beside:
        for game in args.games:
            spent, others = uvloop.run(_measure(game, args, beside))
            each, count = [1e6 * one / args.tables for one in spent], len(spent) * args.tables
            rest = ", ".join(f"{name} {1e6 * seconds / count:.0f}" for name, seconds in others.items())
            what = "new tables" if args.new else "actions"
            print(f"{game}: {count} {what}; µs each: least {min(each):.0f}, median {statistics.median(each):.0f}; {rest}")
    if args.profile:
        import pstats

        pstats.Stats(profile).sort_stats("tottime").print_stats(25)
        pstats.Stats(profile).sort_stats("cumulative").print_stats(130)


if __name__ == "__main__":
    main()
