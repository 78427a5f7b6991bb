"""A machine of hypothesis: seats that are left, offered, asked for, agreed to, refused and taken, while processes are killed.

Whatever happens, a seat has one owner, and nobody has two; a token is good for the seat of its owner alone; nobody gets a seat to
whom somebody has said no; and the state is what the log says.
"""

from pathlib import Path

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, rule

from services.session.domain.substitutes import SLOW_MS
from tests.services.session.player import Player
from tests.services.session.substitutes import answer, ask, leave, three
from tests.services.session.table_machine import TableMachine, check_machine

SEATS = 3
OTHERS = ("Dora", "Eva", "Fritz", "Gina", "Hugo")
NAMES = ("Anna", "Ben", "Cleo", *OTHERS)


class Substitutes(TableMachine):
    """One game of three with a slow clock; players are named by their number."""

    async def _open(self) -> None:
        await super()._open()
        self.refused: set[tuple[int, str]] = set()
        """The seats, and players to whom somebody has said no there."""
        self.left: dict[str, set[int]] = {}
        """The seats that players have had and left."""

    @initialize()
    def begin(self) -> None:
        async def sit() -> None:
            *people, self.session = await three(self.table)
            known = {player.caller.name: player for player in people}
            self.players = [known.get(name) or self.table.player(name) for name in NAMES]

        self.run(sit())

    def _seat_of(self, player: Player) -> int | None:
        state = self.run(self._state())
        return next((n for n, seat in enumerate(state.seats) if seat.player_id == player.caller.player_id), None)

    @rule(number=st.integers(0, len(NAMES) - 1))
    def a_player_leaves(self, number: int) -> None:
        player = self.players[number]
        seat = self._seat_of(player)
        if seat is None or (self.session, seat) not in player.tokens or len(self.run(self._state()).persons()) == 1:
            return  # a table that its last person leaves is closed
        if self._attempt(leave(player, self.session, seat)):
            self.left.setdefault(player.caller.player_id, set()).add(seat)

    @rule(number=st.integers(0, len(NAMES) - 1), seat=st.integers(0, SEATS - 1))
    def somebody_asks(self, number: int, seat: int) -> None:
        state, player = self.run(self._state()), self.players[number]
        done = self._attempt(ask(player, self.session, seat))
        if done:
            held = state.seats[seat].player_id == player.caller.player_id
            assert held or player.caller.player_id not in {*state.players, *state.gone}
            assert held or (seat, player.caller.player_id) not in self.refused

    @rule(number=st.integers(0, len(NAMES) - 1), seat=st.integers(0, SEATS - 1))
    def somebody_withdraws(self, number: int, seat: int) -> None:
        self._attempt(ask(self.players[number], self.session, seat, withdraw=True))

    @rule(number=st.integers(0, len(NAMES) - 1), seat=st.integers(0, SEATS - 1), accept=st.booleans())
    def a_player_answers(self, number: int, seat: int, accept: bool) -> None:
        player = self.players[number]
        own = self._seat_of(player)
        if own is None or (self.session, own) not in player.tokens:
            return
        offers = {offer.seat: offer for offer in self.run(self._state()).offers}
        if self._attempt(answer(player, self.session, own, seat, accept=accept)) and not accept:
            asker = offers[seat].asker
            assert asker is not None
            self.refused.add((seat, asker.player_id))

    @rule(number=st.integers(0, len(NAMES) - 1))
    def an_owner_comes_for_the_token(self, number: int) -> None:
        player = self.players[number]
        seat = self._seat_of(player)
        if seat is not None:
            assert self.run(player.join(self.session, seat)) == seat

    @rule(number=st.integers(0, len(NAMES) - 1), seat=st.integers(0, SEATS - 1))
    def a_stranger_gets_no_token(self, number: int, seat: int) -> None:
        player = self.players[number]
        if self.run(self._state()).seats[seat].player_id != player.caller.player_id:
            assert not self._attempt(player.join(self.session, seat))

    @rule(share=st.sampled_from([0.3, 1.0]), of=st.sampled_from(SLOW_MS))
    def time_passes(self, share: float, of: int) -> None:
        async def go_by() -> None:
            self.table.clock.pass_s(share * of / 1000)
            await self.table.sweep()

        self.run(go_by())

    @rule(number=st.integers(0, 1))
    def a_process_is_killed(self, number: int) -> None:
        before = self.run(self._state())
        self.run(self.table.kill(number))
        after = self.run(self._state())
        assert after.version >= before.version
        assert after.gone[: len(before.gone)] == before.gone

    @invariant()
    def a_seat_has_one_owner_and_nobody_two(self) -> None:
        async def look() -> None:
            if not hasattr(self, "session"):
                return
            state = await self._state()
            owners = [seat.player_id for seat in state.seats if seat.player_id]
            assert len(owners) == len(set(owners))
            assert not set(owners) & set(state.gone)
            for number, seat in enumerate(state.seats):
                assert (number, seat.player_id) not in self.refused
                offers = [offer for offer in state.offers if offer.seat == number]
                assert len(offers) <= (1 if seat.is_computer else 0)
                for player in self.players:
                    token = player.tokens.get((self.session, number))
                    if token is not None and state.seat_of_token(token) is not None:
                        assert seat.player_id == player.caller.player_id
            for offer in state.offers:
                assert all(state.seats[seat].is_person for seat in offer.waiting)
                assert offer.asker is None or offer.asker.player_id not in {*owners, *state.gone}

        self.run(look())


def test_a_seat_never_has_two_owners_whatever_is_asked_and_killed(
    redis_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check_machine(Substitutes, redis_url, tmp_path, monkeypatch, steps=25)
