"""Every position whose computer is to act is wanted, or being thought about, five seconds later, whatever dies.

Hypothesis plays with two session processes, workers, and a real AI service with its board: processes die in the midst of
what they do, the broker dies, loses the end of its file or all of it, the store is set back, workers die with what they have in
hand, and time passes. Everybody's clock is the test's.
"""

import asyncio
import contextlib
from collections.abc import Coroutine
from pathlib import Path
from typing import Any, TypeVar

import pytest
import redis
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule, run_state_machine_as_test

from brettwerk.internal.v1 import session_pb2
from services.ai.board.board import Board
from services.ai.board.order import Finished, Order
from services.ai.board.sweeper import board_swept
from services.ai.board.worker_board import WorkerBoard
from services.ai.service import AiService
from services.ai.thought.wanted_moves import outcome_of, seat_of
from services.runtime.redis_url import open_redis
from services.runtime.refusal import Refused
from services.session.computers import overdue_moves, wants
from services.session.computers.wants import wanted_seats
from services.sharding.leases import MEMBERS
from tests.given_settings import GivenSettings
from tests.night import examples
from tests.redis_server import LastingRedis
from tests.services.session.setting_back import Setback
from tests.services.session.table import Table

T = TypeVar("T")
WORKERS = ("w1", "w2")
SOON_S = 5.0
UNKNOWN = 1
KEEPS = ("all", "what the disk has", "nothing")
"""The data of a broker that comes back."""


