"""A game of EMPERADO that six people play over weeks, at a real session service: who is told what, and how often.

Both services read the test's clock. What the session service has to tell is handed to the players service here; that it gets
there by gRPC is proved in tests/services/session/app/background/test_news_sender.py.
"""

import random
from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime
from zoneinfo import ZoneInfo

import pytest

from brettwerk.internal.v1 import players_pb2
from brettwerk.v1 import record_pb2, sessions_pb2
from services.players.calls import Caller
from services.session.store import store
from tests.push_endpoint import Browser
from tests.services.players.notifications.place import HOUR, MINUTE, Place
from tests.services.session.conftest import redis_url, rules_address, table
from tests.services.session.emperado import choose
from tests.services.session.player import Player
from tests.services.session.table import Table

__all__ = ["redis_url", "rules_address", "table"]
DAY = 24 * HOUR
WEEKS = 3
CLOCK = record_pb2.ClockSpec(kind=record_pb2.ClockSpec.KIND_PER_TURN, time_ms=2 * DAY)
BERLIN = ZoneInfo("Europe/Berlin")
NIGHT = (22 * 60, 7 * 60)


@dataclass
class Habit:
    """How somebody plays: how long they take for a turn, and what they are told by."""

    name: str
    takes_ms: tuple[int, int]
    has_device: bool = False
    has_mail: bool = False
    sleeps: bool = False
    sits: Player | None = None
    browser: Browser | None = None
    turns: list[tuple[int, int]] = field(default_factory=list)
    """When each of their turns began and ended."""

    @property
    def caller(self) -> Caller:
        return Caller(f"p-{self.name.lower()}", self.name, "192.0.2.1")

    @property
    def address(self) -> str:
        return f"{self.name.lower()}@example.org"


HABITS = (
    # who is there in time for no mail, who is not, who reads mail alone, who sleeps, who has nothing, who stays away for good
    Habit("Quick", (2 * MINUTE, 12 * MINUTE), has_device=True, has_mail=True),
    Habit("Daily", (8 * HOUR, 30 * HOUR), has_device=True, has_mail=True),
    Habit("Mailed", (2 * HOUR, 20 * HOUR), has_mail=True),
    Habit("Asleep", (10 * HOUR, 26 * HOUR), has_device=True, has_mail=True, sleeps=True),
    Habit("Silent", (1 * HOUR, 10 * HOUR)),
    Habit("Absent", (60 * DAY, 61 * DAY), has_device=True),
)


def is_night(at_ms: int) -> bool:
    local = datetime.fromtimestamp(at_ms / 1000, BERLIN)
    minute = local.hour * 60 + local.minute
    return minute >= NIGHT[0] or minute < NIGHT[1]


def wakes_ms(at_ms: int) -> int:
    """Return the next minute after `at_ms` that is not at night, by trying each of them."""
    while is_night(at_ms):
        at_ms += MINUTE - at_ms % MINUTE
    return at_ms


