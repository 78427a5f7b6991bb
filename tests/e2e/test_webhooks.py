"""Webhooks of a whole deployment whose players service is killed while messages are on their way."""

import json
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from brettwerk.v1 import opponents_pb2, webhooks_pb2
from brettwerk_client import Client, me
from deploy.local.deployment import Deployment
from deploy.local.processes import Processes
from services.players.notifications.webhook_delivery import AT_ONCE
from services.players.notifications.webhooks import MAX_WEBHOOKS
from tests.push_endpoint import PushEndpoint

pytestmark = [pytest.mark.e2e, pytest.mark.nightly, pytest.mark.timeout(900)]
RECEIVERS, CHALLENGERS = 4, 3
EXPECTED = RECEIVERS * MAX_WEBHOOKS * CHALLENGERS
KILLED_AT = (EXPECTED // 6, EXPECTED // 2)
"""How many messages have come when the service is killed."""
TABLES = RECEIVERS * MAX_WEBHOOKS


@pytest.fixture
def endpoint(tmp_path: Path) -> Iterator[PushEndpoint]:
    with PushEndpoint(tmp_path) as running:
        yield running


@pytest.fixture
def deployment(tmp_path: Path, endpoint: PushEndpoint) -> Iterator[Deployment]:
    players = {"BRETTWERK_WEBHOOK_HOSTS": endpoint.host, "SSL_CERT_FILE": str(endpoint.authority.file)}
    processes = Processes(web=False, own_environment={"players": players})
    with Deployment(data=tmp_path / "deployment", processes=processes) as started:
        yield started


def until_there_are(endpoint: PushEndpoint, count: int) -> None:
    """Wait until so many messages have come, repeats not counted."""
    end = time.monotonic() + 300
    with endpoint.came:
        while len({one.headers["webhook-id"] for one in endpoint.received}) < count:
            assert time.monotonic() < end, f"{len(endpoint.received)} of {count} messages came"
            endpoint.came.wait(1)


def test_a_service_that_is_killed_loses_no_message_and_repeats_only_those_on_their_way(
    deployment: Deployment, endpoint: PushEndpoint
) -> None:
    receivers = [Client(deployment.grpc_address, name=f"Receiver {number}") for number in range(RECEIVERS)]
    challengers = [Client(deployment.grpc_address, name=f"Challenger {number}") for number in range(CHALLENGERS)]
    for number, receiver in enumerate(receivers):
        for hook in range(MAX_WEBHOOKS):
            request = webhooks_pb2.AddWebhookRequest(url=f"{endpoint.origin}/{number}/{hook}", language="en")
            receiver.call(receiver.service.AddWebhook, request)
    endpoint.hangs_s = 0.3  # so that there are always some on their way

    def challenge(challenger: Client) -> None:
        for receiver in receivers:
            assert receiver.player is not None
            asked = opponents_pb2.ChallengePlayerRequest(player_id=receiver.player.id, game="einstein")
            challenger.call(challenger.service.ChallengePlayer, asked)

    playing = [threading.Thread(target=challenge, args=(challenger,)) for challenger in challengers]
    for thread in playing:
        thread.start()
    for count in KILLED_AT:
        until_there_are(endpoint, count)
        deployment.kill("players")
        deployment.wait("players")
    for thread in playing:
        thread.join()
    until_there_are(endpoint, EXPECTED)
    for client in (*receivers, *challengers):
        client.close()

    received = Counter((one.path, json.loads(one.body)["data"]["challenge_id"]) for one in endpoint.received)
    ids = Counter(one.headers["webhook-id"] for one in endpoint.received)
    assert len(received) == len(ids) == EXPECTED, "each challenge has come to each webhook, under one id"
    assert sum(received.values()) - EXPECTED <= AT_ONCE * len(KILLED_AT), "only what was on its way has come again"
    assert max(ids.values()) <= 1 + len(KILLED_AT)


def test_a_service_that_is_killed_loses_neither_the_turn_nor_the_end_of_a_table(
    deployment: Deployment, endpoint: PushEndpoint
) -> None:
    clients = [Client(deployment.grpc_address, name=f"Host {number}") for number in range(RECEIVERS)]
    endpoint.hangs_s = 0.3
    tables = [client.create_session("einstein", [me(), me()]) for client in clients for _ in range(MAX_WEBHOOKS)]
    for table in tables:
        client, session_id = table.seat.client, table.session.id
        request = webhooks_pb2.AddWebhookRequest(url=f"{endpoint.origin}/{session_id}", language="en", session_id=session_id)
        client.call(client.service.AddWebhook, request)
    for kind, before in (("turn", 0), ("game_over", TABLES)):
        if kind == "game_over":
            for table in tables:
                table.seats[0].resign()
        until_there_are(endpoint, before + TABLES // 3)
        deployment.kill("players")
        deployment.wait("players")
        until_there_are(endpoint, before + TABLES)
    for client in clients:
        client.close()

    received = Counter((one.path, json.loads(one.body)["data"]["kind"]) for one in endpoint.received)
    expected = {(f"/{table.session.id}", kind) for table in tables for kind in ("turn", "game_over")}
    assert set(received) == expected, "each table's turn and end have come"
    assert len({one.headers["webhook-id"] for one in endpoint.received}) == len(expected), "each under one id"
    assert sum(received.values()) - len(expected) <= AT_ONCE * 2, "only what was on its way has come again"
