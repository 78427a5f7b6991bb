"""Two players, two processes on one store, a watcher, and everything that goes wrong between them.

Hypothesis plays: actions, repeats of old requests, stale and simultaneous writers, answers that get lost on the way, late
computer players, seats that change hands, proposals, restarts. Whatever it does, no acknowledged action is lost or doubled,
versions have no gaps, one token is good for each seat that a person holds, and every watcher ends with the same bytes.
"""

import asyncio
from collections.abc import Coroutine, Iterator
from typing import Any, TypeVar

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from brettwerk.v1 import errors_pb2, play_pb2
from services.runtime.refusal import Refused
from services.session.updates import message_for
from tests.redis_server import running_redis
from tests.services.session.refusing import refused
from tests.services.session.table import Player, Table, running_rules
from tests.services.session.test_rebuilding import check_rebuilt
from tests.services.session.watching import Watcher

T = TypeVar("T")

EXPECTED = {
    errors_pb2.REASON_STALE_VERSION,
    errors_pb2.REASON_NOT_YOUR_TURN,
    errors_pb2.REASON_GAME_OVER,
    errors_pb2.REASON_NOT_RUNNING,
    errors_pb2.REASON_ILLEGAL,
}
"""What an action may be refused for here."""


class Sessions(RuleBasedStateMachine):
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

    @initialize(computer=st.booleans())
    def create(self, computer: bool) -> None:
        anna, ben = self.players

        async def begin() -> None:
            self.session = (await anna.create("me", "easy" if computer else "open")).id
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

    @rule(pick=st.integers(0, 20), house=st.integers(0, 1))
    def act(self, pick: int, house: int) -> None:
        async def play() -> None:
            turn = await self._turn()
            if turn:
                player, seat = turn
                player.house = house
                request = await player.act_request(self.session, seat, pick)
                self._told(player, request, await player.ask(act=request))

        self.run(play())

    @rule(age=st.integers(0, 20), house=st.integers(0, 1))
    def repeat_an_old_request(self, age: int, house: int) -> None:
        async def again() -> None:
            if not self.answered:
                return
            player, request, answer = self.answered[-1 - age % len(self.answered)]
            player.house = house
            before = (await self._update()).version
            assert await player.ask(act=request) == answer
            assert (await self._update()).version == before

        self.run(again())

    @rule(picks=st.lists(st.integers(0, 20), min_size=2, max_size=4), others=st.booleans())
    def write_from_two_processes_at_once(self, picks: list[int], others: bool) -> None:
        async def race() -> None:
            turn = await self._turn()
            if not turn:
                return
            player, seat = turn
            requests = [await player.act_request(self.session, seat, pick) for pick in picks]

            async def ask(number: int, request: play_pb2.ActRequest) -> bool:
                call = play_pb2.Call(act=request)
                try:
                    answer = (await self.table.houses[number % 2].calls.carry_out(call, player.caller)).act
                except Refused as error:
                    if error.reason not in EXPECTED:
                        raise
                    return False
                self._told(player, request, answer)
                return True

            done = await asyncio.gather(*(ask(n, request) for n, request in enumerate(requests)))
            assert sum(done) == 1

        self.run(race())

    @rule(pick=st.integers(0, 20), patience=st.integers(0, 60), restart=st.booleans())
    def lose_an_answer(self, pick: int, patience: int, restart: bool) -> None:
        async def lose() -> None:
            turn = await self._turn()
            if not turn:
                return
            player, seat = turn
            player.house = 0
            request = await player.act_request(self.session, seat, pick)
            before = (await self._update()).session.plies
            task = asyncio.create_task(player.ask(act=request))
            for _ in range(patience):
                await asyncio.sleep(0)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            if restart:
                await self._restart()
            self._told(player, request, await player.ask(act=request))
            assert (await self._update()).session.plies == before + 1

        self.run(lose())

    @rule(age=st.integers(1, 5))
    def act_for_an_old_version(self, age: int) -> None:
        async def late() -> None:
            turn = await self._turn()
            if not turn:
                return
            player, seat = turn
            update = await self._update()
            request = await player.act_request(self.session, seat, expected_version=max(0, update.version - age))
            if request.expected_version >= update.position_version:
                self._told(player, request, await player.ask(act=request))
                return
            with refused("STALE_VERSION"):
                await player.ask(act=request)

        self.run(late())

    @rule(age=st.sampled_from([0, 0, 0, 1, 2]), pick=st.integers(0, 20))
    def let_a_computer_answer_now_or_late(self, age: int, pick: int) -> None:
        async def answer() -> None:
            await self.table.until_quiet()
            if not self.table.ai.moves:
                return
            asked = self.table.ai.moves[-1 - age % len(self.table.ai.moves)]
            before = await self._update()
            response = await self.table.answer_for(asked, pick)
            after = await self._update()
            assert after.session.plies == before.session.plies + int(response.played)
            assert response.head_version == after.version

        self.run(answer())

    @rule(seconds=st.sampled_from([0.2, 1.0, 3.5]))
    def let_time_pass(self, seconds: float) -> None:
        self.run(self.table.pass_s(seconds))

    @rule(number=st.integers(0, 1))
    def hand_a_seat_over_or_take_it_back(self, number: int) -> None:
        async def change() -> None:
            update = await self._update()
            if update.session.state != 2:
                return
            seat, player = update.session.seats[number], self.players[number]
            if seat.kept_for == player.caller.player_id:
                await player.set_seat(self.session, number, "me")
            elif seat.occupant.person.player_id == player.caller.player_id:
                old = player.token(self.session, number)
                await player.set_seat(self.session, number, "easy", by=number)
                with refused("NOT_YOUR_SEAT"):
                    await player.act(self.session, number, notation="x", seat_token=old, expected_version=update.version)

        self.run(change())

    @rule(kind=st.sampled_from(["undo", "pause"]), accept=st.booleans(), number=st.integers(0, 1))
    def ask_and_answer(self, kind: str, accept: bool, number: int) -> None:
        async def propose() -> None:
            update = await self._update()
            asker, other = self.players[number], self.players[1 - number]
            if update.session.seats[number].occupant.person.player_id != asker.caller.player_id:
                return
            what: dict[str, Any] = {"pause": update.session.state == 2}
            if kind == "undo":
                if update.session.state != 2 or not update.session.plies:
                    return
                what = {"undo_to_plies": update.session.plies - 1}
            elif update.session.state not in (2, 3):
                return
            response = await asker.propose(self.session, number, **what)
            if response.proposal_id:
                await other.reply(self.session, 1 - number, response.proposal_id, accept)

        self.run(propose())

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


@pytest.fixture
def store(tmp_path) -> Iterator[None]:
    with running_redis() as url:
        Sessions.redis_url, Sessions.folder = url, str(tmp_path)
        yield


def test_whatever_goes_wrong_nothing_is_lost_or_doubled(store: None) -> None:
    run_state_machine_as_test(
        Sessions,
        settings=settings(
            max_examples=20,
            stateful_step_count=30,
            deadline=None,
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
        ),
    )
