"""A day of one deployment's workers, move by move, with pods that KEDA adds and removes as the chart tells it to."""

import math
import random
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from loadtests.simulation.agenda import Agenda
from loadtests.simulation.autoscaler import Autoscaler, load
from loadtests.simulation.costs import computer_moves_per_game
from loadtests.simulation.day import DAY_S, share_at
from loadtests.simulation.parameters import Parameters
from loadtests.simulation.tally import Spread

SAMPLE_S = 60.0
QUEUED_AGAIN_S = 3.0
"""After a worker's last heartbeat, what it had in hand is queued again (docs/computers.md)."""


@dataclass(slots=True)
class Move:
    """A move that is wanted of a computer."""

    since: float
    full_s: float
    least_s: float
    has_person: bool
    is_over: bool = False


@dataclass(slots=True)
class Worker:
    """A pod, and what it has in hand."""

    hand: list[Move] = field(default_factory=list)
    is_ending: bool = False


@dataclass(frozen=True, slots=True)
class Minute:
    """What there was at the end of a minute. `longest_wait` is that of a person in it."""

    at_s: float
    wanted: float
    slots: int
    pods: int
    busy: int
    longest_wait: float


@dataclass(frozen=True, slots=True)
class Scrape:
    """What Prometheus was given at a time."""

    at_s: float
    wanted_s: float
    backlog_s: float
    slots: int
    oldest_s: float


