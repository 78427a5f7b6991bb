"""A machine of hypothesis: an arbiter rules, players act, propose and take back, and processes are killed.

Whatever happens, players do not act while the arbiter has stopped the game, nothing is taken back past a ruling that decides it,
the state is what the log says, and a check finds the record good.
"""

from pathlib import Path

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, rule

from brettwerk.v1 import record_pb2
from services.session.domain.state import FINISHED, PAUSED, State
from tests.services.session import arbiters
from tests.services.session.app.saving import check
from tests.services.session.table_machine import TableMachine, check_machine

SEATS = 3


class Arbitration(TableMachine):
    """One casual game of three with a clock, and its arbiter."""

    async def _open(self) -> None:
        await super()._open()
        self.floor = 0
        """The plies that a ruling has settled for good."""

    async def _close(self) -> None:
        if not (await self._state()).is_over:
            await arbiters.rule(self.ruth, self.session, "The end", ranking=record_pb2.Ranking(seats=[1, 0, 2]))
        checked = await check(self.ruth, await self.ruth.export(self.session))
        assert checked.good, checked.fault
        await super()._close()

    @initialize()
    def begin(self) -> None:
        async def sit() -> None:
            self.ruth, self.people, self.session = await arbiters.judged(self.table, SEATS, game="emperado")

        self.run(sit())

    @rule(pause=st.booleans())
    def the_arbiter_stops_or_restarts(self, pause: bool) -> None:
        self._attempt(arbiters.rule(self.ruth, self.session, pause=pause))

    @rule(seat=st.integers(0, SEATS), minutes=st.integers(0, 90))
    def the_arbiter_gives_time(self, seat: int, minutes: int) -> None:
        before = self.run(self._state())
        if self._attempt(arbiters.rule(self.ruth, self.session, given_time=arbiters.time(seat, minutes * 60_000))):
            after = self.run(self._state())
            assert after.seats[seat].left_ms == before.seats[seat].left_ms + minutes * 60_000

    @rule(seat=st.integers(0, SEATS))
    def a_seat_forfeits(self, seat: int) -> None:
        if self._attempt(arbiters.rule(self.ruth, self.session, "Cheating", forfeited_seat=seat)):
            self.floor = self.run(self._state()).ply_count

    @rule(seat=st.integers(0, SEATS - 1))
    def a_player_rules_in_vain(self, seat: int) -> None:
        assert not self._attempt(arbiters.rule(self.people[seat], self.session, forfeited_seat=(seat + 1) % SEATS))

    @rule(pick=st.integers(0, 30))
    def a_player_acts(self, pick: int) -> None:
        state = self.run(self._state())
        if state.is_over or not state.to_act:
            return
        seat = state.to_act[0]

        async def act() -> None:
            update = await self.people[seat].see(self.session, seat)
            if update.actions:
                await self.people[seat].act(self.session, seat, pick)

        if self._attempt(act()) and state.status == PAUSED:
            assert self.run(self._state()).version == state.version

    @rule(seat=st.integers(0, SEATS - 1), pause=st.booleans())
    def players_agree_to_pause_or_go_on(self, seat: int, pause: bool) -> None:
        halted = self.run(self._state()).halt is not None
        done = self._attempt(self.people[seat].propose(self.session, seat, pause=pause))
        assert not (done and halted)
        self._agree()

    @rule(seat=st.integers(0, SEATS - 1), plies=st.integers(0, 9))
    def players_agree_to_take_back(self, seat: int, plies: int) -> None:
        self._attempt(self.people[seat].propose(self.session, seat, undo_to_plies=plies))
        self._agree()

    def _agree(self) -> None:
        for proposal in self.run(self._state()).proposals:
            for seat in proposal.waiting:
                self._attempt(self.people[seat].reply(self.session, seat, proposal.id, True))

    @rule(number=st.integers(0, 1))
    def a_process_is_killed(self, number: int) -> None:
        before = self.run(self._state())
        self.run(self.table.kill(number))
        assert self.run(self._state()) == before

    @invariant()
    def a_ruling_holds(self) -> None:
        async def look() -> None:
            if not hasattr(self, "session"):
                return
            state = await self._state()
            assert state.ply_count >= self.floor
            assert not state.forfeits
            if state.halt is not None:
                assert state.status in (PAUSED, FINISHED)
            assert State.decode(state.encode()) == state

        self.run(look())


def test_rulings_hold_while_players_go_on_and_processes_are_killed(
    redis_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_machine(Arbitration, redis_url, tmp_path, monkeypatch, steps=20)
