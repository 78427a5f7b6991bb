"""With packages of games installed, Brettwerk plays them: people by gRPC, and the computer.

They are examples, and one as scripts/new-game writes it.
"""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from brettwerk.v1 import play_pb2, sessions_pb2
from deploy.local.deployment import Deployment
from deploy.local.processes import Processes
from tests.e2e.stranger import OVER, Stranger, computer, in_background, me, new_id, nobody
from tests.examples.installing import ROOT, environment, installed
from tests.night import by_day

pytestmark = [pytest.mark.e2e, pytest.mark.slow]
ENDINGS = {
    "connect_four": ("C4-END-1", "C4-END-2"),
    "liars_dice": ("LD-END-1",),
    "stone_garden": ("SG-END-1", "SG-END-2"),
}
GAMES = pytest.mark.parametrize("game", by_day(ENDINGS, "connect_four"))


def new_game(folder: Path) -> Path:
    """Return the package of a game that nobody has changed."""
    words = ["stone_garden", "--seats", "2", "--grid", "6x7", "--folder", str(folder)]
    subprocess.run([sys.executable, str(ROOT / "scripts" / "new-game"), *words], check=True, capture_output=True, timeout=60)
    return folder / "brettwerk-stone-garden"


@pytest.fixture(scope="module")
def with_games(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployment]:
    examples = [ROOT / "examples" / name for name in ("connect_four", "liars_dice")]
    packages = (*examples, new_game(tmp_path_factory.mktemp("new_game")))
    sites = [installed(package, tmp_path_factory.mktemp("package")) for package in packages]
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("PYTHONPATH", environment(*sites)["PYTHONPATH"])
        with Deployment(data=tmp_path_factory.mktemp("deployment"), processes=Processes(web=False)) as started:
            yield started


@pytest.fixture
def ada(with_games: Deployment) -> Iterator[Stranger]:
    stranger = Stranger(with_games.grpc_address, "Ada")
    yield stranger
    stranger.close()


def begun(player: Stranger, game: str, *seats: play_pb2.SeatWish) -> tuple[sessions_pb2.Session, dict[int, str]]:
    request = play_pb2.CreateSessionRequest(game=game, seats=seats, request_id=new_id())
    made = player.stub.CreateSession(request, metadata=player.metadata, timeout=20)
    return made.session, {grant.seat: grant.seat_token for grant in made.grants}


@pytest.mark.nightly
def test_a_client_is_told_its_words(ada: Stranger) -> None:
    received = ada.stub.GetGame(play_pb2.GetGameRequest(game="connect_four", language="de"), metadata=ada.metadata, timeout=20)
    assert received.catalogue["game.name"] == "Vier gewinnt"
    assert "C4-END-1" in received.rules_page


def test_they_are_listed_among_the_games_of_brettwerk(ada: Stranger) -> None:
    games = ada.stub.ListGames(play_pb2.ListGamesRequest(), metadata=ada.metadata, timeout=20).games
    assert [game.id for game in games] == ["connect_four", "einstein", "emperado", "liars_dice", "plateau", "stone_garden", "wec"]


@GAMES
def test_two_people_play_a_whole_game(with_games: Deployment, ada: Stranger, game: str) -> None:
    session, tokens = begun(ada, game, me(), nobody())
    bob = Stranger(with_games.grpc_address, "Bob")
    grant = bob.join(session.id)

    def answer() -> None:
        bob.play(session.id, grant.seat_token)

    other = in_background(answer)
    last = ada.play(session.id, tokens[0])
    other.join(60)
    bob.close()
    assert last.session.outcome.rule in ENDINGS[game]


@GAMES
def test_the_computer_plays_a_whole_game(ada: Stranger, game: str) -> None:
    session, tokens = begun(ada, game, me(), computer("easy"))
    last = ada.play(session.id, tokens[0])
    assert last.session.state in OVER
    assert last.session.outcome.rule in ENDINGS[game]
    assert len(ada.record(session.id).entries) >= 7
