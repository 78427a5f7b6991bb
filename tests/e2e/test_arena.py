"""The arena of a whole deployment: bots with API tokens and the computer levels play to the end, and ratings come of it."""

import contextlib
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest

from brettwerk.v1 import arena_pb2, bots_pb2, play_pb2
from brettwerk.v1 import profiles_pb2 as pb
from brettwerk_client import Client
from deploy.local.deployment import Deployment
from tests.clients import owned_bots

pytestmark = pytest.mark.e2e
GAME, OTHER_GAME = "einstein", "wec"
SCOPES = (*owned_bots.SCOPES, bots_pb2.SCOPE_GAMES_READ)
EXAMPLE = Path(__file__).parents[2] / "examples" / "citizen.py"
Found = TypeVar("Found")


@pytest.fixture
def deployment(tmp_path: Path) -> Iterator[Deployment]:
    with Deployment(data=tmp_path / "deployment", web=False, environment={"BRETTWERK_ARENA_GAMES": "1"}) as started:
        yield started


@contextlib.contextmanager
def living(deployment: Deployment, token: str) -> Iterator[None]:
    """Let a bot play whatever comes (client.run), in a process of its own."""
    with subprocess.Popen([sys.executable, EXAMPLE, deployment.grpc_address, token]) as process:
        try:
            yield
            assert process.poll() is None, "the bot has ended by itself"
        finally:
            process.kill()


def once(look: Callable[[], Found | None]) -> Found:
    """Return what there is to see, as soon as there is something."""
    while (found := look()) is None:
        time.sleep(0.05)
    return found


def enter(client: Client, *, game: str = GAME, at_once: int = 1, bot_id: str = "") -> None:
    """Let a bot play in the arena: itself, or one that its owner names."""
    client.call(client.service.EnterArena, arena_pb2.EnterArenaRequest(bot_id=bot_id, game=game, at_once=at_once))


def arena(client: Client, game: str = GAME) -> arena_pb2.GetArenaResponse:
    return client.call(client.service.GetArena, arena_pb2.GetArenaRequest(game=game))


def ranking(client: Client, kind: pb.PlayKind.ValueType) -> pb.ListLeadersResponse:
    return client.call(client.service.ListLeaders, pb.ListLeadersRequest(game=GAME, kind=kind))


def over(client: Client, fits: Callable[[arena_pb2.ArenaGame], bool]) -> arena_pb2.ArenaGame | None:
    """Return a game that was played to its end."""
    return next((game for game in arena(client).recent if not game.unplayed and fits(game)), None)


def counted(bot: Client, session_id: str) -> pb.PlayedGame | None:
    """Return a game as a bot finds it among its own, once it has changed its rating."""
    games = bot.call(bot.service.ListResults, pb.ListResultsRequest(game=GAME)).games
    return next((game for game in games if game.session_id == session_id and game.HasField("change")), None)


@contextlib.contextmanager
def occupied(bot: Client) -> Iterator[None]:
    """Let a bot occupy the arena's only place within the block: whoever enters in it is paired afterwards, among all."""
    enter(bot, game=OTHER_GAME)
    game = once(lambda: next((game for game in arena(bot, OTHER_GAME).live if game.session_id), None))
    yield
    enter(bot, game=OTHER_GAME, at_once=0)
    bot.join_session(game.session_id).resign()


def test_two_bots_and_a_level_are_paired_play_to_the_end_and_are_rated(deployment: Deployment) -> None:
    def client(name: str = "", token: str = "") -> Client:
        return Client(deployment.grpc_address, name=name, token=token)

    with client("Ada") as ada, client("Bert") as bert, client() as anybody:
        made = {name: owned_bots.bot_of(owner, name, SCOPES) for name, owner in (("One", ada), ("Other", bert), ("Busy", ada))}
        ids = {name: bot_id for name, (bot_id, _) in made.items()}
        tokens = {name: token.api_token for name, (_, token) in made.items()}
        with (
            client(token=tokens["One"]) as one,
            client(token=tokens["Other"]) as other,
            client(token=tokens["Busy"]) as busy,
            living(deployment, tokens["One"]),
            living(deployment, tokens["Other"]),
        ):
            with occupied(busy):
                enter(ada, bot_id=ids["One"])  # its owner sends it
                enter(other)  # it goes by itself
                assert not arena(anybody).live
            bots = {ids["One"]: one, ids["Other"]: other}
            among_bots = once(lambda: over(anybody, lambda game: all(seat.player_id for seat in game.seats)))
            with_level = once(lambda: over(anybody, lambda game: any(seat.level for seat in game.seats)))
            assert {seat.player_id: seat.name for seat in among_bots.seats} == {ids["One"]: "One", ids["Other"]: "Other"}
            for game in (among_bots, with_level):
                assert sorted(seat.place for seat in game.seats) == [1, 2]
                for seat in game.seats:
                    if seat.player_id:
                        played = once(lambda: counted(bots[seat.player_id], game.session_id))  # noqa: B023 - called here
                        assert played.place == seat.place
                        assert (played.change.after > played.change.before) == (seat.place == 1)
                        assert played.change.after != played.change.before
            for bot in bots.values():
                enter(bot, at_once=0)
        shown = ranking(anybody, pb.PLAY_KIND_ARENA_TWO)
        assert {leader.player_id: leader.name for leader in shown.leaders} == {ids["One"]: "One", ids["Other"]: "Other"}
        assert all(leader.bot and leader.games for leader in shown.leaders)
        assert len({leader.rating for leader in shown.leaders}) == 2
        (level,) = {seat.level for seat in with_level.seats} - {""}
        assert level in {rating.level for rating in shown.levels}
        assert not ranking(anybody, pb.PLAY_KIND_TWO).leaders, "these are the ratings of games with people"
        found = anybody.call(anybody.service.SearchGames, play_pb2.SearchGamesRequest(game=GAME, arena=True)).games
        assert {among_bots.session_id, with_level.session_id} <= {game.session.id for game in found}
