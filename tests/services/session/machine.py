"""A machine of hypothesis: two players, two processes that share a store, watchers, and what has to hold whatever they do."""

from collections.abc import Coroutine
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, rule

from brettwerk.v1 import play_pb2
from services.session.domain.updates import message_for
from tests.services.session.player import Player
from tests.services.session.table_machine import TableMachine
from tests.services.session.watcher import Watcher


class Sessions(TableMachine):
    """One session, at which the rules of a machine play; processes restart or hand it over, and watchers come and go."""

    async def _open(self) -> None:
        await super()._open()
        self.players = (self.table.player("Anna"), self.table.player("Ben"))
        self.acknowledged: dict[int, bytes] = {}
        """The versions that were told to somebody, with the request that made each."""
        self.watched: list[tuple[int, list[bytes]]] = []
        """Messages told to watches that have ended, and after which version."""
        self.answered: list[tuple[Player, play_pb2.ActRequest, play_pb2.ActResponse]] = []
        self.resumed = 1

    async def _close(self) -> None:
        head = (await self.table.wiring.session_cache.newest(self.session)).state.version
        listed = await self.table.wiring.rebuilds.updates(self.session, 1, head)
        assert len(listed) == head
        for watcher, number, after in self.watchers:
            if after == head:
                continue
            await watcher.until(number, head)
            self.watched.append((after, received(watcher, number)))
            assert after + len(self.watched[-1][1]) == head
        for after, messages in self.watched:
            assert messages == [message_for(packed, None) for packed in listed[after : after + len(messages)]]
        for watcher in {watcher for watcher, _, _ in self.watchers}:
            await watcher.close()
        await super()._close()

    @initialize(computer=st.booleans(), settles=st.booleans())
    def create(self, computer: bool, settles: bool) -> None:
        anna, ben = self.players

        async def begin() -> None:
            self.session = (await anna.create("me", "easy" if computer else "open", settles=settles)).id
            if not computer:
                await ben.join(self.session)
            self.watchers: list[tuple[Watcher, int, int]] = []
            for _ in range(2):
                watcher = Watcher(self.table.owner(self.session))
                await watcher.follow(1, self.session, "", 1)
                self.watchers.append((watcher, 1, 1))

        self.run(begin())

    async def _update(self) -> Any:
        return await self.players[0].see(self.session)

    async def _turn(self) -> tuple[Player, int] | None:
        """The player who is to act now and the seat, if it is a person's."""
        update = await self._update()
        if update.session.state != 2 or not update.to_act:
            return None
        seat = update.to_act[0]
        name = update.session.seats[seat].occupant.person.name
        return next(((player, seat) for player in self.players if player.caller.name == name), None)

    def _check_answer(self, player: Player, request: play_pb2.ActRequest, answer: play_pb2.ActResponse) -> None:
        known = self.acknowledged.setdefault(answer.version, request.SerializeToString())
        assert known == request.SerializeToString(), "one version was told to two requests"
        self.answered.append((player, request, answer))

    @rule()
    def restart(self) -> None:
        self.run(self._restart())

    async def _restart(self) -> None:
        await self._move(self.table.restart())

    @rule()
    def hand_the_session_over(self) -> None:
        other = next(wiring for wiring in self.table.processes if wiring is not self.table.owner(self.session))
        self.run(self._move(self.table.hand_over(self.session, other)))

    async def _move(self, moving: "Coroutine[Any, Any, None]") -> None:
        """Let the session's owner change; its watches go on where it is then, after what they were told."""
        before, self.watchers = self.watchers, []
        for watcher in {watcher for watcher, _, _ in before}:
            await watcher.close()
        await moving
        watcher = Watcher(self.table.owner(self.session))
        for old, number, after in before:
            self.watched.append((after, received(old, number)))
            self.resumed += 1
            last = after + len(self.watched[-1][1])
            await watcher.follow(self.resumed, self.session, "", last)
            self.watchers.append((watcher, self.resumed, last))

    @rule(version=st.integers(0, 100))
    def watch_on_after_any_version(self, version: int) -> None:
        async def resume() -> None:
            head = (await self._update()).version
            watcher = self.watchers[0][0]
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
            entries = await self.table.wiring.rebuilds.entries(self.session)
            assert [entry.version for entry in entries] == list(range(1, len(entries) + 1))
            by_persons = {entry.version for entry in entries if entry.WhichOneof("change") == "acted"}
            assert set(self.acknowledged) <= by_persons
            state = (await self.table.processes[1].session_cache.newest(self.session)).state
            assert state.version == len(entries)
            for number, seat in enumerate(state.seats):
                assert bool(seat.token_hash) == seat.is_person
                if seat.is_person:
                    holder = next(p for p in self.players if p.caller.player_id == seat.player_id)
                    assert state.seat_of_token(holder.token(self.session, number)) == number

        self.run(look())


def received(watcher: Watcher, number: int) -> list[bytes]:
    """Return the updates that a watch was told."""
    responses = ((data, play_pb2.WatchResponse.FromString(data)) for data in watcher.messages[number])
    return [data for data, response in responses if not response.HasField("heartbeat")]
