"""The board does what a plain list would do, whatever services and workers do at whatever time.

Hypothesis notes, withdraws, takes, finishes, fails, lets processes and workers die, and lets time pass. After every step each
want is where the model has it: so none is lost, none is given to two, and none that was withdrawn is given at all.
"""

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from services.ai.board.order import Order, Urgency
from services.ai.board.want import Wanted
from tests.night import examples
from tests.services.ai.board.board_service import THINKING, UNKNOWN, UNPLAYABLE, WAITING, BoardService, played, want
from tests.services.ai.board.model import Model

KEYS = [f"s{number}:{number % 2}" for number in range(12)]
WORKERS = ("w1", "w2", "w3")
PIDS = (1, 2, 3)
STATES = {"queue": WAITING, "odd": WAITING, "later": WAITING, "hand": THINKING, "unplayable": UNPLAYABLE}


WANTS = st.builds(
    lambda key, version, think, least, **others: want(
        key, version, named_ms=think, least_ms=min(least, think), level=f"game {think}", **others
    ),
    key=st.sampled_from(KEYS),
    version=st.integers(1, 5),
    waits=st.sampled_from(
        (
            Urgency.PERSON,
            Urgency.PERSON,
            Urgency.HINT,
            Urgency.HINT,
            Urgency.WATCHER,
            Urgency.NOBODY,
            Urgency.BACKGROUND,
        )
    ),
    think=st.sampled_from((1, 20, 50, 200, 256, 257, 2000)),
    least=st.sampled_from((1, 10, 100)),
    mark=st.sampled_from(("", "aa", "bb", "aabb")),
    address=st.sampled_from(("", "11", "22")),
)
OUTCOMES = ("played", "played", "late", "gone", "odd", "odd", "failed", "")


