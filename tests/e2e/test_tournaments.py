"""Tournaments of bots in a whole deployment whose players service is killed again and again."""

import random
import threading
from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

import grpc
import pytest

from brettwerk.v1 import news_pb2, play_pb2, record_pb2, sessions_pb2
from brettwerk.v1 import tournaments_pb2 as pb
from deploy.local.deployment import Deployment
from services.players.tournaments.arena_score import tally
from services.players.tournaments.results import Entrant, Game
from services.players.tournaments.standings import standings
from tests.e2e.stranger import Stranger, eventually, in_background, new_id

pytestmark = pytest.mark.e2e
CLOCK = record_pb2.ClockSpec(kind=record_pb2.ClockSpec.KIND_TOTAL, time_ms=600_000, increment_ms=3_000)
FAST = record_pb2.ClockSpec(kind=record_pb2.ClockSpec.KIND_TOTAL, time_ms=30_000, increment_ms=1_000)
FINISHED, RUNNING = pb.Tournament.STATE_FINISHED, pb.Tournament.STATE_RUNNING
T = TypeVar("T")


def answered(ask: Callable[[], T]) -> T:
    """Return the answer to a read that is made again as long as the players service is away."""
    pause = threading.Event()
    while True:
        try:
            return ask()
        except grpc.RpcError as error:
            if error.code() not in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.RESOURCE_EXHAUSTED):
                raise
            pause.wait(0.2)


def look(one: Stranger, tournament_id: str) -> pb.GetTournamentResponse:
    request = pb.GetTournamentRequest(tournament_id=tournament_id)
    return answered(lambda: one.stub.GetTournament(request, metadata=one.metadata, timeout=20))


def create(owner: Stranger, kind: pb.Tournament.Kind.ValueType) -> str:
    request = pb.CreateTournamentRequest(name="Bots", game="einstein", clock=CLOCK, kind=kind, request_id=new_id())
    tournament_id: str = owner.stub.CreateTournament(request, metadata=owner.metadata, timeout=20).tournament.tournament_id
    return tournament_id


def begin(bots: Sequence[Stranger], kind: pb.Tournament.Kind.ValueType) -> str:
    """Return a tournament that the bots have joined, and that has started."""
    tournament_id = create(bots[0], kind)
    for bot in bots:
        bot.stub.JoinTournament(pb.JoinTournamentRequest(tournament_id=tournament_id), metadata=bot.metadata, timeout=20)
    bots[0].stub.StartTournament(pb.StartTournamentRequest(tournament_id=tournament_id), metadata=bots[0].metadata, timeout=20)
    return tournament_id


def play_all(bot: Stranger, tournament_id: str, seed: int) -> None:
    """Play the bot's game of each round until the tournament is over."""
    played: set[str] = set()
    pause = threading.Event()
    while (whole := look(bot, tournament_id)).tournament.state == RUNNING:
        number = next(one.number for one in whole.standings if one.player.player_id == bot.player_id)
        for pairing in whole.pairings:
            waits = pairing.session_id and pairing.session_id not in played and not pairing.decided
            if waits and number in (pairing.first, pairing.second):
                token = answered(partial(bot.join, pairing.session_id)).seat_token
                bot.play(pairing.session_id, token, random.Random(seed))
                played.add(pairing.session_id)
        pause.wait(0.3)


def undisturbed(one: Stranger, whole: pb.GetTournamentResponse) -> list[tuple[int, int, float, float, float]]:
    """Return the standings that come of what the sessions themselves say."""
    games = []
    for pairing in whole.pairings:
        points = (2, 0)
        if pairing.second:
            session = one.look(pairing.session_id).session
            assert session.state == sessions_pb2.Session.STATE_FINISHED and session.competitive
            points = (2, 0) if list(session.outcome.winners) == [0] else (0, 2)
        games.append(Game(pairing.round, pairing.first - 1, pairing.second - 1 if pairing.second else None, points))
    entrants = [Entrant(number) for number in range(len(whole.standings))]
    rows = standings(entrants, games, is_swiss=whole.tournament.kind == pb.Tournament.KIND_SWISS)
    return [(row.place, row.number + 1, row.points / 2, row.buchholz / 2, row.sonneborn_berger / 4) for row in rows]


def shown(whole: pb.GetTournamentResponse) -> list[tuple[int, int, float, float, float]]:
    return [(one.place, one.number, one.points, one.buchholz, one.sonneborn_berger) for one in whole.standings]


@pytest.mark.nightly
def test_tournaments_end_as_their_games_say_however_often_the_service_is_killed(own_deployment: Deployment):
    address = own_deployment.grpc_address
    four, seven = ([Stranger(address, f"Bot {number}") for number in range(count)] for count in (4, 7))
    running = [(four, begin(four, pb.Tournament.KIND_ROUND_ROBIN)), (seven, begin(seven, pb.Tournament.KIND_SWISS))]
    playing = [
        in_background(partial(play_all, bot, tournament_id, seed))
        for bots, tournament_id in running
        for seed, bot in enumerate(bots)
    ]

    def decided() -> int:
        return sum(pairing.decided for bots, one in running for pairing in look(bots[0], one).pairings)

    for _ in range(3):
        before = decided()
        eventually(partial(more_than, decided, before), 120)
        own_deployment.kill("players")
        own_deployment.wait("players")
    for thread in playing:
        thread.join(300)
    for (bots, tournament_id), games, byes in zip(running, (6, 9), (0, 3), strict=True):
        whole = look(bots[0], tournament_id)
        assert whole.tournament.state == FINISHED
        sessions = [pairing.session_id for pairing in whole.pairings if pairing.second]
        assert len(sessions) == len({*sessions}) == games and len(whole.pairings) == games + byes
        assert shown(whole) == undisturbed(bots[0], whole)
        for bot in bots:
            filed = bot.stub.ListSessions(mine(), metadata=bot.metadata, timeout=20).sessions
            assert {session.id for session in filed} <= {*sessions}  # nobody came to a second table of a round
    for bot in (*four, *seven):
        bot.close()


