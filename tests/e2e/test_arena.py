"""The arena of a whole deployment: bots with API tokens and the computer levels play to the end, and ratings come of it."""

import contextlib
import subprocess
import sys
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from typing import TypeVar

import pytest

from brettwerk.v1 import arena_pb2, bots_pb2, play_pb2
from brettwerk.v1 import profiles_pb2 as pb
from brettwerk_client import Client, Refused, Seat
from deploy.local.deployment import Deployment
from deploy.local.processes import Processes
from tests.clients import owned_bots

pytestmark = pytest.mark.e2e
GAME, OTHER_GAME = "einstein", "wec"
SCOPES = (*owned_bots.SCOPES, bots_pb2.SCOPE_GAMES_READ)
EXAMPLE = Path(__file__).parents[2] / "examples" / "citizen.py"
Found = TypeVar("Found")


@pytest.fixture
def games_at_once() -> int:
    return 1


@pytest.fixture
def deployment(tmp_path: Path, games_at_once: int) -> Iterator[Deployment]:
    room = {"BRETTWERK_ARENA_GAMES": str(games_at_once)}
    with Deployment(data=tmp_path / "deployment", processes=Processes(web=False), environment=room) as started:
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


def results(bot: Client) -> Sequence[pb.PlayedGame]:
    """Return the games of a bot that have changed its rating, newest first."""
    games = bot.call(bot.service.ListResults, pb.ListResultsRequest(game=GAME)).games
    return [game for game in games if game.HasField("change")]


def counted(bot: Client, session_id: str) -> pb.PlayedGame | None:
    """Return a game as a bot finds it among its own, once it has changed its rating."""
    return next((game for game in results(bot) if game.session_id == session_id), None)


@contextlib.contextmanager
def occupied(bot: Client) -> Iterator[None]:
    """Let a bot occupy the arena's only place within the block: whoever enters in it is paired afterwards, among all."""
    enter(bot, game=OTHER_GAME)
    game = once(lambda: next((game for game in arena(bot, OTHER_GAME).live if game.session_id), None))
    yield
    enter(bot, game=OTHER_GAME, at_once=0)
    bot.join_session(game.session_id).resign()


@pytest.mark.nightly
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


@pytest.mark.nightly
@pytest.mark.parametrize("games_at_once", [3])
def test_games_that_last_while_the_process_that_pairs_is_killed_are_not_lost_and_count_once(deployment: Deployment) -> None:
    def reached(look: Callable[[], Found | None]) -> Callable[[], Found | None]:
        """Look again where the service is still coming back."""

        def tried() -> Found | None:
            with contextlib.suppress(Refused):
                return look()
            return None

        return tried

    with Client(deployment.grpc_address, name="Ada") as ada:
        bot_id, token = owned_bots.bot_of(ada, "One", SCOPES)
        with Client(deployment.grpc_address, token=token.api_token) as one:
            enter(one, at_once=3)
            games = once(lambda: ids if len(ids := {game.session_id for game in arena(one).live} - {""}) == 3 else None)
            over, *others = seats = [one.join_session(session_id) for session_id in games]
            for seat in others:
                act_once(seat)
            owned_bots.play_out(over)
            deployment.kill("players")  # one game is over and may not be counted yet, two are in their midst
            owned_bots.play_out(others[0])  # it ends while nobody pairs or counts
            deployment.wait("players")
            owned_bots.play_out(others[1])
            ended = once(reached(lambda: all_over(one, games)))
            assert not any(game.unplayed for game in ended)
            played = once(reached(lambda: found if len(found := results(one)) >= len(games) else None))
            # The process that has taken the lease over goes on: nobody but the bot joins, so the next games are only there.
            assert once(reached(lambda: {game.session_id for game in arena(one).live} - {"", *games} or None))
            enter(one, at_once=0)
            assert sorted(game.session_id for game in played) == sorted(seat.session_id for seat in seats)
            (leader,) = ranking(one, pb.PLAY_KIND_ARENA_TWO).leaders
            assert (leader.player_id, leader.games) == (bot_id, len(games))
            before, after = ({getattr(game.change, when) for game in played} for when in ("before", "after"))
            assert after - before == {leader.rating}
            assert len(before - after) == 1, "each change begins where another has ended"


def act_once(seat: Seat) -> None:
    """Play an action as soon as it is the seat's turn."""
    update = once(lambda: found if (found := seat.update()).actions else None)
    seat.act(update, owned_bots.choose(update))


def all_over(client: Client, games: Collection[str]) -> Sequence[arena_pb2.ArenaGame] | None:
    """Return the arena's games with these ids once all of them are over."""
    recent = [game for game in arena(client).recent if game.session_id in games]
    return recent if len(recent) == len(games) else None