class Board(RuleBasedStateMachine):
    """A board and its model."""

    url = ""

    @initialize()
    def begin(self) -> None:
        self.board_service = BoardService(self.url)
        self.model = Model()
        self.hands: dict[tuple[str, int], tuple[Order, ...]] = {}
        for worker in WORKERS:
            self.live(worker)

    def teardown(self) -> None:
        self.board_service.close()

    @rule(offers=st.lists(WANTS, min_size=1, max_size=12), ages=st.lists(st.integers(0, 4000), min_size=12, max_size=12))
    def offer(self, offers: list[Wanted], ages: list[int]) -> None:
        wants = [replace(one, since_ms=self.model.now_ms - age) for one, age in zip(offers, ages, strict=False)]
        offered = self.board_service.offer(*wants)
        assert list(offered.noted) == [at for at, one in enumerate(wants) if self.model.offer(one)]
        assert list(offered.no_room) == []

    @rule(wanted=WANTS)
    def offer_all(self, wanted: Wanted) -> None:
        others = [(key, f"{key} {wanted.version}".encode()) for key in KEYS]
        self.offer([replace(wanted, key=key, payload=payload, mark=key[1:2]) for key, payload in others], [0] * len(KEYS))

    @rule(key=st.sampled_from(KEYS), version=st.integers(0, 6))
    def withdraw(self, key: str, version: int) -> None:
        assert self.board_service.withdraw(key, version) == self.model.withdraw(key, version)

    @rule(
        worker=st.sampled_from(WORKERS),
        pid=st.sampled_from(PIDS),
        most=st.integers(0, 8),
        outcomes=st.lists(st.sampled_from(OUTCOMES), min_size=8, max_size=8),
        further=st.sampled_from((0, 0, 1, 2)),
    )
    def take(self, worker: str, pid: int, most: int, outcomes: list[str], further: int) -> None:
        orders = self.hands.pop((worker, pid), ())
        finished = [played(order, outcome) for order, outcome in zip(orders, outcomes, strict=False) if outcome]
        finished = [replace(one, version=one.version + further) for one in finished]
        slots = self.board_service.demand().slots
        taken = self.board_service.worker(worker).take(pid, finished, most)
        self.model.finish(worker, pid, finished)
        self.model.take(worker, pid, most, taken, slots)
        if taken.orders:
            self.hands[worker, pid] = taken.orders

    @rule(worker=st.sampled_from(WORKERS), outcome=st.sampled_from(OUTCOMES), times=st.integers(1, 2))
    def work(self, worker: str, outcome: str, times: int) -> None:
        """Let a worker live and all of its processes take, several times over."""
        for _ in range(times):
            self.live(worker)
            for pid in PIDS:
                self.take(worker, pid, 1, [outcome] * 8, 0)

    @rule(worker=st.sampled_from(WORKERS), slots=st.integers(1, 2), pids=st.sets(st.sampled_from(PIDS)), closing=st.booleans())
    def beat(self, worker: str, slots: int, pids: set[int], closing: bool) -> None:
        listed = sorted(pids)
        late = self.board_service.worker(worker).beat(slots, listed, closing=closing)
        assert set(late) == self.model.beat(worker, slots, listed, closing)

    @rule(worker=st.sampled_from(WORKERS))
    def live(self, worker: str) -> None:
        self.board_service.worker(worker).beat(2, PIDS, closing=False)
        self.model.beat(worker, 2, PIDS, False)

    @rule(worker=st.sampled_from(WORKERS))
    def say_goodbye(self, worker: str) -> None:
        self.board_service.worker(worker).goodbye()
        self.model.goodbye(worker)

    @rule(after_ms=st.sampled_from((400, 500, 500, 500, 1000, 2000, 3500, 12_000)))
    def sweep(self, after_ms: int) -> None:
        swept = self.board_service.sweep(after_ms=after_ms)
        self.model.now_ms = self.board_service.now_ms
        self.model.sweep()
        assert swept.demand.workers == len(self.model.workers)
        assert swept.demand.slots == sum(worker.slots for worker in self.model.workers.values() if not worker.closing)
        waiting = [one.want.waits for one in self.model.wants.values() if one.place in ("queue", "odd")]
        assert {waits: demand.waiting for waits, demand in swept.classes.items()} == {w: waiting.count(w) for w in Urgency}

    @rule(ms=st.integers(0, 1500))
    def wait(self, ms: int) -> None:
        self.board_service.now_ms += ms
        self.model.now_ms = self.board_service.now_ms

    @invariant()
    def is_as_in_the_model(self) -> None:
        if not hasattr(self, "model"):
            return
        statuses, demand = self.board_service.statuses(*KEYS)
        for key, status in zip(KEYS, statuses, strict=True):
            noted = self.model.wants.get(key)
            assert status.state == (UNKNOWN if noted is None else STATES[noted.place]), (key, noted)
            newest: Wanted | None = self.model.newer.get(key) or (noted.want if noted else None)
            assert status.version == (newest.version if newest else 0)
        queue = [one for one in self.model.wants.values() if one.place == "queue"]
        assert (demand.noted, demand.waiting) == (len(self.model.wants), len(queue))
        assert demand.backlog_ms == sum(one.want.named_ms for one in queue)
        for status, key in zip(statuses, KEYS, strict=True):
            assert status.before <= max(0, len(queue) - 1), key


@pytest.mark.parametrize("addresses", [("", "22"), ("22", ""), ("11", "22"), ("", "")])
def test_wants_of_one_player_and_one_moment_are_given_in_the_order_of_the_plain_list(url, addresses):
    board = Board()
    board.url = url
    board.begin()
    try:
        wants = [want(key, mark="aa", address=address) for key, address in zip(KEYS, addresses, strict=False)]
        board.offer(wants, [0] * len(wants))
        board.work("w1", "played", 1)
        board.is_as_in_the_model()
    finally:
        board.teardown()


def test_the_board_is_as_good_as_a_plain_list(url):
    Board.url = url
    run_state_machine_as_test(
        Board,
        settings=settings(
            max_examples=examples(60),
            stateful_step_count=40,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
            print_blob=True,
        ),
    )
