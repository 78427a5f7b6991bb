"""A game whose package is broken is left out: the others are played, and its sessions wait until it is mended."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import grpc
import httpx
import pytest

from brettwerk.v1 import errors_pb2, play_pb2, sessions_pb2
from deploy.local.deployment import Deployment
from deploy.local.processes import Processes
from services.runtime.refusal import of_rpc_error
from tests.brettwerk_games.packages.packages import install
from tests.e2e.stranger import Stranger, computer, eventually, me, new_id

pytestmark = pytest.mark.e2e

GAME = "duel"
AT_MOST = 6
"""How often a service may be asked for its computers, or say that it cannot go on."""


@contextmanager
def started(data: Path, site: Path) -> Iterator[Deployment]:
    with Deployment(data=data, processes=Processes(web=False), environment={"PYTHONPATH": str(site)}) as deployment:
        yield deployment


def create(who: Stranger, *seats: play_pb2.SeatWish, game: str = GAME) -> play_pb2.CreateSessionResponse:
    request = play_pb2.CreateSessionRequest(game=game, seats=seats, request_id=new_id())
    return who.stub.CreateSession(request, metadata=who.metadata, timeout=20)


def refusal(error: grpc.RpcError) -> errors_pb2.Refusal:
    return of_rpc_error(error, "gateway").refusal


def series(deployment: Deployment, process: str, name: str) -> float:
    """Return the sum of the series of a process whose names begin so."""
    shown = httpx.get(f"http://{deployment.metrics_address(process)}/metrics", timeout=30).text
    return sum(float(line.rpartition(" ")[2]) for line in shown.splitlines() if line.startswith(name))


def log_lines(deployment: Deployment, process: str) -> list[dict[str, object]]:
    lines = (deployment.data / "logs" / f"{process}.log").read_text().splitlines()
    return [json.loads(line) for line in lines if line.startswith("{")]


@pytest.mark.nightly
def test_sessions_of_a_game_that_is_left_out_wait_until_its_package_is_mended(tmp_path: Path) -> None:
    site, data = tmp_path / "site", tmp_path / "data"
    package = install(site, GAME)
    sound = (package / "__init__.py").read_text()
    with started(data, site) as deployment:
        ada = Stranger(deployment.grpc_address, "Ada")
        mine, computers = create(ada, me(), me()), create(ada, computer("strong"), computer("strong"))
        tokens = {grant.seat: grant.seat_token for grant in mine.grants}
        session, other = mine.session.id, computers.session.id
        update = ada.look(session, tokens[0])
        seat = 0 if update.actions else 1
        ada.act(ada.look(session, tokens[seat]), tokens[seat])
        before = ada.look(session).version
        ada.close()

    (package / "__init__.py").write_text(f"{sound}\nimport no_such_module\n")
    with started(data, site) as deployment:
        bob = Stranger(deployment.grpc_address, "Bob")
        listed = bob.stub.ListGames(play_pb2.ListGamesRequest(), metadata=bob.metadata, timeout=20).games
        assert [game.id for game in listed] == ["einstein", "emperado", "plateau", "wec"]
        played, seats = bob.create(me(), computer())
        assert bob.play(played.id, seats[0]).session.state == sessions_pb2.Session.STATE_FINISHED

        for ask in (lambda: bob.look(session), lambda: create(bob, me(), computer())):
            with pytest.raises(grpc.RpcError) as refused:
                ask()
            said = refusal(refused.value)
            assert (said.reason, said.details["left_out"]) == (errors_pb2.REASON_UNAVAILABLE, GAME)
            assert said.message == (
                "the game duel is left out here, since its package is broken; its sessions are kept until it is mended"
            )
        found = bob.stub.ListSessions(play_pb2.ListSessionsRequest(), metadata=bob.metadata, timeout=20).sessions
        assert session not in {one.id for one in found}
        for process in ("rules", "ai", "players"):
            assert series(deployment, process, "brettwerk_games_left_out") == 1
            logged = [line for line in log_lines(deployment, process) if "is left out" in str(line["event"])]
            assert [line["event"] for line in logged] == [
                "the game duel of the package duel is left out: it cannot be loaded and begun "
                "(ModuleNotFoundError: No module named 'no_such_module')"
            ]

        again, seats = bob.create(me(), computer())
        bob.play(again.id, seats[0])  # meanwhile sessions are looked at many times
        assert series(deployment, "ai", 'brettwerk_ai_attempts_total{outcome="unplayable"}') <= AT_MOST
        assert sum(one in str(line) for line in log_lines(deployment, "session") for one in (session, other)) <= AT_MOST
        bob.close()

    (package / "__init__.py").write_text(sound)
    with started(data, site) as deployment:
        eve = Stranger(deployment.grpc_address, "Eve")
        assert eve.look(session).version == before
        seat = 1 - seat
        eve.act(eve.look(session, tokens[seat]), tokens[seat])
        now = eve.look(other)
        assert now.session.state == sessions_pb2.Session.STATE_RUNNING
        eventually(lambda: eve.look(other).version > now.version, within_s=60)
        eve.close()