class Wanted(RuleBasedStateMachine):
    """Games with computers, and what befalls the processes that see to them."""

    redis_url = ""
    rules_address = ""
    folder = Path()
    number = 0

    def __init__(self) -> None:
        super().__init__()
        Wanted.number += 1
        self.broker = LastingRedis(self.folder / f"broker-{self.number}")
        self.runner = asyncio.Runner()
        self.run(self._open())

    def run(self, work: "Coroutine[Any, Any, T]") -> T:
        return self.runner.run(work)

    async def _open(self) -> None:
        self.broker.start()
        self.is_broker_there, self.on_disk = True, self.broker.written
        self.table = Table(self.redis_url, self.rules_address, f"sqlite:///{self.folder}/archive-{self.number}.sqlite3")
        self.ai = AiService(GivenSettings(broker_url=self.broker.url))
        self.client = open_redis(self.broker.url, socket_timeout=5, socket_connect_timeout=2)
        self.board = self.ai._board = Board(self.client, 1000, self.table.clock)
        self.table.ai = self.ai  # type: ignore[assignment]
        await self.table.open()
        await self.table.another_process()
        self.blocking = redis.Redis.from_url(self.broker.url)
        self.workers = {name: WorkerBoard(self.blocking, name, self.table.clock) for name in WORKERS}
        self.alive = set(WORKERS)
        self.hands: dict[str, tuple[Order, session_pb2.FoundPosition]] = {}
        self.setback = Setback(self.table)
        self.anna = self.table.player("Anna")

    @initialize()
    def create(self) -> None:
        """Begin games in which computers are to move, for so long already that they are seldom looked at."""

        async def begin() -> None:
            self.games = [(await self.anna.create("me", "easy")).id for _ in range(2)]
            for game in self.games:
                await self.anna.act(game, 0)
            self.games.append((await self.anna.create("easy", "easy")).id)
            await self._pass(70, 2.0)
            await self._keep()

        self.run(begin())

    def teardown(self) -> None:
        self.run(self._close())
        self.runner.close()
        self.broker.kill()

    async def _close(self) -> None:
        if hasattr(self, "games"):
            if not self.is_broker_there:
                self.broker.start()
            await self._check()
        await self.table.close()
        await self.ai.stop()
        await self.client.aclose()
        self.blocking.close()

    # Steps of players and workers

    @rule(game=st.integers(0, 1), pick=st.integers(0, 5))
    def a_person_acts(self, game: int, pick: int) -> None:
        async def act() -> None:
            update = await self.anna.see(self.games[game], 0)
            if 0 in update.to_act and update.session.state == 2:
                await self.anna.act(self.games[game], 0, pick)

        self.run(act())

    @precondition(lambda self: self.is_broker_there)
    @rule(name=st.sampled_from(WORKERS))
    def a_worker_takes_an_order(self, name: str) -> None:
        if name in self.alive and name not in self.hands:
            self._take(name, [])

    @precondition(lambda self: self.hands)
    @rule(pick=st.integers(0, 5), goes_on=st.booleans(), is_reported=st.booleans())
    def a_worker_answers(self, pick: int, goes_on: bool, is_reported: bool) -> None:
        """Hand an answer over; whether the board hears of it depends on it and on the worker."""
        name, (order, found) = self.hands.popitem()
        outcome = self.run(self._answered(order, found, pick, goes_on))
        if self.is_broker_there and is_reported:
            self._take(name, [Finished(order.key, max(order.version, found.wanted.version), outcome, 1, False)])
        elif not is_reported:
            self.alive.discard(name)

    async def _answered(self, order: Order, found: session_pb2.FoundPosition, pick: int, goes_on: bool) -> str:
        if found.WhichOneof("kind") != "wanted":
            return "gone"
        position, seat = found.wanted, seat_of(order)
        legal = await self.table.wiring.rules.legal(position.game, position.view)
        request = session_pb2.SubmitActionRequest(
            session_id=seat.session_id,
            seat=seat.seat,
            version=position.version,
            ticket=position.ticket,
            action=legal.actions[pick % len(legal.actions)].action,
            goes_on=goes_on,
        )
        try:
            answer = await self.table.owner(seat.session_id).computers.submit(request)
        except Refused:
            return "gone"
        return outcome_of(session_pb2.SubmittedAction(response=answer))

    def _take(self, name: str, finished: list[Finished]) -> None:
        self.workers[name].beat(1, [1], closing=False)
        orders = self.workers[name].take(1, finished, 1).orders
        if orders:
            seat = seat_of(orders[0])
            asked = session_pb2.FindPositionsRequest(seats=[seat])
            found = self.run(self.table.owner(seat.session_id).batches.find_positions(asked))
            self.hands[name] = orders[0], found.positions[0]

    # Troubles that befall them

    @rule(name=st.sampled_from(WORKERS))
    def a_worker_dies(self, name: str) -> None:
        self.hands.pop(name, None)
        self.alive.discard(name)

    @rule()
    def workers_begin(self) -> None:
        self.alive.update(WORKERS)

    @rule(number=st.integers(0, 1))
    def a_session_process_dies(self, number: int) -> None:
        self.run(self.table.kill(number))

    @rule(game=st.integers(0, 2), number=st.integers(0, 1))
    def a_session_is_handed_over(self, game: int, number: int) -> None:
        self.run(self.table.hand_over(self.games[game], self.table.processes[number]))

    @precondition(lambda self: self.is_broker_there)
    @rule()
    def the_broker_dies(self) -> None:
        self.broker.kill()
        self.is_broker_there = False

    @rule()
    def the_disk_gets_what_the_broker_received(self) -> None:
        self.on_disk = self.broker.written

    @precondition(lambda self: not self.is_broker_there)
    @rule(keeps=st.sampled_from(KEEPS))
    def the_broker_comes_back(self, keeps: str) -> None:
        """Its file may lack what it was told last."""
        if keeps != "all":
            self.on_disk = min(self.on_disk, self.broker.written) if keeps == "what the disk has" else 0
            self.broker.cut(self.on_disk)
        self.broker.start()
        self.is_broker_there = True

    @precondition(lambda self: self.is_broker_there)
    @rule(numbers=st.sets(st.integers(0, 1)), keeps=st.sampled_from(KEEPS))
    def the_broker_and_processes_die_at_once(self, numbers: set[int], keeps: str) -> None:
        self.the_broker_dies()
        for number in numbers:
            self.a_session_process_dies(number)
        self.the_broker_comes_back(keeps)

    @rule()
    def the_store_has_a_copy_made(self) -> None:
        self.run(self._keep())

    @rule()
    def the_store_is_set_back(self) -> None:
        async def set_back() -> None:
            await self.setback.happen()
            for wiring in self.table.processes:
                wiring.shard_channel._ready.clear()
            await self.setback.be_noticed()
            await asyncio.gather(*(wiring.shard_channel.ready() for wiring in self.table.processes))

        self.run(set_back())

    @rule(seconds=st.sampled_from((0.5, 3.5, 70.0)))
    def time_passes(self, seconds: float) -> None:
        self.run(self._pass(seconds, 2.0))

    # The invariant

    @precondition(lambda self: self.is_broker_there)
    @rule()
    def all_is_wanted_soon(self) -> None:
        self.run(self._check())

    async def _keep(self) -> None:
        """Keep a copy of the store, but for who serves it: leases hold for longer than a test, and dead members live as long."""
        await self.setback.keep()
        kept = self.setback._kept
        self.setback._kept = {key: data for key, data in kept.items() if b":lease" not in key and key != MEMBERS.encode()}

    async def _check(self) -> None:
        await self._pass(SOON_S, 0.25)
        for game in self.games:
            state = (await self.table.owner(game).session_cache.newest(game)).state
            for seat in wanted_seats(state):
                (status,), _ = await self.board.statuses([f"{game}:{seat}"])
                assert status.state != UNKNOWN, f"nobody wants version {state.version} of seat {seat}"

    async def _pass(self, seconds: float, step_s: float) -> None:
        """Let time pass, while processes do what they do by and by."""
        left = seconds
        while left > 0:
            self.table.clock.pass_s(min(step_s, left))
            left -= step_s
            for name in self.alive if self.is_broker_there else ():
                self.workers[name].beat(1, [1], closing=False)
            with contextlib.suppress(redis.RedisError, OSError):
                await board_swept(self.board, self.client)
            for wiring in self.table.processes:
                await wiring.ownership.beat()
            await self.table.sweep()
            for wiring in self.table.processes:
                await wiring.waits.ask()
                await wiring.recovery.settled()
            await self.table.until_quiet()


