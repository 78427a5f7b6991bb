"""Tables: people who play one game after another, against each other or with a computer player, while a spectator looks on."""

import asyncio
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from brettwerk.v1 import play_pb2, record_pb2, sessions_pb2
from loadtests.chaos.clients import Clients, Metadata, NoAnswer, Refused, new_id
from loadtests.chaos.ledger import Acknowledged, Ledger
from loadtests.chaos.watchers import OVER, Watcher

GAMES = ("einstein", "emperado", "plateau", "wec")
TIMEOUT_S = 90.0
"""How long a call is repeated before the driver gives up."""
LOOK_S = 4.0
"""A client that was not shown its own action for so long looks for itself."""
LINGER_S = 2.0
"""How long after its end a game is still watched."""


@dataclass(frozen=True, slots=True)
class Manner:
    """How tables play."""

    think_s: float = 0.5
    """Mean time a person thinks."""
    max_actions: int = 60
    """After about so many actions of theirs the persons resign, so that games end."""
    with_restless: bool = False
    """Whether beside everybody who watches stands one who begins the watch anew at every event."""


@dataclass(slots=True)
class Seat:
    """A person at a table."""

    number: int
    token: str
    metadata: Metadata
    watcher: Watcher
    actions: int = 0
    tried: sessions_pb2.Update | None = None
    """The picture in which the seat last acted."""


@dataclass(slots=True)
class Sitting:
    """One game at a table."""

    ledger: Ledger
    seats: list[Seat]
    spectator: Watcher
    computers: int
    creator: Metadata
    restless: list[Watcher]
    max_actions: int = 0
    is_gone: bool = False
    """Whether the system does not know the session any more."""
    refusals: list[str] = field(default_factory=list)

    @property
    def watchers(self) -> list[Watcher]:
        """Everybody who watches."""
        return [*(seat.watcher for seat in self.seats), self.spectator, *self.restless]

    async def stop(self) -> None:
        """End all watches."""
        await asyncio.gather(*(watcher.stop() for watcher in self.watchers))


