"""With the example's package installed, Brettwerk plays its game: people by gRPC, and the computer."""

from collections.abc import Iterator

import pytest

from brettwerk.v1 import play_pb2, sessions_pb2
from deploy.local.deployment import Deployment
from tests.e2e.stranger import OVER, Stranger, computer, in_background, me, new_id, nobody
from tests.examples.installing import ROOT, environment, installed

pytestmark = [pytest.mark.e2e, pytest.mark.slow]


@pytest.fixture(scope="module")
def with_game(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployment]:
    site = installed(ROOT / "examples" / "connect_four", tmp_path_factory.mktemp("package"))
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("PYTHONPATH", environment(site)["PYTHONPATH"])
        with Deployment(data=tmp_path_factory.mktemp("deployment"), web=False) as started:
            yield started


@pytest.fixture
def ada(with_game: Deployment) -> Iterator[Stranger]:
    stranger = Stranger(with_game.grpc_address, "Ada")
    yield stranger
    stranger.close()


def begun(player: Stranger, *seats: play_pb2.SeatWish) -> tuple[sessions_pb2.Session, dict[int, str]]:
    request = play_pb2.CreateSessionRequest(game="connect_four", seats=seats, request_id=new_id())
    made = player.stub.CreateSession(request, metadata=player.metadata, timeout=20)
    return made.session, {grant.seat: grant.seat_token for grant in made.grants}


def test_a_client_is_told_its_words(ada: Stranger) -> None:
    received = ada.stub.GetGame(play_pb2.GetGameRequest(game="connect_four", language="de"), metadata=ada.metadata, timeout=20)
    assert received.catalogue["game.name"] == "Vier gewinnt"
    assert "C4-END-1" in received.rules_page


def test_it_is_listed_beside_the_games_of_brettwerk(ada: Stranger) -> None:
    games = ada.stub.ListGames(play_pb2.ListGamesRequest(), metadata=ada.metadata, timeout=20).games
    assert [game.id for game in games] == ["connect_four", "einstein", "emperado", "plateau", "wec"]


def test_two_people_play_a_whole_game(with_game: Deployment, ada: Stranger) -> None:
    session, tokens = begun(ada, me(), nobody())
    bob = Stranger(with_game.grpc_address, "Bob")
    grant = bob.join(session.id)

    def answer() -> None:
        bob.play(session.id, grant.seat_token)

    other = in_background(answer)
    last = ada.play(session.id, tokens[0])
    other.join(60)
    bob.close()
    assert last.session.outcome.rule in ("C4-END-1", "C4-END-2")


def test_the_computer_plays_a_whole_game(ada: Stranger) -> None:
    session, tokens = begun(ada, me(), computer("easy"))
    last = ada.play(session.id, tokens[0])
    assert last.session.state in OVER
    assert last.session.outcome.rule in ("C4-END-1", "C4-END-2")
    happened = ada.record(session.id)
    assert len(happened.entries) >= 7