@pytest.fixture
def wanted(redis_url: str, rules_address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> type[Wanted]:
    monkeypatch.setattr(wants, "_PAUSES_S", (0.001, 0.01))
    monkeypatch.setattr(overdue_moves, "PAUSE_S", 0.01)
    Wanted.redis_url, Wanted.rules_address, Wanted.folder = redis_url, rules_address, tmp_path
    return Wanted


def test_moves_forgotten_by_a_process_and_the_broker_are_wanted_again(wanted: type[Wanted]) -> None:
    machine = wanted()
    machine.create()
    machine.the_broker_dies()
    machine.a_session_process_dies(0)
    machine.a_session_process_dies(1)
    machine.the_broker_comes_back("nothing")
    machine.teardown()


def test_moves_forgotten_by_a_broker_with_an_older_file_are_wanted_again(wanted: type[Wanted]) -> None:
    machine = wanted()
    machine.create()
    for name in WORKERS:
        machine.a_worker_takes_an_order(name)
        machine.a_worker_answers(0, goes_on=False, is_reported=True)
    machine.the_disk_gets_what_the_broker_received()
    for game in (0, 1):
        machine.a_person_acts(game, 0)
    machine.time_passes(70.0)
    machine.the_broker_dies()
    machine.the_broker_comes_back("what the disk has")
    machine.teardown()


@pytest.mark.nightly
def test_within_five_seconds_of_any_fault_every_move_of_a_computer_is_wanted(wanted: type[Wanted]) -> None:
    run_state_machine_as_test(
        wanted,
        settings=settings(
            max_examples=examples(60, few=8),
            stateful_step_count=20,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
            print_blob=True,
        ),
    )
