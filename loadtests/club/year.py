"""The course of the simulation: people join the club and say how they want to be told; then step by step time passes.

In each step the clock jumps, those who look at their games now do so, and what is due is delivered.
"""

import asyncio
import random
import time
from collections.abc import Coroutine, Iterable, Sequence
from dataclasses import asdict, dataclass, field

import grpc

from brettwerk.v1 import clubs_pb2, notifications_pb2, play_pb2, webhooks_pb2
from brettwerk.v1 import tournaments_pb2 as pb
from loadtests.club import disk, judge, truth
from loadtests.club.bell import Bell
from loadtests.club.clock import Clock
from loadtests.club.competitions import Competitions
from loadtests.club.judge import DAY_MS, HOUR_MS, MINUTE_MS, Verdict, Wishes
from loadtests.club.people import Person, members
from loadtests.club.receivers import Receivers
from loadtests.club.rest import Rest
from loadtests.club.server import Server
from loadtests.club.visits import Visits
from loadtests.run import Say

MAILS_A_DAY = 25
"""Addresses that are confirmed in a day: a server sends 30 such mails a day to those of one network address."""
_AT_ONCE = 12
"""Visits at a time."""
_CLAIM_MS = 61_000
"""After so long others take what the players service had taken to deliver."""
_LAST_S = 2.0
"""So long what tournaments bring on may take at the end."""
_KILLED_OF = 8
"""In one of so many substitutions the players service is killed."""
LEAVERS = 3


@dataclass(frozen=True, slots=True)
class Plan:
    """The club and the span of a simulation."""

    people: int
    days: int
    pace_h: float
    """How often somebody looks at their games, in hours."""
    step_h: float
    """How far the clock jumps, on average."""
    substitutions: int
    evening_games: float
    """Games a day that two play at once, both of them there."""
    seed: int
    minutes: float = 0
    """After how many minutes it ends early; 0 for never."""


@dataclass(slots=True)
class Outcome:
    """The result."""

    days: int = 0
    """How many have passed."""
    feeds: Verdict = field(default_factory=Verdict)
    """Of the news themselves, by what people saw."""
    ways: dict[str, Verdict] = field(default_factory=dict)
    """Of what came by each way."""
    news: dict[str, int] = field(default_factory=dict)
    kills: list[str] = field(default_factory=list)
    broken: str = ""
    """Why it went no further; empty where it came to its end."""
    unfinished: list[str] = field(default_factory=list)
    """Tournaments that are not over."""
    games_twice: Sequence[str] = ()
    visits: int = 0
    actions: int = 0
    nudges: int = 0
    asked: int = 0
    substitutes: int = 0
    games: int = 0
    leavers: int = 0
    retries: int = 0
    refusals: dict[str, int] = field(default_factory=dict)
    began: disk.OnDisk | None = None
    ended: disk.OnDisk | None = None
    rewritten: int = 0
    """Bytes of the append-only file once it was rewritten."""
    peak: int = 0
    evidence: list[dict[str, object]] = field(default_factory=list)
    """Of each person: their wishes, their feed, when they saw to what, and what came."""
    killed_ms: Sequence[int] = ()
    sizes: list[tuple[int, disk.OnDisk]] = field(default_factory=list)
    """At the end of each day."""

    @property
    def faults(self) -> int:
        """How many findings there are."""
        return self.feeds.faults + sum(one.faults for one in self.ways.values()) + len(self.games_twice) + bool(self.broken)


