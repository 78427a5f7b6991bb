"""The competitions of the club: a slow league at tables of six, two Swiss tournaments, a knock-out, tables with substitutes."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from brettwerk.v1 import clubs_pb2, play_pb2, record_pb2
from brettwerk.v1 import tournaments_pb2 as pb
from loadtests.club.clock import Clock
from loadtests.club.judge import DAY_MS, HOUR_MS
from loadtests.club.people import Person
from loadtests.club.server import Server
from loadtests.club.visits import OVER, Visits

LEAGUE, SWISS, KNOCK_OUT = pb.Tournament.KIND_TABLES, pb.Tournament.KIND_SWISS, pb.Tournament.KIND_KNOCK_OUT
_JOIN_S = 259_200
_TABLE_SEATS = 4
"""Of tables whose seats are offered to substitutes."""


@dataclass(slots=True)
class Competition:
    """A tournament, and where in the span it begins."""

    name: str
    kind: pb.Tournament.Kind.ValueType
    share: float
    """Of the span, until it begins."""
    people: Sequence[Person]
    rounds: int = 0
    id: str = ""
    seen: pb.GetTournamentResponse | None = None
    was_killed: bool = False

    @property
    def is_running(self) -> bool:
        """Whether it has begun and is not over."""
        return self.seen is None or self.seen.tournament.state == pb.Tournament.STATE_RUNNING

    @property
    def decided(self) -> float:
        """How much of the round is decided."""
        if self.seen is None:
            return 0.0
        found = [one.decided for one in self.seen.pairings if one.round == self.seen.tournament.round]
        return sum(found) / max(1, len(found))


@dataclass(slots=True)
class OpenTable:
    """A table at which somebody gives up their seat."""

    at_ms: int
    """When it is opened."""
    people: Sequence[Person]
    leaver: Person
    session_id: str = ""
    leaves_ms: int = 0
    has_left: bool = False


@dataclass(slots=True)
class Competitions:
    """All of them, and who owns them."""

    server: Server
    clock: Clock
    owner: Person
    club_id: str
    tournaments: list[Competition] = field(default_factory=list)
    tables: list[OpenTable] = field(default_factory=list)

    def plan(self, people: Sequence[Person], days: int, substitutions: int, dice: random.Random) -> None:
        """Choose who plays in what, and when it begins."""
        count = len(people)
        sixes = min(96, count * 3 // 5) // 6 * 6
        is_long, is_short = days >= 200, days < 20
        pairs = min(48, count // 2) // 2 * 2
        bracket = 4 if count < 40 else 8 if count < 100 else 32

        def some(number: int) -> list[Person]:
            return dice.sample(list(people), number)

        rounds = 3 if is_long else 1
        self.tournaments = [Competition("League, first season", LEAGUE, 0.01, some(sixes), rounds)]
        if is_long:
            self.tournaments.append(Competition("League, second season", LEAGUE, 0.5, some(sixes), rounds))
        swiss = 6 if is_long else 1 if is_short else 3
        self.tournaments += [
            Competition("Swiss, spring", SWISS, 0.02, some(pairs), swiss),
            Competition("Swiss, autumn", SWISS, 0.5 if is_long else 0.1, some(pairs), swiss),
            Competition("Knock-out", KNOCK_OUT, 0.3 if is_long else 0.05, some(bracket)),
        ]
        begins_ms = self.clock.now_ms()
        for number in range(substitutions):
            at_ms = begins_ms + round((0.03 + 0.75 * number / max(1, substitutions)) * days * DAY_MS)
            seated = some(_TABLE_SEATS)
            self.tables.append(OpenTable(at_ms, seated, seated[1 + number % (_TABLE_SEATS - 1)]))

    def slow_clock(self, pace_h: float) -> record_pb2.ClockSpec:
        """Return the clock of all games: days for a turn, rest hours and vacation."""
        days = max(1, min(3, round(pace_h / 8)))
        return record_pb2.ClockSpec(
            kind=record_pb2.ClockSpec.KIND_PER_TURN,
            time_ms=days * DAY_MS,
            vacation_days=14,
            rest_hours=True,
            automatic_vacation=True,
        )

    async def begin(self, one: Competition, pace_h: float) -> None:
        """Create a tournament, have its people join, and start it."""
        game = "emperado" if one.kind == LEAGUE else "einstein"
        asked = pb.CreateTournamentRequest(
            name=one.name, game=game, clock=self.slow_clock(pace_h), kind=one.kind, rounds=one.rounds,
            join_timeout_s=min(_JOIN_S, round(6 * pace_h * 3600)), club_id=self.club_id,
            seats=6 if one.kind == LEAGUE else 0, round_pause_s=round(pace_h * 1800),
        )  # fmt: skip
        made = await self.server.ask(self.owner, "CreateTournament", asked)
        one.id = made.tournament.tournament_id
        for person in one.people:
            if not person.is_gone:
                await self.server.ask(person, "JoinTournament", pb.JoinTournamentRequest(tournament_id=one.id))
        await self.server.ask(self.owner, "StartTournament", pb.StartTournamentRequest(tournament_id=one.id))
        await self.look(one)

    async def look(self, one: Competition) -> None:
        """See how a tournament stands."""
        if one.id:
            one.seen = await self.server.ask(self.owner, "GetTournament", pb.GetTournamentRequest(tournament_id=one.id))

    async def open(self, table: OpenTable, pace_h: float, visits: Visits) -> None:
        """Open a table at which all sit down who are named."""
        host, *others = table.people
        asked = play_pb2.CreateSessionRequest(
            game="emperado",
            seats=[play_pb2.SeatWish(me=True), *(play_pb2.SeatWish(open=True) for _ in others)],
            clock=self.slow_clock(pace_h),
            public=True,
            competitive=True,
            title="Open table",
            substitutes=True,
        )
        made = await self.server.ask(host, "CreateSession", asked)
        table.session_id = made.session.id
        host.tokens[table.session_id] = made.grants[0].seat_token
        for person in others:
            await visits.sit_down(person, table.session_id, -1)
        adding = clubs_pb2.AddClubTableRequest(club_id=self.club_id, session_id=table.session_id)
        await self.server.ask(host, "AddClubTable", adding)
        table.leaves_ms = self.clock.now_ms() + round(2 * pace_h * HOUR_MS)

    async def leave(self, table: OpenTable) -> bool:
        """Have the leaver give up the seat; return whether there was one to give up."""
        table.has_left = True
        seeing = play_pb2.GetSessionRequest(session_id=table.session_id)
        session = (await self.server.ask(table.leaver, "GetSession", seeing)).update.session
        token = table.leaver.tokens.pop(table.session_id, None)
        if token is None or session.state in OVER:
            return False
        table.leaver.left.add(table.session_id)
        await self.server.ask(
            table.leaver, "LeaveSession", play_pb2.LeaveSessionRequest(session_id=table.session_id, seat_token=token)
        )
        table.leaver.seen[table.session_id].append(self.clock.now_ms())
        return True
