"""The cost of an arena to the players service: `python -m loadtests.cost.arena`.

    python -m loadtests.cost.arena --players 2000 --seconds 300
    python -m loadtests.cost.arena --url postgresql+psycopg://user@host/database    # an empty one

All join through the calls, and the arena starts with everybody waiting. Then a second of it follows the other: games that are
over come in as finished games do, players pause and come back by lot, and the work of the service is done as in its process,
with a database but a session service that only gives names. Games last by lot, half of `--game` to half as much again; nobody
waits for the seconds to pass, so the figures are CPU and database time of each, and how long players would have waited.

It prints what a join, a step (results and pairings), orders for sessions, a look at the arena and its end take, how many games
one core would begin and count by that, and how long players waited for theirs.
"""

import asyncio
import heapq
import random
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, Engine, event, select

from brettwerk.internal.v1 import session_pb2
from brettwerk.v1 import record_pb2
from brettwerk.v1 import tournaments_pb2 as pb
from loadtests.markdown import table
from loadtests.run import conditions, folder, parser, progress
from services.players.calls import Caller
from services.players.opponents import session_orders
from services.players.opponents.session_orders import Arranging
from services.players.opponents.sessions import Sessions
from services.players.results.summary import LOST, WON
from services.players.results.tables import GAMES, RESULTS
from services.players.store import open_store
from services.players.tournaments.progress import Progress
from services.players.tournaments.tables import PAIRINGS
from services.players.tournaments.tournaments import Tournaments

FIRST_MS = 1_750_000_000_000
_PAUSES = 0.0005
"""The share of players who take or end a pause in a second."""
_LOOKS = 100
"""Calls of GetTournament that are measured at the end."""


class _Named(Sessions):
    """A session service that only gives names."""

    def __init__(self) -> None:
        pass

    async def arrange(self, request: session_pb2.ArrangeSessionRequest) -> str:
        return "" if request.only_checks else f"07{request.arrangement_id[:22]}"

    async def close_waiting(self, arrangement_id: str) -> session_pb2.CloseWaitingResponse:
        return session_pb2.CloseWaitingResponse(began=True, came=[0, 1])


@dataclass(slots=True)
class Measured:
    """Times of one kind of work, in seconds."""

    cpu: list[float] = field(default_factory=list)
    database: list[float] = field(default_factory=list)
    wall: list[float] = field(default_factory=list)

    def row(self, name: str) -> tuple[object, ...]:
        """Return a row of the table, in milliseconds."""
        shown = [f"{1000 * value:.1f}" for value in (statistics.mean(self.cpu), _p99(self.cpu), max(self.cpu))]
        return (name, len(self.cpu), *shown, f"{1000 * statistics.mean(self.database):.1f}", f"{1000 * max(self.wall):.0f}")


class _Database:
    """The time that statements take."""

    def __init__(self) -> None:
        self.spent = 0.0
        self._began = 0.0
        event.listen(Engine, "before_cursor_execute", self._begin)
        event.listen(Engine, "after_cursor_execute", self._end)

    def _begin(self, *_ignored: Any) -> None:
        self._began = time.perf_counter()

    def _end(self, *_ignored: Any) -> None:
        self.spent += time.perf_counter() - self._began

    @contextmanager
    def measured(self, to: Measured) -> Iterator[None]:
        """Add what the work within takes."""
        spent, cpu, wall = self.spent, time.process_time(), time.perf_counter()
        yield
        to.cpu.append(time.process_time() - cpu)
        to.wall.append(time.perf_counter() - wall)
        to.database.append(self.spent - spent)


