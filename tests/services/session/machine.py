"""A machine of hypothesis: two players, two processes on one store and watchers, and what has to hold whatever they do."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from brettwerk.v1 import play_pb2
from services.session.domain.updates import message_for
from tests.services.session.live.test_rebuilding import check_rebuilt
from tests.services.session.running import running_rules
from tests.services.session.table import Player, Table
from tests.services.session.watcher import Watcher

T = TypeVar("T")


class Sessions(RuleBasedStateMachine):
    """One session, at which the rules of a machine play; processes restart, and watchers come and go."""

    redis_url = ""
    folder = ""

    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.run(self._open())

    def run(self, work: "Coroutine[Any, Any, T]") -> T:
        return self.runner.run(work)

    async def _open(self) -> None:
        self.door = running_rules()
        self.table = Table(self.redis_url, await self.door.__aenter__(), f"sqlite:///{self.folder}/archive.sqlite3")
        await self.table.open()
        await self.table.another_house()
        self.players = (self.table.player("Anna"), self.table.player("Ben"))
        self.acknowledged: dict[int, bytes] = {}
        """The versions that were told to somebody, with the request that made each."""
        self.answered: list[tuple[Player, play_pb2.ActRequest, play_pb2.ActResponse]] = []
        self.resumed = 1

    def teardown(self) -> None:
        self.run(self._close())
        self.runner.close()

    async def _close(self) -> None:
        await check_rebuilt(self.table, self.session)
        head = (await self.table.house.shelf.newest(self.session)).state.version
        listed = await self.table.house.histories.updates(self.session, 1, head)
        assert len(listed) == head
        for watcher, number, after in self.watchers:
            if after == head:
                continue
            await watcher.until(number, head)
            messages = [
                data for data in watcher.messages[number] if not play_pb2.WatchResponse.FromString(data).HasField("heartbeat")
            ]
            assert messages == [message_for(packed, None) for packed in listed[after:]]
        for watcher in {watcher for watcher, _, _ in self.watchers}:
            await watcher.close()
        await self.table.close()
        await self.door.__aexit__(None, None, None)

    @initialize(computer=st.booleans(), settles=st.booleans())
    def create(self, computer: bool, settles: bool) -> None:
        anna, ben = self.players

        async def begin() -> None:
            self.session = (await anna.create("me", "easy" if computer else "open", settles=settles)).id
            if not computer:
                await ben.join(self.session)
            self.watchers: list[tuple[Watcher, int, int]] = []
            for house in self.table.houses:
                watcher = Watcher(house)
                await watcher.follow(1, self.session, "", 1)
                self.watchers.append((watcher, 1, 1))

        self.run(begin())

    async def _update(self) -> Any:
        return await self.players[0].see(self.session)

    async def _turn(self) -> tuple[Player, int] | None:
        """Who is to act now, if it is a person."""
        update = await self._update()
        if update.session.state != 2 or not update.to_act:
            return None
        seat = update.to_act[0]
        name = update.session.seats[seat].occupant.person.name
        return next(((player, seat) for player in self.players if player.caller.name == name), None)

    def _told(self, player: Player, request: play_pb2.ActRequest, answer: play_pb2.ActResponse) -> None:
        known = self.acknowledged.setdefault(answer.version, request.SerializeToString())
        assert known == request.SerializeToString(), "one version was told to two requests"
        self.answered.append((player, request, answer))

    @rule()
    def restart(self) -> None:
        self.run(self._restart())

    async def _restart(self) -> None:
        gone = self.table.houses[0]
        for watcher in {watcher for watcher, _, _ in self.watchers if watcher._house is gone}:
            await watcher.close()
        self.watchers = [kept for kept in self.watchers if kept[0]._house is not gone]
        await self.table.restart()

    @rule(number=st.integers(0, 1), version=st.integers(0, 100))
    def watch_on_after_any_version(self, number: int, version: int) -> None:
        async def resume() -> None:
            head = (await self._update()).version
            house = self.table.houses[number]
            watcher = next((w for w, _, _ in self.watchers if w._house is house), None) or Watcher(house)
            self.resumed += 1
            after = 1 + version % head
            await watcher.follow(self.resumed, self.session, "", after)
            self.watchers.append((watcher, self.resumed, after))

        self.run(resume())

    @invariant()
    def the_log_has_every_version_once_and_all_that_was_acknowledged(self) -> None:
        async def look() -> None:
            if not hasattr(self, "session"):
                return
            entries = await self.table.house.histories.entries(self.session)
            assert [entry.version for entry in entries] == list(range(1, len(entries) + 1))
            by_persons = {entry.version for entry in entries if entry.WhichOneof("change") == "acted"}
            assert set(self.acknowledged) <= by_persons
            state = (await self.table.houses[1].shelf.newest(self.session)).state
            assert state.version == len(entries)
            for number, seat in enumerate(state.seats):
                assert bool(seat.token_hash) == seat.is_person
                if seat.is_person:
                    holder = next(p for p in self.players if p.caller.player_id == seat.player_id)
                    assert state.seat_of_token(holder.token(self.session, number)) == number

        self.run(look())