def more_than(count: Callable[[], int], before: int) -> bool:
    return count() > before


def mine() -> play_pb2.ListSessionsRequest:
    return play_pb2.ListSessionsRequest(filter=play_pb2.LIST_FILTER_MINE)


def test_players_are_told_their_table_and_a_table_to_which_one_has_not_come_is_decided(deployment: Deployment):
    ada, bob = (Stranger(deployment.grpc_address, name) for name in ("Ada", "Bob"))
    watch = ada.stub.WatchPlayer(news_pb2.WatchPlayerRequest(), metadata=ada.metadata, timeout=120)
    assert next(iter(watch)).WhichOneof("kind") == "resync"
    request = pb.CreateTournamentRequest(
        name="Hasty", game="einstein", clock=CLOCK, kind=pb.Tournament.KIND_SWISS, join_timeout_s=5, request_id=new_id()
    )
    made = ada.stub.CreateTournament(request, metadata=ada.metadata, timeout=20).tournament
    for each in (ada, bob):
        joining = pb.JoinTournamentRequest(tournament_id=made.tournament_id)
        assert each.stub.JoinTournament(joining, metadata=each.metadata, timeout=20).tournament.joined
    starting = pb.StartTournamentRequest(tournament_id=made.tournament_id)
    assert ada.stub.StartTournament(starting, metadata=ada.metadata, timeout=20).tournament.state == RUNNING
    news = next(message.news for message in watch if message.news.kind == news_pb2.News.KIND_ROUND)
    assert (news.tournament_id, news.name, news.title) == (made.tournament_id, "Bob", "Hasty")
    ada.join(news.session_id)
    eventually(lambda: look(ada, made.tournament_id).tournament.state == FINISHED, 60)
    whole = look(ada, made.tournament_id)
    assert [(one.player.name, one.points, one.wins) for one in whole.standings] == [("Ada", 1, 0), ("Bob", 0, 0)]
    assert whole.pairings[0].unplayed
    assert ada.look(news.session_id).session.state == sessions_pb2.Session.STATE_CLOSED
    watch.cancel()
    ada.close()
    bob.close()


@pytest.mark.nightly
def test_an_arena_counts_each_game_once_however_often_the_service_is_killed(own_deployment: Deployment):
    address = own_deployment.grpc_address
    bots = [Stranger(address, f"Bot {number}") for number in range(5)]
    request = pb.CreateTournamentRequest(
        name="Arena", game="einstein", clock=FAST, kind=pb.Tournament.KIND_ARENA, duration_s=100, request_id=new_id()
    )
    owner = bots[0]
    arena: str = owner.stub.CreateTournament(request, metadata=owner.metadata, timeout=20).tournament.tournament_id
    owner.stub.StartTournament(pb.StartTournamentRequest(tournament_id=arena), metadata=owner.metadata, timeout=20)
    for bot in bots:
        bot.stub.JoinTournament(pb.JoinTournamentRequest(tournament_id=arena), metadata=bot.metadata, timeout=20)
    playing = [in_background(partial(play_all, bot, arena, seed)) for seed, bot in enumerate(bots)]

    def decided() -> int:
        return sum(pairing.decided for pairing in look(bots[0], arena).pairings)

    for _ in range(3):
        before = decided()
        eventually(partial(more_than, decided, before), 60)
        own_deployment.kill("players")
        own_deployment.wait("players")
    for thread in playing:
        thread.join(300)
    whole = look(bots[0], arena)
    assert whole.tournament.state == FINISHED
    # Each is shown the newest ones, and their own.
    shown = {pairing.table: pairing for bot in bots for pairing in look(bot, arena).pairings}
    pairings = [shown[table] for table in sorted(shown)]
    sessions = [pairing.session_id for pairing in pairings]
    assert len(sessions) == len({*sessions}) and sum(one.games for one in whole.standings) >= 6
    counted = [pairing for pairing in pairings if pairing.decided and not pairing.uncounted]
    games = []
    for pairing in counted:
        winners = list(bots[0].look(pairing.session_id).session.outcome.winners)
        games.append(Game(1, pairing.first, pairing.second, (2, 0) if winners == [0] else (0, 2)))
    for one in whole.standings:
        assert (one.points * 2, one.games) == (tally(one.number, games).points, tally(one.number, games).games)
    for bot in bots:
        filed = bot.stub.ListSessions(mine(), metadata=bot.metadata, timeout=20).sessions
        assert {session.id for session in filed} <= {*sessions}
        bot.close()