class SlowGame:
    """The game, the players, and the time that passes."""

    def __init__(self, table: Table, place: Place) -> None:
        self._table, self._place = table, place
        self._random = random.Random(7)
        self._session = ""
        self.begun_ms = table.clock.now_ms
        self.sent_at: dict[str, list[int]] = {habit.name: [] for habit in HABITS}
        """When each player's device or mailbox got something."""

    async def set_up(self) -> None:
        """Have everybody at the table, and told as they like."""
        self._place.now_ms = self._table.clock.now_ms
        for habit in HABITS:
            habit.sits, habit.turns = self._table.player(habit.name), []
            zone = "Europe/Berlin" if habit.sleeps else ""
            if habit.has_device:
                habit.browser = await self._place.add_device(habit.name, habit.caller, zone=zone)
            if habit.has_mail:
                await self._place.switch_mail_on(habit.address, habit.caller)
            if habit.sleeps:
                quiet = {"quiet_from": NIGHT[0], "quiet_until": NIGHT[1]}
                await self._place.set(habit.caller, time_zone=zone, language="en", **quiet)
        first, *others = (habit.sits for habit in HABITS if habit.sits)
        seats = ["me", *["open"] * len(others)]
        self._session = (await first.create(*seats, game="emperado", clock=CLOCK, title="All summer")).id
        for other in others:
            await other.join(self._session)
        await self._hand_on()
        await self._let_pass(self.begun_ms + 20 * MINUTE)
        self._forget()  # that a mailbox is theirs, who sat down, and the first turn

    async def play(self, weeks: int) -> None:
        """Let weeks go by, minute by minute where something may happen."""
        seat, since = -1, 0
        acts_ms = 0
        end = self.begun_ms + weeks * 7 * DAY
        while self._place.now_ms < end:
            update = await self._see()
            now_ms = self._place.now_ms
            if update.to_act[0] != seat:
                if since > self.begun_ms + 20 * MINUTE:  # of the first turn they were told before
                    HABITS[seat].turns.append((since, now_ms))
                seat, since = update.to_act[0], now_ms
                acts_ms = now_ms + self._random.randint(*HABITS[seat].takes_ms)
            if now_ms >= acts_ms:
                await self._take_turn(seat)
                continue
            await self._let_pass(min(end, acts_ms, self._next_look(since, now_ms)))
        HABITS[seat].turns.append((since, -1))

    async def finish(self) -> None:
        """Have all but one give up."""
        for number, habit in enumerate(HABITS[:-1]):
            assert habit.sits is not None
            await habit.sits.resign(self._session, number)
        await self._hand_on()
        await self._let_pass(self._place.now_ms + DAY)

    def _next_look(self, since: int, now_ms: int) -> int:
        """Return when something may come due next: a mail, the end of a night, the end of the time."""
        moments = (since + 15 * MINUTE, since + 16 * MINUTE, wakes_ms(now_ms), since + 2 * DAY, now_ms - now_ms % HOUR + HOUR)
        return min(moment for moment in moments if moment > now_ms)

    async def _take_turn(self, seat: int) -> None:
        player = HABITS[seat].sits
        assert player is not None
        while (await self._see()).to_act[0] == seat:
            await choose(player, self._session, seat)
            await self._hand_on()

    async def _see(self) -> sessions_pb2.Update:
        assert HABITS[0].sits is not None
        return await HABITS[0].sits.see(self._session)

    async def _let_pass(self, until_ms: int) -> None:
        self._table.clock.now_ms = self._place.now_ms = until_ms
        await self._table.sweep()
        await self._hand_on()

    async def _hand_on(self) -> None:
        """Bring what the session service has to tell to the players service, and have it delivered."""
        waiting = self._table.wiring.news_sender._waiting
        notes = [one for one in waiting if isinstance(one, players_pb2.NotedNews)]
        handled = [one for one in waiting if isinstance(one, players_pb2.HandledNews)]
        waiting.clear()
        if notes or handled:
            await self._place.following.note(players_pb2.NoteNewsRequest(notes=notes, handled=handled))
        before = Counter({habit.name: self._came(habit) for habit in HABITS})
        await self._place.deliver()
        for habit in HABITS:
            self.sent_at[habit.name] += [self._place.now_ms] * (self._came(habit) - before[habit.name])

    def pushes(self, habit: Habit) -> int:
        return 0 if habit.browser is None else len(self._place.endpoint.messages(habit.browser))

    def mails(self, habit: Habit) -> list[str]:
        return [mail["Subject"] for mail in self._place.mails.to(habit.address)]

    def _came(self, habit: Habit) -> int:
        return self.pushes(habit) + len(self.mails(habit))

    def _forget(self) -> None:
        self._place.mails.mails.clear()
        self._place.endpoint.received.clear()
        for sent in self.sent_at.values():
            sent.clear()


def notified(habit: Habit, wait_ms: int, times: list[tuple[int, int]]) -> int:
    """Return how many turns last until they are told, when that is `wait_ms` after they begin, and not at night for a sleeper."""
    due = [(wakes_ms(began + wait_ms) if habit.sleeps else began + wait_ms, ended) for began, ended in times]
    return sum(ended < 0 or due_ms < ended for due_ms, ended in due)


@pytest.mark.nightly
@pytest.mark.timeout(300)
async def test_of_a_game_over_weeks_everybody_is_told_each_turn_once_by_each_way_they_have(
    table: Table, place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "OUTAGE_MS", DAY)  # the test skips moments at which nothing happens; that is no outage
    game = SlowGame(table, place)
    await game.set_up()
    await game.play(WEEKS)
    for habit in HABITS:
        assert len(habit.turns) >= 4, habit.name
        assert game.pushes(habit) == (notified(habit, 0, habit.turns) if habit.has_device else 0), habit.name
        assert len(game.mails(habit)) == (notified(habit, 15 * MINUTE, habit.turns) if habit.has_mail else 0), habit.name
        assert all(subject == "All summer: It is your turn." for subject in game.mails(habit))
    quick, daily, _, asleep, silent, absent = HABITS
    assert game.pushes(quick) == len(quick.turns) and game.mails(quick) == [], "who is quick gets no mail"
    assert not any(is_night(at_ms) for at_ms in game.sent_at[asleep.name])
    assert any(is_night(at_ms) for at_ms in game.sent_at[daily.name]), "others are told at night, too"
    assert game.sent_at[silent.name] == []
    assert all(ended - began == 2 * DAY for began, ended in absent.turns if ended > 0), "time plays for who stays away"
    before = {habit.name: (game.pushes(habit), len(game.mails(habit))) for habit in HABITS}
    await game.finish()
    for habit in HABITS:
        new = (game.pushes(habit) - before[habit.name][0], len(game.mails(habit)) - before[habit.name][1])
        assert new == (int(habit.has_device), int(habit.has_mail)), habit.name
