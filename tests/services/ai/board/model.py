"""The board as a plain list: nothing is stored twice, nothing is put right later, whatever is asked is searched for."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from services.ai.board.order import Finished, Order, Taken, Urgency
from services.ai.board.want import Wanted

HAND_MS, ODD_MS, NEW_MS, ALIVE_MS = 6_000, 10_000, 2_000, 3_000
DONE = ("played", "late", "gone", "reviewed")


@dataclass
class Noted:
    """A want and what became of it."""

    want: Wanted
    place: str = "queue"
    holder: tuple[str, int] | None = None
    given: int = 0
    attempts: int = 0
    tried: set[str] = field(default_factory=set)
    when_ms: int = 0

    @property
    def bucket(self) -> int:
        return next(power for power in range(1, 15) if self.want.named_ms <= 2**power or power == 14)

    @property
    def mark(self) -> str:
        return self.want.mark or "only " + self.want.key

    @property
    def age(self) -> tuple[int, bool, str, str]:
        """Of one player's wants of the same moment those come last whose address is not known."""
        return self.want.since_ms, self.want.address == "", self.want.address, self.want.key

    @property
    def is_quick(self) -> bool:
        return self.want.waits is Urgency.HINT or (self.want.waits is Urgency.PERSON and self.bucket <= 8)


@dataclass
class Worker:
    slots: int
    pids: tuple[int, ...]
    until_ms: int
    closing: bool


@dataclass
class Hand:
    took_ms: int
    until_ms: int
    orders: list[tuple[str, int]]
    is_quick: bool