class Arena:
    """One arena, second by second."""

    def __init__(self, url: str, players: int, game_s: float) -> None:
        self.now_ms = FIRST_MS
        self.joins, self.steps, self.orders, self.looks, self.ends = (Measured() for _ in range(5))
        self.waits_s: list[float] = []
        self.games = 0
        self._dice = random.Random(1)
        self._game_s = game_s
        self._database = _Database()
        self._store = open_store(url)
        sessions = _Named()
        self._calls = Tournaments(self._store, sessions, self._wake, self._clock)
        self._running = Progress(self._store, self._wake, self._clock)
        kind = session_orders.TOURNAMENT
        announce, conclude = {kind: self._running.announce}, {kind: self._running.conclude}
        self._arranging = Arranging(self._store, sessions, announce, self._wake, 60.0, self._clock, conclude)
        self._callers = [Caller(f"player{number:020}", f"Player {number}", "192.0.2.1") for number in range(players)]
        self._paused: set[int] = set()
        self._free_ms = dict.fromkeys(range(players), FIRST_MS)
        """Since when players wait who have no game, by number."""
        self._ends: list[tuple[int, str, int, int]] = []
        """Games by when they end."""
        self._seen = 0

    def _clock(self) -> int:
        return self.now_ms

    def _wake(self, heads: dict[str, int]) -> None:
        """Nobody follows their news here."""

    async def begin(self, seconds: int) -> str:
        """Create the arena, let all join and start it; return its id."""
        owner = self._callers[0]
        clock = record_pb2.ClockSpec(kind=record_pb2.ClockSpec.KIND_TOTAL, time_ms=30_000)
        asked = pb.CreateTournamentRequest(
            name="Arena",
            game="einstein",
            clock=clock,
            kind=pb.Tournament.KIND_ARENA,
            duration_s=max(60, seconds + 60),
            request_id="an arena",
        )
        made: Any = (await self._calls.create(asked, owner)).response
        tournament_id: str = made.tournament.tournament_id
        for caller in self._callers:
            with self._database.measured(self.joins):
                await self._calls.join(pb.JoinTournamentRequest(tournament_id=tournament_id), caller)
        await self._calls.start(pb.StartTournamentRequest(tournament_id=tournament_id), owner)
        return tournament_id

    async def second(self, tournament_id: str) -> None:
        """Let a second pass, with all the work that is due in it."""
        self.now_ms += 1000
        ended = []
        while self._ends and self._ends[0][0] <= self.now_ms:
            ended.append(heapq.heappop(self._ends))
        if ended:
            await self._store.run(lambda connection: self._finish(connection, ended))
        for _ in range(sum(self._dice.random() < _PAUSES for _ in self._callers)):
            await self._come_or_go(tournament_id)
        with self._database.measured(self.steps):
            await self._running.step()
        for _ in range(2):
            with self._database.measured(self.orders):
                await self._arranging.carry_out_due()
        await self._store.run(self._see)

    async def look(self, tournament_id: str) -> None:
        """Ask for the arena as players who wait do."""
        for caller in self._dice.sample(self._callers, min(_LOOKS, len(self._callers))):
            with self._database.measured(self.looks):
                await self._calls.get(pb.GetTournamentRequest(tournament_id=tournament_id), caller)

    async def end(self) -> None:
        """Let the time be over: all are told."""
        self.now_ms += 3_600_000
        with self._database.measured(self.ends):
            await self._running.step()

    def close(self) -> None:
        """Let go of the database."""
        self._store.close()

    async def _come_or_go(self, tournament_id: str) -> None:
        number = self._dice.randrange(len(self._callers))
        if number in self._paused:
            self._paused.discard(number)
            await self._calls.join(pb.JoinTournamentRequest(tournament_id=tournament_id), self._callers[number])
            if number in self._free_ms:
                self._free_ms[number] = self.now_ms
        else:
            self._paused.add(number)
            await self._calls.leave(pb.LeaveTournamentRequest(tournament_id=tournament_id), self._callers[number])

    def _see(self, connection: Connection) -> None:
        """Take the games that have been made: they end by lot."""
        new = select(PAIRINGS).where(PAIRINGS.c.board > self._seen).order_by(PAIRINGS.c.board)
        for row in connection.execute(new).all():
            self._seen = row.board
            for number in (row.first, row.second):
                self.waits_s.append((self.now_ms - self._free_ms.pop(number)) / 1000)
            self.games += 1
            length_ms = round(1000 * self._game_s * self._dice.uniform(0.5, 1.5))
            session_id = f"07{row.arrangement_id[:22]}"
            heapq.heappush(self._ends, (self.now_ms + length_ms, session_id, row.first, row.second))

    def _finish(self, connection: Connection, ended: Sequence[tuple[int, str, int, int]]) -> None:
        """Store finished games, as the intake does."""
        at = {"game": "einstein", "finished_at_ms": self.now_ms}
        games, results = [], []
        for _, session_id, first, second in ended:
            games.append(
                {
                    "session_id": session_id,
                    **at,
                    "seats": 2,
                    "plies": 30,
                    "rule": "",
                    "public": False,
                    "competitive": True,
                    "status": "finished",
                    "rated": False,
                }
            )
            winner = self._dice.randrange(2)
            for seat, number in enumerate((first, second)):
                self._free_ms[number] = self.now_ms
                results.append(
                    {
                        "session_id": session_id,
                        "number": seat,
                        "seat": seat,
                        "player_id": self._callers[number].player_id,
                        "level": "",
                        "result": WON if seat == winner else LOST,
                        "place": 1 + (seat != winner),
                        "side": 0,
                        "began": True,
                        **at,
                    }
                )
        connection.execute(GAMES.insert(), games)
        connection.execute(RESULTS.insert(), results)


