"""Everybody who plays: becomes more and less by a list of kinds of tables."""

import asyncio
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass, field
from typing import Any

from loadtests.computers.guest import Guest
from loadtests.computers.mix import Company, Kind
from loadtests.computers.notes import Game, Notes
from loadtests.computers.people import Person
from loadtests.computers.tables import Table
from loadtests.crowd.endpoints import Endpoints
from services.runtime.tasks import ended

AT_ONCE = 16
"""How many sit down, or leave, at the same time."""
_FIRST_HOST = 1 << 20
"""Hosts have other addresses than persons."""


@dataclass(slots=True)
class Crowd:
    """Persons and tables, in the order in which they came. `pause_s`, `hints`: see Person. `one_address`: all come from one."""

    endpoints: Endpoints
    notes: Notes
    pause_s: float
    hints: float
    one_address: bool = False
    tables_of_a_host: int = 6
    """How many tables with only computers one player has created."""
    playing: list[tuple[Person | Table, "asyncio.Task[None]"]] = field(default_factory=list)
    _hosts: list[Guest] = field(default_factory=list)
    _came: int = 0
    _created: int = 0

    async def become(self, kinds: Sequence[Kind]) -> None:
        """Let those come who are in the list and not there, and the last ones leave where there are more.

        What is there has to be the beginning of the list, or the other way round.
        """
        leaving = self.playing[len(kinds) :]
        del self.playing[len(kinds) :]
        await _at_once([self._leave(one, task) for one, task in leaving])
        for kind in kinds[len(self.playing) :]:
            one = self._arrival(kind)
            self.playing.append((one, asyncio.create_task(one.play_on())))
            if len(self.playing) % AT_ONCE == 0:
                await self._until_all_sit()
        await self._until_all_sit()

    async def leave(self) -> None:
        """Let all go home."""
        await self.become(())
        await asyncio.gather(*(host.close() for host in self._hosts))

    async def stop(self) -> None:
        """Stop playing and leave everything as it stands."""
        await ended(*(task for _, task in self.playing))
        for one, _ in self.playing:
            if isinstance(one, Person):
                await one.close()
        await asyncio.gather(*(host.close() for host in self._hosts))

    def games(self) -> list[Game]:
        """Return what is being played."""
        return [one.game for one, _ in self.playing if one.game is not None]

    def players(self) -> list[Person | Table]:
        """Return all persons, and all tables of computers alone, that are there."""
        return [one for one, _ in self.playing]

    @property
    def people(self) -> list[Person]:
        """The persons who play now."""
        return [one for one, _ in self.playing if isinstance(one, Person)]

    def take_hands_off(self) -> None:
        """Persons do nothing more, and nobody watches computers any more: only what is wanted already is left, and goes on."""
        for one, _ in self.playing:
            if isinstance(one, Person):
                one.rests.set()
            else:
                one.unwatched.set()

    def _arrival(self, kind: Kind) -> Person | Table:
        self._came += 1
        if kind.company is Company.PERSON:
            number = 1 if self.one_address else self._came
            guest = Guest(self.endpoints, f"Person {self._came}", number, self.notes)
            return Person(guest, kind, self.notes, self.pause_s, self.hints, seed=self._came)
        if self._created % self.tables_of_a_host == 0:
            number = 1 if self.one_address else _FIRST_HOST + len(self._hosts)
            self._hosts.append(Guest(self.endpoints, f"Host {len(self._hosts)}", number, self.notes))
        self._created += 1
        return Table(self._hosts[-1], kind, self.notes)

    async def _until_all_sit(self) -> None:
        while any(one.game is None for one, _ in self.playing):
            for _, task in self.playing:
                if task.done():
                    task.result()
            await asyncio.sleep(0.05)

    async def _leave(self, one: Person | Table, task: "asyncio.Task[None]") -> None:
        await ended(task)
        await one.leave()


async def _at_once(work: Sequence[Coroutine[Any, Any, None]]) -> None:
    """Do all of it, so much at a time."""
    room = asyncio.Semaphore(AT_ONCE)

    async def one(coroutine: Coroutine[Any, Any, None]) -> None:
        async with room:
            await coroutine

    await asyncio.gather(*(one(coroutine) for coroutine in work))