class Table:
    """Plays games until `is_closing` says that it is enough; each goes to `played` when all have seen its end.

    `may_return` says whether an end that was seen at a time may still be taken back by the system.
    """

    def __init__(
        self,
        number: int,
        clients: Clients,
        manner: Manner,
        is_closing: Callable[[], bool],
        may_return: Callable[[float], bool],
        played: Callable[[Sitting], None],
        seed: int,
    ) -> None:
        self.game = GAMES[number % len(GAMES)]
        self.sitting: Sitting | None = None
        self._kind = number // len(GAMES) % 3
        self._name = f"Table {number}"
        self._clients, self._manner, self._is_closing = clients, manner, is_closing
        self._may_return, self._played = may_return, played
        self._dice = random.Random(f"{seed} {number}")
        self._players: list[tuple[str, Metadata]] = []

    async def play_on(self) -> None:
        """Play one game after another."""
        while not self._is_closing():
            try:
                self.sitting = await self._begin()
            except (NoAnswer, Refused) as error:
                self._clients.figures.not_created += 1
                self._clients.figures.note(f"{self._name}: not created: {error}")
                await asyncio.sleep(1)
                continue
            sitting = self.sitting
            await asyncio.gather(*(self._play(sitting, seat) for seat in sitting.seats))
            await self._linger(sitting)
            self._played(sitting)

    async def _begin(self) -> Sitting:
        """Create a session and take its seats. Raises NoAnswer, Refused."""
        while len(self._players) < 2:
            self._players.append(await self._clients.enter(f"{self._name} {'AB'[len(self._players)]}", TIMEOUT_S))
        (_, first), (_, second) = self._players
        open_seat, computer = play_pb2.SeatWish(open=True), play_pb2.SeatWish(computer=record_pb2.Computer(level="easy"))
        others = [[open_seat], [computer], [open_seat, computer] if self.game in ("emperado", "plateau") else [computer]]
        wishes = [play_pb2.SeatWish(me=True), *others[self._kind]]
        request = play_pb2.CreateSessionRequest(game=self.game, seats=wishes, competitive=True, request_id=new_id())
        stub = self._clients.stub()
        created = await self._clients.ask(stub.CreateSession, request, first, within_s=TIMEOUT_S)
        # In its competitive games what is hidden does not count before the end (WEC-MODE-2).
        ledger = Ledger(created.session.id, self.game, time.monotonic(), hides=self.game == "wec")
        taken = [(created.grants[0], first)]
        if open_seat in wishes:
            join = play_pb2.JoinSessionRequest(session_id=ledger.session_id, seat=1, request_id=new_id())
            joined = await self._clients.ask(stub.JoinSession, join, second, within_s=TIMEOUT_S)
            taken.append((joined.grant, second))
        ledger.persons = frozenset(grant.seat for grant, _ in taken)
        seats = []
        for grant, metadata in taken:
            watcher = Watcher(self._clients, ledger, metadata, grant.seat, grant.seat_token)
            seats.append(Seat(grant.seat, grant.seat_token, metadata, watcher))
        restless = []
        if self._manner.with_restless:
            of = [(seat.metadata, seat.number, seat.token) for seat in seats] + [((), -1, "")]
            restless = [Watcher(self._clients, ledger, *one, is_restless=True) for one in of]
        most = self._dice.randint(self._manner.max_actions // 2, self._manner.max_actions)
        computers = sum(wish.HasField("computer") for wish in wishes)
        return Sitting(ledger, seats, Watcher(self._clients, ledger, ()), computers, first, restless, most)

    async def _play(self, sitting: Sitting, seat: Seat) -> None:
        """Play a seat until the session is over, and stays so."""
        over_since = 0.0
        while not seat.watcher.ended and not sitting.is_gone:
            if seat.watcher.has_lost_seat and not seat.watcher.is_over:
                await self._join_again(sitting, seat)
            if seat.watcher.is_over:
                over_since = over_since or time.monotonic()
                if time.monotonic() - over_since > LINGER_S and not self._may_return(over_since):
                    return
                await seat.watcher.changed(lambda: not seat.watcher.is_over, 0.5)
                continue
            over_since = 0.0
            try:
                if self._is_closing() or seat.actions >= sitting.max_actions:
                    await self._resign(sitting, seat)
                elif not await seat.watcher.changed(
                    lambda: _can_act(seat.watcher) or seat.watcher.is_over or self._is_closing(), 1.0
                ):
                    continue
                elif _can_act(seat.watcher) and not self._is_closing():
                    await self._act(sitting, seat)
            except NoAnswer as error:  # and on it goes: others may have more luck
                self._clients.figures.add("gave_up", f"{sitting.ledger.session_id} ({self.game}): {error}")
            except Refused as refused:
                sitting.refusals.append(str(refused))
                if refused.reason == "REASON_UNKNOWN":
                    sitting.is_gone = True
                    return
                await self._await_news(sitting, seat, LOOK_S)

    async def _act(self, sitting: Sitting, seat: Seat) -> None:
        await asyncio.sleep(self._manner.think_s * self._dice.uniform(0.2, 1.8))
        update = seat.watcher.newest
        if update is None or not update.actions:
            return
        seat.tried = update
        choice = self._dice.choice(update.actions)
        request = play_pb2.ActRequest(
            session_id=update.session_id,
            seat_token=seat.token,
            expected_version=update.version,
            action=choice.action,
            request_id=new_id(),
        )
        sitting.ledger.unanswered += 1
        sent = time.monotonic()
        try:
            answer = await self._clients.ask(self._clients.stub().Act, request, seat.metadata, within_s=TIMEOUT_S)
        except Refused:
            sitting.ledger.unanswered -= 1
            raise
        now = time.monotonic()
        sitting.ledger.unanswered -= 1
        sitting.ledger.acknowledged.append(
            Acknowledged(answer.version, seat.number, choice.action.SerializeToString(), sent, now)
        )
        sitting.ledger.notice(answer.version, now)
        seat.actions += 1
        await self._await_news(sitting, seat, LOOK_S)

    async def _await_news(self, sitting: Sitting, seat: Seat, within_s: float) -> None:
        """Return when the seat was shown something newer; look for it where that takes long."""
        watcher, before = seat.watcher, seat.tried
        while not await watcher.changed(lambda: watcher.newest is not before or bool(watcher.ended), within_s):
            request = play_pb2.GetSessionRequest(session_id=sitting.ledger.session_id, seat_token=seat.token)
            looked = await self._clients.ask(self._clients.stub().GetSession, request, seat.metadata, within_s=TIMEOUT_S)
            watcher.show(looked.update)  # newer; or the same again: then what was acknowledged is lost

    async def _join_again(self, sitting: Sitting, seat: Seat) -> None:
        """Take the seat anew whose taking the store has lost."""
        seat.watcher.has_lost_seat = False
        join = play_pb2.JoinSessionRequest(session_id=sitting.ledger.session_id, seat=seat.number, request_id=new_id())
        try:
            joined = await self._clients.ask(self._clients.stub().JoinSession, join, seat.metadata, within_s=TIMEOUT_S)
        except (Refused, NoAnswer) as error:
            self._clients.figures.note(f"{sitting.ledger.session_id}: seat {seat.number} could not be taken again: {error}")
            return
        await seat.watcher.stop()
        seat.watcher.watched.left_early = True
        seat.token, seat.tried = joined.grant.seat_token, None
        seat.watcher = Watcher(self._clients, sitting.ledger, seat.metadata, seat.number, seat.token)

    async def _resign(self, sitting: Sitting, seat: Seat) -> None:
        """Give the game up; the creator ends what computer players would play on for long."""
        watcher = seat.watcher
        if seat.actions >= 0:
            seat.actions = max(seat.actions, sitting.max_actions)
            request = play_pb2.ResignRequest(session_id=sitting.ledger.session_id, seat_token=seat.token, request_id=new_id())
            try:
                await self._clients.ask(self._clients.stub().Resign, request, seat.metadata, within_s=TIMEOUT_S)
            except Refused as refused:
                sitting.refusals.append(str(refused))
        if await watcher.changed(lambda: watcher.is_over or bool(watcher.ended), 5):
            return
        if seat is sitting.seats[0]:
            close = play_pb2.CloseSessionRequest(session_id=sitting.ledger.session_id, seat_token=seat.token, request_id=new_id())
            await self._clients.ask(self._clients.stub().CloseSession, close, seat.metadata, within_s=TIMEOUT_S)
            await watcher.changed(lambda: watcher.is_over or bool(watcher.ended), 5)

    async def _linger(self, sitting: Sitting) -> None:
        """Let everybody who watches see the end, and end the watches."""
        if not sitting.is_gone:
            head = max(seat.watcher.watched.last for seat in sitting.seats)
            for one in (sitting.spectator, *sitting.restless):
                await one.changed(lambda one=one: one.is_over and one.watched.last >= head, 30)  # type: ignore[misc]
        await sitting.stop()


def _can_act(watcher: Watcher) -> bool:
    return watcher.newest is not None and bool(watcher.newest.actions) and watcher.newest.session.state not in OVER
