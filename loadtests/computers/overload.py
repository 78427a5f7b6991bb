"""Lets ever more tables want computers' moves, up to many times what the workers can do, and then as few as before.

The demand is that of tables: one at which only computers play wants one place of a worker all the time, one with a person a share
of it. So k = 10 is so many tables that ten times the workers would be needed for no move to wait.
"""

import asyncio
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from loadtests.computers.bars import EASY_P95_S
from loadtests.computers.crowd import Crowd
from loadtests.computers.figures import EASY, Capacity, Outcome, Stretch, cost_s, figures, percentile, recovered_s
from loadtests.computers.mix import MIX, Company, Kind, alone, named_s, tables
from loadtests.computers.moves import newest_at, story
from loadtests.computers.notes import Game, Notes, now
from loadtests.computers.people import Person
from loadtests.computers.system import System
from loadtests.crowd.endpoints import Endpoints

STUCK_S = 15.0
"""At k = 1 a computer has moved by then."""
ADDED_AT_K = 3.0
"""The demand when workers are added, after which it is 1."""

_TABLES_A_PLACE, _MOVES_A_PLACE = 3, 4
"""When capacity is measured: so many tables, and so much time."""
_MUCH, _SOME_S = 1.5, 0.5
"""Urgency are as at k = 1 when they are within so many times what nine in ten were within, and that many seconds more."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The course of a run. `warm_s`: how long tables play before a stretch of `seconds` is measured."""

    ks: Sequence[float] = (1, 3, 10, 30)
    seconds: float = 30.0
    warm_s: float = 10.0
    calm_s: float = 40.0
    """How long is looked on after the end of overload, and after workers were added."""
    pause_s: float = 2.0
    hints: float = 0.1
    mix: tuple[Kind, ...] = MIX
    add_workers: bool = False
    one_address: bool = False


class Overload:
    """A run on a system that is there."""

    def __init__(self, system: System, plan: Plan, conditions: Mapping[str, str], say: Callable[[str], None]) -> None:
        self._system, self._plan, self._say = system, plan, say
        self._notes = Notes()
        self._stretches: list[Stretch] = []
        self._outcome = Outcome(conditions)

    async def run(self) -> Outcome:
        """Do it all and return what was found out."""
        plan, outcome = self._plan, self._outcome
        endpoints = Endpoints("websocket", self._system.deployment.grpc_address, self._system.deployment.web_address)
        able = await self._measure_capacity(endpoints)
        outcome.cost_s = {" ".join(at): cost for at, cost in able.cost_s.items()}
        crowd = Crowd(endpoints, self._notes, plan.pause_s, plan.hints, plan.one_address)

        def kinds(k: float) -> list[Kind]:
            return tables(plan.mix, k * able.slots, able.cost_s, plan.pause_s)

        for k in plan.ks:
            await crowd.become(kinds(k))
            await self._measure(crowd, k)
        await crowd.become(kinds(plan.ks[0]))
        over = now()
        await asyncio.sleep(plan.calm_s)
        ends = [(over, now())]
        if plan.add_workers:
            await crowd.become(kinds(ADDED_AT_K))
            await asyncio.sleep(plan.warm_s)
            names = [self._system.add_worker() for _ in range(int(ADDED_AT_K) - 1)]
            for name in names:
                await asyncio.to_thread(self._system.wait, name)
            ready = now()
            await asyncio.sleep(plan.calm_s)
            ends.append((ready, now()))
        outcome.stuck = len(await stuck(self._system, crowd, STUCK_S))
        await crowd.leave()
        await endpoints.close()
        await self._judge(able, ends)
        return outcome

    async def _measure_capacity(self, endpoints: Endpoints) -> Capacity:
        """Let computers play at each level by itself, with more tables than there are places."""
        plan, slots, costs = self._plan, self._system.slots, {}
        for kind in alone(plan.mix):
            notes = Notes()
            crowd = Crowd(endpoints, notes, plan.pause_s, 0.0)
            await crowd.become([kind] * (_TABLES_A_PLACE * slots))
            await asyncio.sleep(plan.warm_s / 4)
            begin = now()
            await asyncio.sleep(max(plan.seconds / 4, _MOVES_A_PLACE * named_s(kind)))
            end = now()
            await crowd.leave()
            history = await asyncio.to_thread(story, self._system.redis_url, notes.games)
            costs[kind.at] = cost_s(history, begin, end, slots, named_s(kind))
            self._say(f"{kind.game} {kind.level}: {slots / costs[kind.at]:.1f} moves/s")
        return Capacity(slots, costs)

    async def _measure(self, crowd: Crowd, k: float) -> None:
        system, plan = self._system, self._plan
        await asyncio.sleep(plan.warm_s)
        before, spent, begin = await system.series(), system.cpu_s(), now()
        await asyncio.sleep(plan.seconds)
        end, after = now(), system.cpu_s()
        grown = (await system.series()).minus(before)
        open_waits = [end - one.waits_since for one in crowd.people if one.waits_since and one.kind.level == EASY]
        self._stretches.append(
            Stretch(
                k=k,
                tables=len(crowd.playing),
                people=len(crowd.people),
                slots=system.slots,
                begin=begin,
                end=end,
                grown=grown,
                cpu_s={process: after[process] - spent.get(process, 0.0) for process in after},
                open_waits_s=open_waits,
            )
        )
        self._say(
            f"k = {k:g}: {len(crowd.playing)} tables, {grown.total('brettwerk_ai_attempts_total', outcome='played'):.0f} moves"
        )

    async def _judge(self, able: Capacity, ends: Sequence[tuple[float, float]]) -> None:
        """Make figures of what was noted, and of the logs."""
        outcome, notes = self._outcome, self._notes
        history = await asyncio.to_thread(story, self._system.redis_url, notes.games)
        outcome.stretches = [figures(stretch, history, notes, able, EASY_P95_S) for stretch in self._stretches]
        first = self._stretches[0]
        usual_s = {}
        for company in Company:
            waits = [move.waited_s for move in history.made(first.begin, first.end) if move.kind.company is company]
            usual_s[company] = _MUCH * percentile(waits, 0.9) + _SOME_S if waits else math.inf
        recovered = [recovered_s(history, begin, until, usual_s) for begin, until in ends]
        outcome.recovered_s, *others = recovered
        if others:
            outcome.recovered_by_workers_s = others[0]
        outcome.fallbacks = sum(move.is_fallback for move in history.moves)
        outcome.waits_shown, outcome.refusals, outcome.tracebacks = (
            notes.waits_shown,
            dict(notes.refusals),
            len(self._system.faults),
        )


async def stuck(system: System, crowd: Crowd, within_s: float) -> list[Game]:
    """Return the games at which a computer is to act, and none has for that many seconds."""
    newest = await asyncio.to_thread(newest_at, system.redis_url, crowd.games())
    at, found = now(), []
    for one in crowd.players():
        if one.game is None or one.game.over:
            continue
        since = one.waits_since if isinstance(one, Person) else newest[one.game.session_id]
        if since is not None and at - since > within_s:
            found.append(one.game)
    return found
