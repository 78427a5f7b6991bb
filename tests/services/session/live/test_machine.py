"""Two players, two processes on one store, a watcher, and everything that goes wrong between them.

Hypothesis plays: actions, repeats of old requests, stale and simultaneous writers, answers that get lost on the way, late
computer players, seats that change hands, proposals, restarts. Whatever it does, no acknowledged action is lost or doubled,
versions have no gaps, one token is good for each seat that a person holds, and every watcher ends with the same bytes.
"""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import rule, run_state_machine_as_test

from brettwerk.v1 import errors_pb2, play_pb2, sessions_pb2
from services.runtime.refusal import Refused
from tests.night import examples
from tests.redis_server import running_redis
from tests.services.session.domain.commands.test_proposals import options
from tests.services.session.machine import Sessions
from tests.services.session.player import request_id
from tests.services.session.refusing import refused

EXPECTED = {
    errors_pb2.REASON_STALE_VERSION,
    errors_pb2.REASON_NOT_YOUR_TURN,
    errors_pb2.REASON_GAME_OVER,
    errors_pb2.REASON_NOT_RUNNING,
    errors_pb2.REASON_ILLEGAL,
}
"""Reasons for which an action may be refused here."""


class Troubled(Sessions):
    """Everything that players, computers and processes may do, at any time."""

    @rule(pick=st.integers(0, 20), wiring=st.integers(0, 1))
    def act(self, pick: int, wiring: int) -> None:
        async def play() -> None:
            turn = await self._turn()
            if turn:
                player, seat = turn
                player.wiring = wiring
                request = await player.act_request(self.session, seat, pick)
                self._check_answer(player, request, await player.ask(act=request))

        self.run(play())

    @rule(age=st.integers(0, 20), wiring=st.integers(0, 1))
    def repeat_an_old_request(self, age: int, wiring: int) -> None:
        async def again() -> None:
            if not self.answered:
                return
            player, request, answer = self.answered[-1 - age % len(self.answered)]
            player.wiring = wiring
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
                    answer = (await self.table.carry_out(self.table.processes[number % 2], call, player.caller)).act
                except Refused as error:
                    if error.reason not in EXPECTED:
                        raise
                    return False
                self._check_answer(player, request, answer)
                return True

            done = await asyncio.gather(*(ask(n, request) for n, request in enumerate(requests)))
            assert sum(done) == 1

        self.run(race())

    @rule(pick=st.integers(0, 20), timeouts=st.integers(0, 60), restart=st.booleans())
    def lose_an_answer(self, pick: int, timeouts: int, restart: bool) -> None:
        async def lose() -> None:
            turn = await self._turn()
            if not turn:
                return
            player, seat = turn
            player.wiring = 0
            request = await player.act_request(self.session, seat, pick)
            before = (await self._update()).session.plies
            task = asyncio.create_task(player.ask(act=request))
            for _ in range(timeouts):
                await asyncio.sleep(0)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
            if restart:
                await self._restart()
            self._check_answer(player, request, await player.ask(act=request))
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
                self._check_answer(player, request, await player.ask(act=request))
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

    @rule(
        what=st.sampled_from(["wish", "ask", "leave", "begin", "both begin"]),
        number=st.integers(0, 1),
        wished=st.sampled_from([None, 0, 1]),
        accept=st.booleans(),
        restart=st.booleans(),
    )
    def settle(self, what: str, number: int, wished: int | None, accept: bool, restart: bool) -> None:
        async def change() -> None:
            update = await self._update()
            who, other = self.players[number], self.players[1 - number]
            if update.session.state != sessions_pb2.Session.STATE_SETTLING:
                if update.session.state == sessions_pb2.Session.STATE_WAITING:
                    await self._sit_down(update)
                return
            if update.session.seats[number].occupant.person.player_id != who.caller.player_id:
                return
            match what:
                case "wish":
                    await who.wish_seat(self.session, number, wished)
                case "ask" if all(proposal.seat != number for proposal in update.session.proposals):
                    asked = await who.propose(self.session, number, options=options(show_roll=accept))
                    if asked.proposal_id:
                        await other.reply(self.session, 1 - number, asked.proposal_id, accept)
                case "leave" if len({seat.occupant.person.player_id for seat in update.session.seats} - {""}) == 2:
                    token = who.token(self.session, number)
                    leave = play_pb2.LeaveSessionRequest(session_id=self.session, seat_token=token, request_id=request_id())
                    await who.ask(leave_session=leave)
                    del who.tokens[self.session, number]
                case "begin" | "both begin" if not update.session.proposals:
                    await self._begin(number, update, both=what == "both begin", restart=restart)

        self.run(change())

    async def _sit_down(self, update: Any) -> None:
        open_seat = next(n for n, seat in enumerate(update.session.seats) if not seat.HasField("occupant"))
        there = {seat.occupant.person.player_id for seat in update.session.seats}
        comer = next(player for player in self.players if player.caller.player_id not in there)
        assert await comer.join(self.session) == open_seat

    async def _begin(self, number: int, update: Any, *, both: bool, restart: bool) -> None:
        """Say "begin" once or from two processes, lose the answer, and ask again: the game begins once."""
        seats = [n for n, seat in enumerate(update.session.seats) if seat.occupant.HasField("person")]
        requests = [
            (
                self.players[seat],
                play_pb2.BeginGameRequest(
                    session_id=self.session,
                    seat_token=self.players[seat].token(self.session, seat),
                    expected_version=update.version,
                    request_id=request_id(),
                ),
            )
            for seat in (seats if both else [number])
        ]
        calls = [
            self.table.carry_out(self.table.processes[n % 2], play_pb2.Call(begin_game=request), player.caller)
            for n, (player, request) in enumerate(requests)
        ]
        results = await asyncio.gather(*calls, return_exceptions=True)
        answers = [result for result in results if not isinstance(result, BaseException)]
        assert len(answers) == 1, results
        if restart:
            await self._restart()
        player, request = requests[results.index(answers[0])]
        player.wiring = 0
        assert await player.ask(begin_game=request) == answers[0].begin_game
        for player in self.players:
            await player.find_seats(self.session)
        begun = [entry for entry in await self.table.wiring.rebuilds.entries(self.session) if entry.HasField("started")]
        assert len(begun) == 1


@pytest.fixture
def store(tmp_path) -> Iterator[None]:
    with running_redis() as url:
        Sessions.redis_url, Sessions.folder = url, str(tmp_path)
        yield


def test_acknowledged_changes_are_kept_once_whatever_goes_wrong(store: None) -> None:
    run_state_machine_as_test(
        Troubled,
        settings=settings(
            max_examples=examples(20),
            stateful_step_count=30,
            deadline=None,
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
        ),
    )
