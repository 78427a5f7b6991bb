"""Tournaments of a test: a real database and archive, a clock that stands, and a session service that notes what it is asked."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from brettwerk.internal.v1 import session_pb2
from brettwerk.v1 import record_pb2
from brettwerk.v1 import tournaments_pb2 as pb
from services.archive.archive import Archive
from services.archive.outbox import Outbox
from services.players.calls import Caller
from services.players.intake.intake import Intake
from services.players.news.followers import Following
from services.players.opponents import session_orders
from services.players.opponents.session_orders import Arranging
from services.players.store import open_store
from services.players.tournaments.arbiters import Arbiters
from services.players.tournaments.club_matches import ClubMatches
from services.players.tournaments.progress import Progress
from services.players.tournaments.round_plans import RoundPlans
from services.players.tournaments.series import SeriesOfTournaments
from services.players.tournaments.tournaments import Tournaments
from tests.services.players.intake.finished_games import kept, outcome, person
from tests.services.players.opponents.place import Clock, NotedSessions, player

CLOCK = record_pb2.ClockSpec(kind=record_pb2.ClockSpec.KIND_TOTAL, time_ms=300_000, increment_ms=3_000)
SWISS, ROUND_ROBIN = pb.Tournament.KIND_SWISS, pb.Tournament.KIND_ROUND_ROBIN
KNOCK_OUT, TABLES = pb.Tournament.KIND_KNOCK_OUT, pb.Tournament.KIND_TABLES
GROUPS, ONE_AGAINST_MANY = pb.Tournament.KIND_GROUPS, pb.Tournament.KIND_ONE_AGAINST_MANY
ARENA = pb.Tournament.KIND_ARENA
Settings = dict[str, Any]


class ComingSessions(NotedSessions):
    """Says of sessions that are closed who had come."""

    def __init__(self) -> None:
        super().__init__()
        self.came: dict[str, Sequence[int]] = {}
        """By arrangement; the game of all others has begun."""
        self.lost: Exception | None = None

    async def close_waiting(self, arrangement_id: str) -> session_pb2.CloseWaitingResponse:
        self.closed.append(arrangement_id)
        if self.lost is not None:
            raise self.lost
        if arrangement_id in self.came:
            return session_pb2.CloseWaitingResponse(came=self.came[arrangement_id])
        return session_pb2.CloseWaitingResponse(began=True, came=[0, 1])


class Process:
    """The parts of it that one process of the service has."""

    def __init__(self, place: "Place", clock: Callable[[], int]) -> None:
        self.following = Following(place.store, clock)
        self.tournaments = Tournaments(place.store, place.sessions, self.following.wake, clock)
        self.round_plans = RoundPlans(place.store, self.following.wake, clock)
        self.series = SeriesOfTournaments(place.store, place.sessions, self.following.wake, clock)
        self.club_matches = ClubMatches(place.store, place.sessions, self.following.wake, clock)
        self.arbiters = Arbiters(place.store, clock)
        self.running = Progress(place.store, self.following.wake, clock)
        self.arranging = Arranging(
            place.store,
            place.sessions,
            {session_orders.TOURNAMENT: self.running.announce},
            self.following.wake,
            60.0,
            clock,
            {session_orders.TOURNAMENT: self.running.conclude},
        )

    async def work(self) -> None:
        """Do what is due, once."""
        await self.running.step()
        await self.arranging.carry_out_due()

    async def ask(self, name: str, caller: Caller, request: Any) -> Any:
        """Return the response to a call, by its field in a Call."""
        rooms = self.tournaments, self.round_plans, self.series, self.club_matches, self.arbiters
        handlers = {field: handler for room in rooms for field, handler in room.handlers().items()}
        return (await handlers[name](request, caller)).response

    async def create(self, caller: Caller, **fields: Any) -> pb.Tournament:
        settings: Settings = {
            "name": "Monday cup",
            "game": "einstein",
            "clock": CLOCK,
            "kind": SWISS,
            "request_id": "tournament-1",
            **fields,
        }
        made: pb.Tournament = (await self.ask("create_tournament", caller, pb.CreateTournamentRequest(**settings))).tournament
        return made

    async def join(self, tournament: pb.Tournament, *callers: Caller) -> None:
        for caller in callers:
            await self.ask("join_tournament", caller, pb.JoinTournamentRequest(tournament_id=tournament.tournament_id))

    async def leave(self, tournament: pb.Tournament, caller: Caller) -> None:
        await self.ask("leave_tournament", caller, pb.LeaveTournamentRequest(tournament_id=tournament.tournament_id))

    async def start(self, tournament: pb.Tournament, caller: Caller) -> None:
        await self.ask("start_tournament", caller, pb.StartTournamentRequest(tournament_id=tournament.tournament_id))
        await self.work()

    async def get(self, tournament: pb.Tournament, caller: Caller | None = None) -> pb.GetTournamentResponse:
        request = pb.GetTournamentRequest(tournament_id=tournament.tournament_id)
        whole: pb.GetTournamentResponse = await self.ask("get_tournament", caller or Caller("", "", ""), request)
        return whole


class Place:
    """Two processes on one database."""

    def __init__(self, folder: Path, players_url: str) -> None:
        self.clock, self.sessions = Clock(), ComingSessions()
        archive_url = f"sqlite:///{folder}/archive.sqlite3"
        self.store = open_store(players_url)
        self.archive, self.outbox = Archive.open(archive_url), Outbox.open(archive_url)
        self.taking = Intake(self.outbox, self.store)
        self.one, self.other = (Process(self, self.clock) for _ in range(2))
        self._finished = 0

    def close(self) -> None:
        self.archive.close()
        self.outbox.close()
        self.store.close()

    async def finish(
        self, session_id: str, players: Sequence[str], *winners: int, ended: bool = True, competitive: bool = True
    ) -> None:
        """Let a game be over, and its result be taken."""
        self._finished += 1
        ends = outcome(*winners, seats=len(players)) if ended else None
        game = kept(self._finished, *map(person, players), ended=ends, competitive=competitive)
        await self.archive.keep(replace(game, session_id=session_id))
        self.taking.take([session_id])

    async def finish_others(self, tournament: pb.Tournament, number: int) -> None:
        """Finish the open games but those of a number: the better one wins."""
        await self.play(tournament, min, without=number)

    async def play_tables(self, tournament: pb.Tournament, caller: Caller | None = None) -> None:
        """Finish the open games at larger tables: whoever sits first wins, and the others share the second place.

        `caller`: one who may see the tournament, where not everybody may.
        """
        seated = {f"07{asked.arrangement_id[:22]}": list(asked.kept_for) for asked in self.sessions.asked}
        for pairing in (await self.one.get(tournament, caller)).pairings:
            if not pairing.decided and pairing.session_id:
                await self.finish(pairing.session_id, seated[pairing.session_id], 0)

    async def play(
        self,
        tournament: pb.Tournament,
        winner: Callable[[int, int], int | None],
        without: int | None = None,
        caller: Caller | None = None,
    ) -> None:
        """Finish the games that are open: `winner` says which of two numbers wins, None for a draw.

        `caller`: one who may see the tournament, where not everybody may.
        """
        whole = await self.one.get(tournament, caller)
        names = {one.number: one.player.player_id for one in whole.standings}
        for pairing in whole.pairings:
            if not pairing.decided and without not in (pairing.first, pairing.second):
                won = winner(pairing.first, pairing.second)
                seats = [] if won is None else [0 if won == pairing.first else 1]
                await self.finish(pairing.session_id, [names[pairing.first], names[pairing.second]], *seats)


def callers(count: int) -> list[Caller]:
    return [player("abcdefghijklmnop"[number], f"Player {number + 1}") for number in range(count)]
