"""Mails that are ended by a mail program: by POST, without a token, and never by a mere look at the address."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc
import pytest_asyncio

from brettwerk.internal.v1 import players_pb2, players_pb2_grpc
from services.players.calls import Calls
from services.players.news.tables import MAILBOXES
from services.players.notifications.notifications import Notifications
from services.players.store import open_store
from services.runtime.endpoint import CallInterceptor
from services.runtime.inner_calls import by_all_names
from tests.gateway.conftest import OpenGateway
from tests.web_client import web_client

FORM = {"List-Unsubscribe": "One-Click"}
CODE = "a-code_of-22-characters"


class Service(players_pb2_grpc.PlayersServiceServicer):
    """The players service, as far as it answers calls about notifications."""

    def __init__(self, calls: Calls) -> None:
        self._calls = calls

    async def AnswerCall(self, request: players_pb2.AnswerCallRequest, context: Any) -> players_pb2.AnswerCallResponse:
        return await self._calls.answer(request)

    async def ListSignOuts(self, request: Any, context: Any) -> players_pb2.ListSignOutsResponse:
        return players_pb2.ListSignOutsResponse(cursor=request.after)


class Place:
    """A gateway, a players service behind it that knows a mail address, and a mail program."""

    def __init__(self, web: str, store: Any) -> None:
        self.client = web_client(base_url=web)
        self._store = store

    def addresses(self) -> list[str]:
        """Return who gets mail."""
        return [row.address for row in self._store.run_here(lambda connection: connection.execute(MAILBOXES.select()).all())]


@pytest_asyncio.fixture(loop_scope="session")
async def place(open_gateway: OpenGateway, tmp_path: Path) -> AsyncIterator[Place]:
    store = open_store(f"sqlite:///{tmp_path}/players.sqlite3")
    row = {"player_id": "a", "address": "ada@example.org", "asked_at_ms": 1, "confirmed_at_ms": 1, "stop_code": CODE}
    row |= {"refusals": 0, "sent_version": 0, "claimed_until_ms": 0, "attempts": 0}
    await store.run(lambda connection: connection.execute(MAILBOXES.insert().values(row)))
    server = grpc.aio.server(interceptors=[CallInterceptor("players")])
    calls = Calls(Notifications(store, b"k" * 32, None, None, None, lambda: 1).handlers())
    players_pb2_grpc.add_PlayersServiceServicer_to_server(Service(calls), by_all_names(server))  # type: ignore[abstract] # nothing else is asked
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    running = await open_gateway(players_address=f"127.0.0.1:{port}")
    made = Place(running.web, store)
    yield made
    await made.client.aclose()
    await server.stop(None)
    store.close()


async def test_a_mail_program_ends_mails_by_one_post_and_may_ask_twice(place: Place) -> None:
    for form in ({"data": FORM}, {"files": {"List-Unsubscribe": (None, "One-Click")}}):
        response = await place.client.post(f"/unsubscribe/{CODE}", **form)
        assert response.status_code == 200, response.text
        assert response.headers["cache-control"] == "no-store"
        assert place.addresses() == []


async def test_a_look_at_the_address_ends_nothing(place: Place) -> None:
    for method in ("GET", "HEAD"):
        await place.client.request(method, f"/unsubscribe/{CODE}", headers={"accept": "text/html"})
    assert place.addresses() == ["ada@example.org"]


async def test_another_code_ends_nothing(place: Place) -> None:
    assert (await place.client.post("/unsubscribe/another", data=FORM)).status_code == 200
    assert place.addresses() == ["ada@example.org"]


async def test_an_unsubscription_that_is_too_long_is_refused(place: Place) -> None:
    assert (await place.client.post(f"/unsubscribe/{CODE}", content=b"x" * 2000)).status_code == 413
    assert (await place.client.post(f"/unsubscribe/{'a' * 201}", data=FORM)).status_code == 400
    assert place.addresses() == ["ada@example.org"]