class WorkersDay:
    """The simulation of a deployment with so many games at the peak of its day."""

    def __init__(
        self,
        parameters: Parameters,
        games: float,
        seed: int,
        *,
        least: int,
        most: int,
        curve: list[float] | None = None,
        thinks: Callable[[random.Random], float] | None = None,
        shortens: bool = True,
    ) -> None:
        """`least` and `most` bound the pods; `thinks`, in place of the levels', says how long a move takes, all of it."""
        self.parameters, self.agenda, self.moves = parameters, Agenda(), 0
        self.waits, self.other_waits = Spread(), Spread()
        self.minutes: list[Minute] = []
        self.shortened = self.unthought = self.crashes = 0
        self.least_granted = 1.0
        self.pod_s = self.busy_s = 0.0
        self._chance = random.Random(seed)
        self._peak = games * computer_moves_per_game(parameters)
        self._curve = curve or parameters.row("day")
        self._thinks, self._shortens = thinks, shortens
        mix, full, short = (parameters.table(name) for name in ("mix", "think_s", "least_think_s"))
        self._levels = [(float(full[game]), float(short[game])) for game in mix]
        self._weights = [float(share) for share in mix.values()]
        self._person_share = parameters["person_share"]
        self._processes = int(parameters["processes"])
        self._least = least
        mean_s = sum(share * level[0] for share, level in zip(self._weights, self._levels, strict=True))
        self._wanted = self._peak * mean_s
        # As many pods as the first hour takes, as if yesterday had been like today.
        at_first = math.ceil(self._wanted * share_at(self._curve, 0) / parameters["busy_share"] / self._processes)
        self._spec = min(max(at_first, least), most) if least > 0 else 0
        self._scaler = Autoscaler(parameters, max(1, least), most)
        self._pods = [Worker() for _ in range(self._spec)]
        self._free = [pod for pod in self._pods for _ in range(self._processes)]
        self._starting = 0
        self._persons: deque[Move] = deque()
        self._others: deque[Move] = deque()
        self._backlog = {True: 0.0, False: 0.0}
        self._wanted_s = self._longest = 0.0
        self._scrapes: deque[Scrape] = deque()
        self._last_active = 0.0

    def run(self, seconds: float = DAY_S) -> None:
        """Let so much time go by."""
        for every, action in (
            (self.parameters["scrape_s"], self._scrape),
            (self.parameters["sync_s"], self._decide),
            (self.parameters["polling_s"], self._wake),
            (SAMPLE_S, self._sample),
        ):
            self._repeat(every, action)
        self._next()
        self._next_crash()
        self.agenda.run(seconds)

    def _repeat(self, every: float, action: Callable[[], None]) -> None:
        def again() -> None:
            action()
            self.agenda.after(every, again)

        self.agenda.after(every, again)

    def rate(self, now: float) -> float:
        """Return the moves that are wanted in a second."""
        return self._peak * share_at(self._curve, now / 3600 % 24)

    def _next(self) -> None:
        self.agenda.after(self._chance.expovariate(self.rate(self.agenda.now)), self._want)

    def _want(self) -> None:
        if self._thinks is None:
            ((full, least),) = self._chance.choices(self._levels, weights=self._weights)
        else:
            full = least = self._thinks(self._chance)
        move = Move(self.agenda.now, full, least, self._chance.random() < self._person_share)
        self._wanted_s += full
        self.moves += 1
        self._queue(move)
        self._next()

    def _queue(self, move: Move) -> None:
        (self._persons if move.has_person else self._others).append(move)
        self._backlog[move.has_person] += move.full_s
        if not self._pods:
            self.agenda.after(self.parameters["silence_s"], lambda: self._give_up(move))
        self._think()

    def _give_up(self, move: Move) -> None:
        """Let the session move by itself, since no worker is alive."""
        if self._pods or move.is_over:
            return
        for waiting in (self._persons, self._others):
            if move in waiting:
                waiting.remove(move)
                self._backlog[move.has_person] -= move.full_s
                move.is_over = True
                self.unthought += 1
                self._waited(move)

    def _think(self) -> None:
        while (self._persons or self._others) and (pod := self._free_pod()) is not None:
            granted_of = self._granted(self._persons[0]) if self._persons else self._others[0].full_s
            move = (self._persons or self._others).popleft()
            self._backlog[move.has_person] -= move.full_s
            self._waited(move)
            if granted_of < move.full_s:
                self.shortened += 1
                self.least_granted = min(self.least_granted, granted_of / move.full_s)
            pod.hand.append(move)
            self.busy_s += granted_of
            self.agenda.after(granted_of, lambda pod=pod, move=move: self._played(pod, move))  # type: ignore[misc]

    def _granted(self, move: Move) -> float:
        """Return how long a computer may think for whom a person waits (docs/computers.md, thinking time)."""
        slots, backlog = len(self._pods) * self._processes, self._backlog[True]
        if not self._shortens or backlog <= slots:
            return move.full_s
        return min(move.full_s, max(move.least_s, move.full_s * slots / backlog))

    def _free_pod(self) -> Worker | None:
        while self._free:
            pod = self._free.pop()
            if not pod.is_ending:
                return pod
        return None

    def _waited(self, move: Move) -> None:
        wait = self.agenda.now - move.since
        (self.waits if move.has_person else self.other_waits).steps[round(wait * 10)] += 1
        if move.has_person:
            self._longest = max(self._longest, wait)

    def _played(self, pod: Worker, move: Move) -> None:
        if move in pod.hand:  # otherwise it was lost with its pod
            pod.hand.remove(move)
            move.is_over = True
            self._free.append(pod)
            self._think()

    def _next_crash(self) -> None:
        per_s = self.parameters["pod_fails_per_day"] * max(1, len(self._pods)) / DAY_S
        if per_s > 0:
            self.agenda.after(self._chance.expovariate(per_s), self._crash)

    def _crash(self) -> None:
        if self._pods:
            pod = self._chance.choice(self._pods)
            self.crashes += 1
            self._remove(pod)
            for move in pod.hand:
                self.agenda.after(QUEUED_AGAIN_S, lambda move=move: self._queue(move))  # type: ignore[misc]
            pod.hand.clear()
            self._start(1)
        self._next_crash()

    def _remove(self, pod: Worker) -> None:
        pod.is_ending = True
        self._pods.remove(pod)

    def _start(self, count: int) -> None:
        """Start pods: at once where nodes have room, the others when there are more nodes."""
        room = max(1, int(self.parameters["warm_share"] * len(self._pods)))
        for number in range(count):
            wait = 0.0 if number < room else self.parameters["node_start_s"]
            self._starting += 1
            self.agenda.after(wait + self._chance.uniform(*self.parameters.span("back_worker_s")), self._is_ready)

    def _is_ready(self) -> None:
        self._starting -= 1
        if len(self._pods) >= self._spec:
            return  # not wanted any more
        pod = Worker()
        self._pods.append(pod)
        self._free += [pod] * self._processes
        self._think()

    def _scrape(self) -> None:
        now = self.agenda.now
        oldest = now - self._persons[0].since if self._persons else 0.0
        backlog = sum(self._backlog.values())
        self._scrapes.append(Scrape(now, self._wanted_s, backlog, len(self._pods) * self._processes, oldest))
        while self._scrapes[0].at_s < now - self.parameters["rate_s"]:
            self._scrapes.popleft()

    def _figures(self) -> tuple[float, float]:
        """Return the chart's two figures: demand over capacity, and how long a person waits."""
        if len(self._scrapes) < 2:
            return 0.0, 0.0
        first, last = self._scrapes[0], self._scrapes[-1]
        wanted = (last.wanted_s - first.wanted_s) / (last.at_s - first.at_s)
        return load(wanted, last.backlog_s, last.slots, self.parameters["clear_within_s"]), last.oldest_s

    def _decide(self) -> None:
        demand, wait = self._figures()
        if self._spec == 0 or len(self._scrapes) < 2:
            return  # from zero KEDA starts pods by itself
        ratios = [demand / self.parameters["busy_share"], wait / self.parameters["oldest_wait_s"]]
        self._scale(self._scaler.decide(self.agenda.now, self._spec, ratios))

    def _wake(self) -> None:
        """Let KEDA go from zero to one pod and, when nothing has been wanted for long enough, back; only if it may."""
        if self._least > 0:
            return
        if any(figure > 0 for figure in self._figures()):
            self._last_active = self.agenda.now
            if self._spec == 0:
                self._scale(1)
        elif self._spec > 0 and self.agenda.now - self._last_active >= self.parameters["cooldown_s"]:
            self._scale(0)

    def _scale(self, pods: int) -> None:
        """Start pods, or end some; what those think about they still answer."""
        self._spec = pods
        if pods > len(self._pods) + self._starting:
            self._start(pods - len(self._pods) - self._starting)
        for pod in self._chance.sample(self._pods, max(0, len(self._pods) - pods)):
            self._remove(pod)

    def _sample(self) -> None:
        self.pod_s += len(self._pods) * SAMPLE_S
        wanted = self._wanted * share_at(self._curve, self.agenda.now / 3600 % 24)
        busy = sum(len(pod.hand) for pod in self._pods)
        slots = len(self._pods) * self._processes
        self.minutes.append(Minute(self.agenda.now, wanted, slots, len(self._pods), busy, self._longest))
        self._longest = 0.0