@dataclass
class Model:
    """The required behaviour of the board. `now_ms` is set from outside."""

    now_ms: int = 1_000_000
    wants: dict[str, Noted] = field(default_factory=dict)
    newer: dict[str, Wanted] = field(default_factory=dict)
    served: dict[tuple[str, int], list[float]] = field(default_factory=dict)
    workers: dict[str, Worker] = field(default_factory=dict)
    hands: dict[tuple[str, int], Hand] = field(default_factory=dict)
    turn: int = 0
    clock: float = 0.0

    def offer(self, want: Wanted) -> bool:
        """Note a want; return whether it is new."""
        old = self.wants.get(want.key)
        if old is None:
            self.wants[want.key] = Noted(want)
            return True
        if want.version > old.want.version:
            if old.place != "hand":
                self.wants[want.key] = Noted(want)
                return True
            newer = self.newer.get(want.key)
            if newer is None or newer.version <= want.version:
                self.newer[want.key] = want
            return newer is None or newer.version < want.version
        if want.version == old.want.version and old.place == "queue" and want != old.want:
            since = min(want.since_ms, old.want.since_ms)
            old.want = Wanted(**{name: getattr(want, name) for name in Wanted.__slots__} | {"since_ms": since})
        elif want.version == old.want.version and old.place == "hand":
            old.want = Wanted(**{name: getattr(old.want, name) for name in Wanted.__slots__} | {"waits": want.waits})
        return False

    def withdraw(self, key: str, version: int) -> int:
        if key not in self.wants or self.wants[key].want.version > version:
            return 0
        self._finish(key, version)
        return 1

    def finish(self, worker: str, pid: int, finished: Iterable[Finished]) -> None:
        for one in finished:
            noted = self.wants.get(one.key)
            if noted is None:
                continue
            if one.outcome in DONE:
                if noted.want.version <= one.version:
                    self._finish(one.key, one.version)
            elif noted.place == "hand" and noted.holder == (worker, pid):
                self._give_back(one.key, "odd" if one.outcome == "odd" else "failed")
        self._empty(worker, pid, "back")

    def beat(self, worker: str, slots: int, pids: Sequence[int], closing: bool) -> set[int]:
        before = self.workers.get(worker)
        late = set()
        for (owner, pid), hand in list(self.hands.items()):
            if owner != worker:
                continue
            if pid in pids:
                late |= {pid} if hand.until_ms < self.now_ms else set()
            elif (before is not None and pid in before.pids) or hand.took_ms < self.now_ms - NEW_MS:
                self._empty(worker, pid, "died")
        self.workers[worker] = Worker(slots, tuple(pids), self.now_ms + ALIVE_MS, closing)
        return late

    def goodbye(self, worker: str, why: str = "back") -> None:
        for owner, pid in list(self.hands):
            if owner == worker:
                self._empty(worker, pid, why)
        self.workers.pop(worker, None)

    def sweep(self) -> None:
        for worker, known in list(self.workers.items()):
            if known.until_ms <= self.now_ms:
                self.goodbye(worker, "lost")
        for key, noted in list(self.wants.items()):
            if noted.want.ends_ms and noted.want.ends_ms <= self.now_ms:
                self._finish(key, noted.want.version)
        for noted in self.wants.values():
            if noted.place == "later" and noted.when_ms <= self.now_ms:
                noted.place = "queue"
            elif noted.place == "odd" and noted.when_ms <= self.now_ms:
                noted.place = "unplayable"
                noted.when_ms = self.now_ms

    def take(self, worker: str, pid: int, most: int, taken: Taken, slots: int) -> None:
        """Check what was given to a process while there were so many slots in all, and give it."""
        known = self.workers.get(worker)
        if known is None or known.until_ms <= self.now_ms or known.closing:
            assert not taken.orders
            return
        slow = sum(not hand.is_quick for (owner, _), hand in self.hands.items() if owner == worker)
        quick_only = slow >= known.slots
        slots = max(known.slots, slots)
        backlog = sum(self.cost(one) for one in self._queue() if one.want.waits <= Urgency.HINT)
        share = min(1.0, 1000 * slots / backlog) if backlog else 1.0
        hand = Hand(self.now_ms, 0, [], is_quick=True)
        cost = granted = 0.0
        for order in taken.orders:
            odd = self._odd_for(worker, quick_only) if not hand.orders else []
            allowed = odd or self.most_wanted(quick_only)
            noted = next((one for one in allowed if one.want.key == order.key), None)
            assert noted is not None, self._explained(order, allowed, quick_only)
            self._same(order, noted, share)
            full = self.cost(noted) * order.think_ms / noted.want.named_ms
            assert not hand.orders or (cost + full <= 100.0001 and noted.attempts == 0)
            self._count_turn(noted, quick_only)
            self._serve(noted, (worker, pid))
            cost, granted = cost + full, granted + order.think_ms
            hand.orders.append((order.key, order.version))
            hand.is_quick = hand.is_quick and noted.is_quick
        self._is_all(worker, quick_only, most, taken, cost, share)
        if hand.orders:
            hand.until_ms = int(self.now_ms + granted + HAND_MS)
            self.hands[worker, pid] = hand

    def most_wanted(self, quick_only: bool) -> list[Noted]:
        """Return what may come next: one, or several that are wanted alike."""
        queue = [one for one in self._queue() if one.is_quick or not quick_only]
        persons = [one for one in queue if one.want.waits is Urgency.PERSON]
        hints = [one for one in queue if one.want.waits is Urgency.HINT]
        if persons and hints:
            queue = hints if self.turn % 4 == 3 else persons
        elif queue:
            first = min(one.want.waits for one in queue)
            queue = [one for one in queue if one.want.waits == first]
        heads = [one for one in queue if all(self._is_before(one, other) for other in queue)]
        most = max((self._ratio(one) for one in heads), default=0.0)
        return [one for one in heads if self._ratio(one) >= most - 1e-9]

    def _explained(self, order: Order, allowed: list[Noted], quick_only: bool) -> str:
        def text(one: Noted) -> str:
            wanted = f"{one.want.key} {one.place} {one.want.waits.name} {one.want.named_ms}"
            return f"{wanted} {one.mark} {self._ratio(one)} {one.attempts}"

        all_ = "\n  ".join(text(one) for one in self.wants.values())
        return f"{order.key} of {[text(one) for one in allowed]}, quick only: {quick_only}, turn {self.turn}\n  {all_}"

    @staticmethod
    def cost(noted: Noted) -> int:
        return noted.want.named_ms

    def _is_before(self, one: Noted, other: Noted) -> bool:
        """Return whether `one` may be the head of a queue that `other` stands in, too."""
        in_one_queue = (one.mark, one.bucket) == (other.mark, other.bucket)
        return not in_one_queue or one.age <= other.age

    def _ratio(self, noted: Noted) -> float:
        since = max(noted.want.since_ms, *self.served.get(("p" + noted.want.mark, noted.bucket), [0])[-1:])
        times = self.served.get(("a" + noted.want.address, noted.bucket), []) if noted.want.address else []
        if len(times) >= 8 and times[-8] > since:
            since = times[-8] - (times[-8] - since) * 0.000001
        return float((self.now_ms - since) / 2**noted.bucket)

    def _queue(self) -> list[Noted]:
        return [noted for noted in self.wants.values() if noted.place == "queue"]

    def _odd_for(self, worker: str, quick_only: bool) -> list[Noted]:
        odd = [one for one in self.wants.values() if one.place == "odd" and worker not in one.tried]
        odd = [one for one in odd if one.is_quick or not quick_only]
        return [one for one in odd if one.when_ms == min(other.when_ms for other in odd)]

    def _same(self, order: Order, noted: Noted, share: float) -> None:
        want = noted.want
        think = want.named_ms
        if want.waits <= Urgency.HINT:
            think = min(think, max(want.least_ms, int(think * share)))
        if want.ends_ms:
            think = min(think, want.ends_ms - self.now_ms - 100)
        assert order.think_ms == think or noted.place == "odd"
        seen = (order.version, order.kind, order.named_ms, order.waits, order.attempt, order.payload)
        due = (want.version, want.kind, want.named_ms, want.waits, noted.given + 1, want.payload)
        assert seen == due, f"{seen} {due} {noted}"
        assert order.waited_ms == self.now_ms - want.since_ms

    def _count_turn(self, noted: Noted, quick_only: bool) -> None:
        queue = [one for one in self._queue() if one.is_quick or not quick_only]
        if noted.place == "queue" and {Urgency.PERSON, Urgency.HINT} <= {one.want.waits for one in queue}:
            self.turn += 1

    def _serve(self, noted: Noted, holder: tuple[str, int]) -> None:
        self.clock = round(max(self.now_ms, self.clock) + 0.001, 3)
        for name in (noted.want.mark and "p" + noted.want.mark, noted.want.address and "a" + noted.want.address):
            self.served.setdefault((name, noted.bucket), []).append(self.clock)
        noted.place, noted.holder, noted.given = "hand", holder, noted.given + 1

    def _is_all(self, worker: str, quick_only: bool, most: int, taken: Taken, cost: float, share: float) -> None:
        """Check that nothing was kept back that could have been given."""
        last = self.wants[taken.orders[-1].key] if taken.orders else None
        if most == 0 or len(taken.orders) == most or (last is not None and (last.attempts > 0)):
            return
        left = self.most_wanted(quick_only)
        if taken.orders:
            fits = [
                one.attempts == 0
                and cost + self.cost(one) * max(one.want.least_ms, int(one.want.named_ms * share)) / one.want.named_ms <= 100
                for one in left
            ]
            assert not left or not all(fits)
        else:
            assert not left
            assert not self._odd_for(worker, quick_only)

    def _finish(self, key: str, version: int) -> None:
        newer = self.newer.pop(key, None)
        del self.wants[key]
        if newer is not None and newer.version > version:
            self.wants[key] = Noted(newer)

    def _empty(self, worker: str, pid: int, why: str) -> None:
        hand = self.hands.pop((worker, pid), None)
        for key, version in hand.orders if hand is not None else ():
            noted = self.wants.get(key)
            if noted and noted.place == "hand" and noted.holder == (worker, pid) and noted.want.version == version:
                self._give_back(key, why)

    def _give_back(self, key: str, why: str) -> None:
        newer = self.newer.pop(key, None)
        if newer is not None:
            self.wants[key] = Noted(newer)
            return
        noted = self.wants[key]
        assert noted.holder is not None
        noted.attempts += why in ("odd", "died")
        if noted.attempts >= 3 or (noted.given >= 10 and why in ("odd", "died", "lost")):
            noted.place, noted.when_ms = "unplayable", self.now_ms
        elif why == "odd":
            noted.tried.add(noted.holder[0])
            noted.place, noted.when_ms = "odd", self.now_ms + ODD_MS
        elif why == "failed":
            noted.place, noted.when_ms = "later", self.now_ms + min(250 * 2 ** (noted.given - 1), 30_000)
        else:
            noted.place = "queue"
        noted.holder = None
