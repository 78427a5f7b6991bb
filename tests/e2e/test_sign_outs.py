"""Acts that void tokens void those of seats too: at two gateways, in calls and in watches that are open, within a second."""

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import grpc
import pytest

from brettwerk.v1 import accounts_pb2, bots_pb2, errors_pb2, play_pb2, sessions_pb2
from brettwerk_client import Action, Client, refusals
from deploy.local.claims import Claims
from deploy.local.deployment import Deployment
from loadtests.chaos.beside import Beside, Place
from tests.clients.owned_bots import bot_of, choose, revoke
from tests.e2e.stranger import Stranger, computer, in_background, me, new_id, nobody, taken

pytestmark = pytest.mark.e2e
TIMEOUT_S = 60.0
"""A second is promised; this is for a machine that has much other work."""


@pytest.fixture(scope="module")
def other_gateway(deployment: Deployment, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The gRPC address of a second gateway of the deployment."""
    place = Place.take(Claims())
    log = tmp_path_factory.mktemp("gateway") / "gateway-2.log"
    gateway = Beside("gateway-2", "gateway", {**deployment.environment, **place.gateway()}, place, log, lambda *_: None)
    gateway.start()
    try:
        assert gateway.wait(60)
        yield place.grpc
    finally:
        gateway.end()


class Observer:
    """Somebody at a gateway who has a seat's token, and nothing else."""

    def __init__(self, address: str, session_id: str, token: str) -> None:
        self._stranger = Stranger(address, name="Eve")
        self._session_id, self._token = session_id, token
        self._lost = threading.Event()
        self._watching = in_background(self._watch)

    def _watch(self) -> None:
        request = play_pb2.WatchRequest(session_id=self._session_id, seat_token=self._token)
        with contextlib.suppress(grpc.RpcError):
            for message in self._stranger.stub.Watch(request):
                if message.resync.cause == play_pb2.Resync.CAUSE_SEAT:
                    self._lost.set()

    def is_refused(self) -> bool:
        """Return whether the token is refused as a wrong one is; what it still shows it is not used for."""
        wrong = self._refusal(self._stranger.stub.GetSession, play_pb2.GetSessionRequest(seat_token="wrong"))
        looking = self._refusal(self._stranger.stub.GetSession, play_pb2.GetSessionRequest(seat_token=self._token))
        if looking is None:
            return False
        resigning = self._refusal(self._stranger.stub.Resign, play_pb2.ResignRequest(seat_token=self._token, request_id=new_id()))
        return looking == resigning == wrong

    def until_refused(self) -> None:
        """Return when calls are refused and the watch has lost the seat."""
        until = time.monotonic() + TIMEOUT_S
        while not self.is_refused():
            assert time.monotonic() < until, "the token is still good"
            time.sleep(0.02)
        assert self._lost.wait(until - time.monotonic()), "the watch still shows the seat"

    def close(self) -> None:
        self._stranger.close()
        self._watching.join(20)

    def _refusal(self, ask: Callable[..., object], request: Any) -> errors_pb2.Refusal | None:
        request.session_id = self._session_id
        try:
            taken(lambda: ask(request, timeout=20))
        except grpc.RpcError as error:
            refusal = refusals.of_call(error).refusal
            refusal.ClearField("trace_id")
            return refusal
        return None


@contextlib.contextmanager
def observing(session_id: str, token: str, *addresses: str) -> Iterator[Callable[[], None]]:
    """Yield what returns when a token is good for nothing at any gateway, which was so at none before."""
    observers = [Observer(address, session_id, token) for address in addresses]
    assert not any(observer.is_refused() for observer in observers)

    def until_refused() -> None:
        for observer in observers:
            observer.until_refused()

    yield until_refused
    for observer in observers:
        observer.close()


def test_signing_out_everywhere_voids_seat_tokens_at_every_gateway(deployment: Deployment, other_gateway: str) -> None:
    with Client(deployment.grpc_address, name="Ada") as ada:
        ada.call(ada.service.StartLink, accounts_pb2.StartLinkRequest())
        seat = ada.create_session("einstein", [me(), nobody()]).seat
        with observing(seat.session_id, seat.token, deployment.grpc_address, other_gateway) as until_refused:
            signed_out = ada.call(ada.service.SignOutEverywhere, accounts_pb2.SignOutEverywhereRequest())
            until_refused()
    with Client(other_gateway, token=signed_out.player_token) as again:
        new = again.join_session(seat.session_id, 0)
        assert new.update().session.state == sessions_pb2.Session.STATE_WAITING


def test_a_deleted_account_leaves_no_seat_token(deployment: Deployment, other_gateway: str) -> None:
    with Client(deployment.grpc_address, name="Ada") as ada:
        seat = ada.create_session("einstein", [me(), nobody()]).seat
        with observing(seat.session_id, seat.token, deployment.grpc_address, other_gateway) as until_refused:
            ada.call(ada.service.DeleteAccount, accounts_pb2.DeleteAccountRequest(name="Ada"))
            until_refused()


def test_a_suspended_bot_has_no_seat_token_and_takes_its_seat_again_afterwards(
    deployment: Deployment, other_gateway: str
) -> None:
    with Client(deployment.grpc_address, name="Ada") as owner:
        bot_id, made = bot_of(owner)
        with Client(other_gateway, token=made.api_token) as bot:
            seat = bot.create_session("einstein", [me(), nobody()]).seat
            with observing(seat.session_id, seat.token, deployment.grpc_address, other_gateway) as until_refused:
                owner.call(owner.service.SuspendBot, bots_pb2.SuspendBotRequest(bot_id=bot_id, suspended=True))
                until_refused()
            owner.call(owner.service.SuspendBot, bots_pb2.SuspendBotRequest(bot_id=bot_id))
            until = time.monotonic() + TIMEOUT_S
            while True:  # the other gateway has to hear that the bot's token is good again
                try:
                    again = bot.join_session(seat.session_id, 0)
                    break
                except refusals.NoToken:
                    assert time.monotonic() < until
                    time.sleep(0.05)
            assert again.update().session.seats


def test_a_bot_goes_on_with_its_game_when_another_token_of_it_is_revoked(deployment: Deployment, other_gateway: str) -> None:
    with Client(deployment.grpc_address, name="Ada") as owner:
        bot_id, lost = bot_of(owner)
        wanted = bots_pb2.CreateApiTokenRequest(label="kept", scopes=[bots_pb2.SCOPE_PLAY], bot_id=bot_id)
        kept = owner.call(owner.service.CreateApiToken, wanted)
        with Client(other_gateway, token=kept.api_token) as bot:
            seat = bot.create_session("einstein", [me(), computer()]).seat
            first = seat.token
            with observing(seat.session_id, first, deployment.grpc_address) as until_refused:

                def revoke_once(update: sessions_pb2.Update) -> Action:
                    if seat.token == first:
                        revoke(owner, lost)
                        until_refused()
                    return choose(update)

                assert seat.play(revoke_once).places
            assert seat.token != first