def _p99(values: Sequence[float]) -> float:
    return sorted(values)[min(len(values) - 1, round(0.99 * len(values)))]


async def measure(url: str, players: int, seconds: int, game_s: float, *, quiet: bool) -> Arena:
    """Return an arena that has run for so many seconds."""
    say = progress(is_quiet=quiet)
    arena = Arena(url, players, game_s)
    try:
        tournament_id = await arena.begin(seconds)
        say(f"{players} players have joined")
        for second in range(seconds):
            await arena.second(tournament_id)
            if second % 30 == 0:
                say(f"second {second}: {arena.games} games")
        await arena.look(tournament_id)
        await arena.end()
    finally:
        arena.close()
    return arena


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, and print."""
    made = parser(__doc__)
    made.add_argument("--players", type=int, default=2000)
    made.add_argument("--seconds", type=int, default=300, help="of the arena (300)")
    made.add_argument("--game", type=float, default=60.0, help="how long a game lasts, in seconds (60)")
    made.add_argument("--url", default="", help="a database; by default, a new one of SQLite")
    made.add_argument("--quiet", action="store_true", help="show no progress")
    args = made.parse_args(arguments)
    under = conditions(args, "url", "quiet")
    with folder(None) as data:
        url = args.url or f"sqlite:///{data}/players.sqlite3"
        arena = asyncio.run(measure(url, args.players, args.seconds, args.game, quiet=args.quiet))
    heading = ("work", "times", "CPU, ms", "p99", "most", "database, ms", "wall at most, ms")
    rows = [
        arena.joins.row("a join"),
        arena.steps.row("a step: results and pairings"),
        arena.orders.row("orders for sessions, twice a second"),
        arena.looks.row("GetTournament"),
        arena.ends.row("the end, with news to all"),
    ]
    print(table(heading, rows))
    busy = sum(arena.steps.cpu) + sum(arena.orders.cpu)
    print(f"\n{arena.games} games in {args.seconds} s: {arena.games / args.seconds:.1f} pairings a second,")
    print(f"{1000 * busy / arena.games:.1f} ms of CPU for each, with its result and its order;")
    print(f"one core would do {arena.games / busy:.0f} a second")
    waits = arena.waits_s
    print(f"waits for a game: median {statistics.median(waits):.0f} s, p99 {_p99(waits):.0f} s, longest {max(waits):.0f} s")
    print(", ".join(f"{name} {value}" for name, value in under.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
