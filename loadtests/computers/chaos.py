"""Kills what computers' moves depend on while far more are wanted than can be thought about, and checks whether any is lost.

A move that is wanted is lost when its table does not go on. So when the last fault is over, people take their hands off and
nobody watches any more: then nothing comes before what is wanted already, and every table at which a computer is to act
has to go on.
"""

import asyncio
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from loadtests.computers.crowd import Crowd
from loadtests.computers.mix import MIX, Company, Kind, named_s, tables
from loadtests.computers.moves import newest_at, story
from loadtests.computers.notes import Game, Notes, now
from loadtests.computers.people import Person
from loadtests.computers.system import BROKER, System
from loadtests.crowd.endpoints import Endpoints

DRAIN = "drain"
"""A worker that thinks is told to end, as when it is scaled away."""
KINDS = ("process", "worker", DRAIN, "ai", BROKER, "redis")
"""The parts that are killed: a process that thinks, a whole worker, the AI service, the broker, the store of the sessions."""
LATE_S = 2.0
"""While there are workers enough, and no more than drains, no move comes so much later than the level says that it thinks."""
GOES_ON_S = 15.0
"""How soon after the last fault every table must have gone on."""
TIMEOUT_S = 120.0
"""Tables that have not gone on by then never will."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The course of a run: every kind of fault so many times, in an order by `seed`, that many seconds apart."""

    k: float = 3.0
    times: int = 3
    kinds: Sequence[str] = KINDS
    pause_s: tuple[float, float] = (2.0, 6.0)
    warm_s: float = 10.0
    mix: tuple[Kind, ...] = MIX
    person_pause_s: float = 2.0
    hints: float = 0.05
    seed: int = 1


@dataclass(slots=True)
class Outcome:
    """The findings of a run."""

    conditions: Mapping[str, str]
    faults: dict[str, int] = field(default_factory=dict)
    tables: int = 0
    moves: int = 0
    fallbacks: int = 0
    longest_over_s: float = 0.0
    """By how much a move that a person waits for came later than the level says that it thinks."""
    over: int = 0
    """Moves for which that was more than LATE_S."""
    late: int = 0
    """Tables that went on later than they have to."""
    lost: int = 0
    """Tables that did not go on at all."""
    last_went_on_s: float = 0.0
    """When the last table went on, in seconds after the last fault."""
    healed_s: float = 0.0
    """When everything was ready again, in seconds after the last fault."""
    lost_connections: int = 0
    refusals: Mapping[str, int] = field(default_factory=dict)
    tracebacks: int = 0

    def kept(self) -> dict[str, Any]:
        """Return it as JSON keeps it."""
        return asdict(self)

    def missed(self) -> list[str]:
        """Return a sentence for each bar that is missed."""
        said = []
        if self.lost:
            said.append(f"{self.lost} tables did not go on")
        if self.late:
            said.append(f"{self.late} tables went on later than {GOES_ON_S:.0f} s after the last fault")
        if self.over and set(self.faults) == {DRAIN}:
            said.append(f"{self.over} moves came {LATE_S:g} s later than they would have, or more")
        if self.fallbacks:
            said.append(f"{self.fallbacks} moves were not thought about")
        if self.tracebacks:
            said.append(f"{self.tracebacks} tracebacks were logged")
        return said