class Year:
    """The simulation."""

    def __init__(self, server: Server, clock: Clock, receivers: Receivers, plan: Plan, say: Say) -> None:
        self._server, self._clock, self._receivers, self._plan, self._say = server, clock, receivers, plan, say
        self._dice = random.Random(plan.seed)
        self._visits = Visits(server, clock, self._dice)
        self._kills_ms: list[int] = []
        self._killing: list[asyncio.Task[None]] = []
        self._pid = server.deployment.pids().get("players", 0)
        self._outcome = Outcome()
        self.people = members(plan.people, plan.days, plan.pace_h, clock.now_ms() + 8 * DAY_MS, self._dice)
        self._bell = Bell(server, self._visits, members(2, plan.days, plan.pace_h, clock.now_ms(), self._dice))
        self._rest = Rest(server, clock, receivers, self._bell)

    async def run(self) -> Outcome:
        """Let the time pass; return what came of it."""
        club_id = await self._found()
        competitions = Competitions(self._server, self._clock, self.people[0], club_id)
        competitions.plan(self.people, self._plan.days, self._plan.substitutions, self._dice)
        data = self._server.deployment.data
        disk.checkpoint(data)
        self._outcome.began = disk.OnDisk.of(data)
        try:
            await self._live(competitions)
        except (grpc.aio.AioRpcError, RuntimeError) as error:
            # Messages are judged as far as it went; it is a fault not to come to the end.
            self._outcome.broken = repr(error)
        await self._end(competitions)
        return self._outcome

    async def _live(self, competitions: Competitions) -> None:
        """Let the days pass, step by step. Raises grpc.aio.AioRpcError, and RuntimeError when what is due is not delivered."""
        data, begins_ms = self._server.deployment.data, self._clock.now_ms()
        ends_ms = begins_ms + self._plan.days * DAY_MS
        leave_ms = begins_ms + round(0.4 * self._plan.days * DAY_MS)
        for person in self.people:
            person.plan(begins_ms - round(self._plan.pace_h * HOUR_MS), self._dice)
        step, owed = 0, 0.0
        stops_s = time.monotonic() + 60 * self._plan.minutes if self._plan.minutes else float("inf")
        while (now_ms := self._clock.now_ms()) < ends_ms and time.monotonic() < stops_s:
            jump_h = self._plan.step_h * self._dice.uniform(0.5, 1.5)
            await self._rest.jump(now_ms + round(jump_h * HOUR_MS))
            step += 1
            await self._compete(competitions, begins_ms, step)
            if now_ms >= leave_ms and not self._outcome.leavers:
                await self._say_goodbye(competitions)
            await self._look_in()
            owed += self._plan.evening_games * jump_h / 24
            owed -= await self._play_evenings(int(owed))
            await self._come_back()
            if (passed := (now_ms - begins_ms) // DAY_MS) > self._outcome.days:
                self._outcome.days = day = passed
                size = disk.OnDisk.of(data)
                self._outcome.sizes.append((day, size))
                self._outcome.peak = max(self._outcome.peak, size.whole)
                if day % max(1, self._plan.days // 20) == 0:
                    self._say(f"day {day}: {self._visits.visits} visits, {self._receivers.count} messages, {size.whole >> 20} MB")

    async def _found(self) -> str:
        """Have everybody come, say how they want to be told, and join the club. Returns the club's id."""
        await self._bell.hang()
        for person in self.people:
            made = await self._server.ask(None, "CreatePlayer", play_pb2.CreatePlayerRequest(name=person.name))
            person.token, person.player_id = made.player_token, made.player_id
        club = clubs_pb2.CreateClubRequest(name="Simulated club", entry=clubs_pb2.Club.ENTRY_OPEN)
        club_id: str = (await self._server.ask(self.people[0], "CreateClub", club)).club.club_id
        for person in self.people[1:]:
            await self._server.ask(person, "JoinClub", clubs_pb2.JoinClubRequest(club_id=club_id))
        by_mail = [person for person in self.people if "mail" in person.ways]
        await self._at_once(self._switch_on(person) for person in self.people if person not in by_mail)
        for first in range(0, len(by_mail), MAILS_A_DAY):
            await self._at_once(self._switch_on(person) for person in by_mail[first : first + MAILS_A_DAY])
            self._clock.jump(self._clock.now_ms() + DAY_MS + HOUR_MS, self._server.store)
        self._say(f"{len(self.people)} people have joined")
        return club_id

    async def _switch_on(self, person: Person) -> None:
        if "push" in person.ways:
            browser = self._receivers.browser(person.number)
            device = notifications_pb2.AddPushDeviceRequest(
                endpoint=browser.endpoint, key=browser.key, secret=browser.secret, label="phone", language="en"
            )
            await self._server.ask(person, "AddPushDevice", device)
        if "webhook" in person.ways:
            url = f"{self._receivers.hooks}/webhook/{person.number}"
            hook = webhooks_pb2.AddWebhookRequest(url=url, language="en", form=webhooks_pb2.WEBHOOK_FORM_JSON)
            await self._server.ask(person, "AddWebhook", hook)
        if "mail" in person.ways:
            address = f"{person.number}@example.org"
            await self._server.ask(person, "StartMail", notifications_pb2.StartMailRequest(address=address, language="en"))
            for _ in range(100):
                if address in self._receivers.codes:
                    break
                await asyncio.sleep(0.05)
            code = self._receivers.codes[address]
            await self._server.ask(None, "ConfirmMail", notifications_pb2.ConfirmMailRequest(code=code))
        wanted = notifications_pb2.NotificationSettings(
            quiet_from=person.quiet_from,
            quiet_until=person.quiet_until,
            time_zone=person.zone,
            mail_wait=person.mail_wait_min,
            language="en",
            open_seats=["emperado"] if person.wants_seats else [],
        )
        await self._server.ask(person, "SetNotifications", notifications_pb2.SetNotificationsRequest(settings=wanted))

    async def _compete(self, competitions: Competitions, begins_ms: int, step: int) -> None:
        """Begin what begins now, look at what is played, and kill the players service in the middle of it."""
        span_ms, now_ms = self._plan.days * DAY_MS, self._clock.now_ms()
        for one in competitions.tournaments:
            if not one.id and now_ms >= begins_ms + one.share * span_ms:
                await competitions.begin(one, self._plan.pace_h)
                self._say(f"{one.name} begins with {len(one.people)} people")
            elif one.id and one.is_running and step % 6 == 0:
                await competitions.look(one)
            is_in_the_middle = one.seen is not None and one.is_running and one.decided > 0.2
            if is_in_the_middle and not one.was_killed:
                one.was_killed = True
                self._kill(one.name)
        for table in competitions.tables:
            if not table.session_id and now_ms >= table.at_ms:
                await competitions.open(table, self._plan.pace_h, self._visits)
            elif table.session_id and not table.has_left and now_ms >= table.leaves_ms and await competitions.leave(table):
                self._outcome.asked += 1
                if self._outcome.asked % _KILLED_OF == 1:
                    self._kill("a substitution")

    def _kill(self, where: str) -> None:
        """Kill the players service a moment from now, while people visit; what it had taken is free when it is back."""
        self._outcome.kills.append(where)
        self._killing.append(asyncio.create_task(self._kill_soon()))
        self._say(f"players service killed in the middle of: {where}")

    async def _kill_soon(self) -> None:
        await asyncio.sleep(self._dice.uniform(0.0, 0.6))
        self._kills_ms.append(self._clock.now_ms())
        self._server.deployment.kill("players")
        await asyncio.sleep(0.1)
        self._clock.jump(self._clock.now_ms() + _CLAIM_MS, self._server.store)

    async def _look_in(self) -> None:
        """Have those visit whose time has come."""
        now_ms = self._clock.now_ms()
        await self._at_once(self._visits.visit(one) for one in self.people if not one.is_gone and one.next_ms <= now_ms)

    async def _at_once(self, works: Iterable[Coroutine[object, object, None]]) -> None:
        """Do some of them at a time."""
        room = asyncio.Semaphore(_AT_ONCE)

        async def do(work: Coroutine[object, object, None]) -> None:
            async with room:
                await work

        await asyncio.gather(*map(do, works))

    async def _play_evenings(self, count: int) -> int:
        """Have so many pairs play a game at once; return how many did."""
        awake = [one for one in self.people if not one.is_gone and one.is_awake(self._clock.now_ms())]
        pairs = [self._dice.sample(awake, 2) for _ in range(count if len(awake) > 1 else 0)]
        room = asyncio.Semaphore(6)

        async def evening(first: Person, second: Person) -> None:
            async with room:
                await self._visits.evening(first, second)
                self._outcome.games += 1

        await asyncio.gather(*(evening(first, second) for first, second in pairs))
        return len(pairs)

    async def _say_goodbye(self, competitions: Competitions) -> None:
        """Have some leave for good: they resign their games, and leave their tournaments and the club."""
        self._kill("members leave for good")
        among = [one for tournament in competitions.tournaments if tournament.is_running for one in tournament.people]
        for person in dict.fromkeys(one.number for one in among if one.number):
            if self._outcome.leavers == LEAVERS:
                return
            await self._leave(self.people[person], competitions)
            self._outcome.leavers += 1

    async def _leave(self, person: Person, competitions: Competitions) -> None:
        for tournament in competitions.tournaments:
            if tournament.id and tournament.is_running and person in tournament.people:
                await self._server.ask(person, "LeaveTournament", pb.LeaveTournamentRequest(tournament_id=tournament.id))
        for session_id, token in list(person.tokens.items()):
            try:
                await self._visits.resign(person, session_id, token)
                person.seen[session_id].append(self._clock.now_ms())
            except grpc.aio.AioRpcError:
                continue  # it is over, or has not begun
        leaving = clubs_pb2.LeaveClubRequest(club_id=competitions.club_id)
        await self._server.ask(person, "LeaveClub", leaving)
        person.is_gone = True

    async def _come_back(self) -> None:
        """Wait until the players service is back, if it was killed: here, or since it hung on a machine that is too busy."""
        await asyncio.gather(*self._killing)
        pid = self._server.deployment.pids().get("players", 0)
        if pid == self._pid:
            return
        if not self._killing:
            self._kills_ms.append(self._clock.now_ms())
            self._outcome.kills.append("a busy machine")
        self._killing.clear()
        await asyncio.to_thread(self._server.deployment.wait, "players")
        await self._bell.echo()
        self._pid = self._server.deployment.pids().get("players", 0)

    async def _end(self, competitions: Competitions) -> None:
        """Judge."""
        for _ in range(3):
            await self._rest.jump(self._clock.now_ms() + round(self._plan.step_h * HOUR_MS))
            await asyncio.sleep(_LAST_S)
        await self._rest.jump(self._clock.now_ms() + MINUTE_MS)
        for person in self.people:
            await self._visits.read_feed(person)
        outcome, end_ms = self._outcome, self._clock.now_ms()
        wholes = []
        for one in competitions.tournaments:
            if one.is_running:  # those that ended long ago are forgotten
                await competitions.look(one)
            if one.seen is not None:
                wholes.append(one.seen)
                outcome.feeds.add(truth.of_tournament(one.seen, self.people))
                outcome.games += sum(bool(pairing.session_id) for pairing in one.seen.pairings)
                if one.is_running:
                    outcome.unfinished.append(f"{one.name}: round {one.seen.tournament.round} of {one.seen.tournament.rounds}")
        outcome.games_twice = truth.sessions_twice(wholes)
        outcome.games += sum(bool(table.session_id) for table in competitions.tables)
        for person in self.people:
            outcome.feeds.items += len(person.feed)
            if not person.is_gone:
                outcome.feeds.add(truth.of_turns(person))
        grace_ms = round(max(8, 3 * self._plan.step_h) * HOUR_MS)
        for way in ("push", "mail", "webhook"):
            verdict = outcome.ways[way] = Verdict()
            for person in self.people:
                if way in person.ways:
                    wait_ms = person.mail_wait_min * MINUTE_MS if way == "mail" else 0
                    wishes = Wishes(person.zone, person.quiet_from, person.quiet_until, wait_ms, grace_ms)
                    came = self._receivers.came[way, str(person.number)]
                    verdict.add(judge.judge(person.name, person.feed.values(), person.seen, came, wishes, end_ms, self._kills_ms))
        outcome.killed_ms = self._kills_ms
        outcome.evidence = [self._evidence(person) for person in self.people]
        outcome.news = dict(truth.counted(self.people))
        outcome.substitutes = outcome.news.get("substituted", 0)
        outcome.visits, outcome.actions, outcome.nudges = self._visits.visits, self._visits.actions, self._visits.nudges
        outcome.retries, outcome.refusals = self._server.retries, self._visits.refusals
        await asyncio.to_thread(self._weigh)

    def _evidence(self, person: Person) -> dict[str, object]:
        came = {way: [asdict(one) for one in self._receivers.came[way, str(person.number)]] for way in person.ways}
        kept = {
            "name": person.name, "zone": person.zone, "quiet": [person.quiet_from, person.quiet_until],
            "wait_min": person.mail_wait_min, "is_gone": person.is_gone, "seen": dict(person.seen), "acted": person.acted,
        }  # fmt: skip
        return {**kept, "feed": [asdict(one) for one in person.feed.values()], "came": came}

    def _weigh(self) -> None:
        data, store = self._server.deployment.data, self._server.store
        disk.checkpoint(data)
        self._outcome.ended = disk.OnDisk.of(data)
        self._outcome.peak = max(self._outcome.peak, self._outcome.ended.whole)
        store.bgrewriteaof()
        while any(store.info("persistence")[f"aof_rewrite_{what}"] for what in ("in_progress", "scheduled")):
            time.sleep(0.1)
        time.sleep(1)  # the old files are removed in the background
        self._outcome.rewritten = disk.OnDisk.of(data).store