class Chaos:
    """A run on a system that is there, with a broker of its own."""

    def __init__(self, system: System, plan: Plan, conditions: Mapping[str, str], say: Callable[[str], None]) -> None:
        self._system, self._plan, self._say = system, plan, say
        self._dice = random.Random(plan.seed)
        self._outcome = Outcome(conditions)

    async def run(self) -> Outcome:
        """Do it all and return what was found out."""
        system, plan, outcome, notes = self._system, self._plan, self._outcome, Notes()
        endpoints = Endpoints("websocket", system.deployment.grpc_address, system.deployment.web_address)
        # Each table is its own player's: otherwise it might wait for that one's other tables.
        crowd = Crowd(endpoints, notes, plan.person_pause_s, plan.hints, tables_of_a_host=1)
        slots = system.slots * len(system.workers())
        cost_s = {kind.at: named_s(kind) for kind in plan.mix}
        await crowd.become(tables(plan.mix, plan.k * slots, cost_s, plan.person_pause_s))
        outcome.tables = len(crowd.playing)
        self._say(f"{outcome.tables} tables, {slots} places")
        await asyncio.sleep(plan.warm_s)
        struck = await self._hurt()
        crowd.take_hands_off()
        await asyncio.to_thread(system.wait_for_all)
        outcome.healed_s = now() - struck
        self._say(f"everything is ready {outcome.healed_s:.1f} s after the last fault")
        await self._see_all_go_on(crowd, struck)
        self._say(f"the last table went on after {outcome.last_went_on_s:.1f} s")
        await crowd.stop()
        await endpoints.close()
        history = await asyncio.to_thread(story, system.redis_url, notes.games)
        outcome.moves, outcome.fallbacks = len(history.moves), sum(move.is_fallback for move in history.moves)
        persons = (move for move in history.moves if move.kind.company is Company.PERSON)
        over = [move.waited_s - named_s(move.kind) for move in persons]
        outcome.longest_over_s, outcome.over = max(over, default=0.0), sum(seconds > LATE_S for seconds in over)
        outcome.lost_connections, outcome.refusals = notes.lost_connections, dict(notes.refusals)
        outcome.tracebacks = len(system.faults)
        return outcome

    async def _hurt(self) -> float:
        """Strike with every fault; returns when the last one struck, in seconds since 1970."""
        plan, struck = self._plan, now()
        order = [kind for kind in plan.kinds for _ in range(plan.times)]
        self._dice.shuffle(order)
        for kind in order:
            await asyncio.sleep(self._dice.uniform(*plan.pause_s))
            await asyncio.to_thread(self._strike, kind)
            struck = now()
            self._outcome.faults[kind] = self._outcome.faults.get(kind, 0) + 1
            self._say(f"kill {kind}")
        return struck

    def _strike(self, kind: str) -> None:
        worker = self._dice.choice(self._system.workers())
        if kind == "process":
            while not self._system.kill_a_process_of(worker, self._dice.random()):
                self._system.wait(worker)  # it was killed as a whole just now
        elif kind == "worker":
            self._system.kill(worker)
        elif kind == DRAIN:
            self._system.wait(worker)
            self._system.end(worker)
        else:
            self._system.kill(kind)

    async def _see_all_go_on(self, crowd: Crowd, since: float) -> None:
        """Wait until a computer has moved at each table at which one was to, and count those where that took too long."""
        waiting = {game.session_id: game for game in await self._to_move(crowd)}
        went_on: dict[str, float] = {}
        while len(went_on) < len(waiting) and now() < since + TIMEOUT_S:
            await asyncio.sleep(0.25)
            left = [game for session, game in waiting.items() if session not in went_on]
            for session, at in (await asyncio.to_thread(newest_at, self._system.redis_url, left)).items():
                if at >= since:
                    went_on[session] = at - since
        for session, game in waiting.items():
            if session not in went_on:
                self._say(f"did not go on: {game.kind.game} {game.kind.level} ({game.kind.company.value}) {session}")
        self._outcome.last_went_on_s = max(went_on.values(), default=0.0)
        self._outcome.late = sum(seconds > GOES_ON_S for seconds in went_on.values())
        self._outcome.lost = len(waiting) - len(went_on)

    async def _to_move(self, crowd: Crowd) -> list[Game]:
        """Return the games at which a computer is to act now."""
        found = []
        for one in crowd.players():
            if one.game is None or one.game.over:
                continue
            alone = one.kind.company is not Company.PERSON
            if alone or (isinstance(one, Person) and one.waits_since is not None):
                found.append(one.game)
        return found
