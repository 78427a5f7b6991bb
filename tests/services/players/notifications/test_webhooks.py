"""News on their way to webhooks: to a real server that the test runs, and that behaves badly where the test wants it to."""

import asyncio
import base64
import json
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

import pytest
from standardwebhooks.webhooks import Webhook as Verifier

from brettwerk.v1 import accounts_pb2, news_pb2
from brettwerk.v1 import notifications_pb2 as pb
from brettwerk.v1 import webhooks_pb2 as hooks_pb
from services.players.news import backlog
from services.players.news.tables import WEBHOOKS
from services.players.notifications import webhook_delivery
from services.players.notifications.allowed_hosts import AllowedHosts
from services.players.notifications.links import Links
from services.players.notifications.webhook_delivery import WebhookDelivery
from services.runtime.refusal import Refused
from tests.push_endpoint import Received
from tests.services.players.notifications.place import ADA, BOB, HOUR, MINUTE, NOON, ORIGIN, TAKEN, Place

DAY = 24 * HOUR


class Hooked:
    """Players with webhooks."""

    def __init__(self, place: Place) -> None:
        self.place = place

    async def add(self, path: str = "hook", caller: Any = ADA, **wanted: Any) -> tuple[hooks_pb.Webhook, str]:
        """Add a webhook at a path of the server; returns it and its secret."""
        url = path if "://" in path else f"{self.place.endpoint.origin}/{path}"
        request = hooks_pb.AddWebhookRequest(url=url, **{"language": "en", **wanted})
        response = await self.place.call("add_webhook", request, caller)
        return response.webhook, response.secret

    async def listed(self, caller: Any = ADA) -> list[hooks_pb.Webhook]:
        response = await self.place.call("list_webhooks", hooks_pb.ListWebhooksRequest(), caller)
        assert response.is_offered
        return list(response.webhooks)

    async def deliver(self) -> None:
        while await self.place.hooks.deliver():
            pass

    async def pass_time(self, ms: int, step: int = MINUTE) -> None:
        end = self.place.now_ms + ms
        while self.place.now_ms < end:
            await self.deliver()
            self.place.now_ms = min(end, self.place.now_ms + step)
        await self.deliver()

    def received(self, path: str = "hook") -> list[Received]:
        return [one for one in self.place.endpoint.received if one.path == f"/{path}"]


@pytest.fixture
def hooked(any_place: Place) -> Hooked:
    return Hooked(any_place)


@pytest.fixture
def alone(place: Place) -> Hooked:
    return Hooked(place)


async def test_a_turn_arrives_as_json_that_standard_webhooks_verifies_and_no_other_secret_does(hooked: Hooked) -> None:
    webhook, secret = await hooked.add()
    await hooked.place.note("07abc", title="Friday night", until_ms=NOON + HOUR)
    await hooked.deliver()
    (received,) = hooked.received()
    # its verifier holds the time against the real clock, which the test's is not: what is signed is compared with what came
    at = received.headers["webhook-timestamp"]
    assert at == str(NOON // 1000)
    made = Verifier(secret).sign(received.headers["webhook-id"], _moment(NOON), received.body.decode())
    assert made == received.headers["webhook-signature"]
    assert Verifier("whsec_" + base64.b64encode(b"x" * 32).decode()).sign(
        received.headers["webhook-id"], _moment(NOON), received.body.decode()
    ) != received.headers["webhook-signature"]  # fmt: skip
    assert json.loads(received.body) == {
        "type": "news.your_turn",
        "timestamp": "2027-01-15T12:00:00.000Z",
        "data": {
            "kind": "your_turn",
            "title": "Friday night",
            "text": "It is your turn.",
            "url": f"{ORIGIN}/s/07abc",
            "game": "einstein",
            "session_id": "07abc",
            "until": "2027-01-15T13:00:00.000Z",
            "at": "2027-01-15T12:00:00.000Z",
        },
    }
    assert webhook.host == "localhost"


async def test_chats_get_their_form_and_a_title_calls_nobody_there(alone: Hooked) -> None:
    forms = {"discord": hooks_pb.WEBHOOK_FORM_DISCORD, "slack": hooks_pb.WEBHOOK_FORM_SLACK}
    forms |= {"matrix": hooks_pb.WEBHOOK_FORM_MATRIX, "ntfy": hooks_pb.WEBHOOK_FORM_NTFY}
    for path, form in forms.items():
        assert (await alone.add(path, form=form, language="de"))[1] == ""
    await alone.place.note("07abc", title="<!channel> @everyone ö")
    await alone.deliver()
    said = {path: alone.received(path)[0] for path in forms}
    line, url = "<!channel> @everyone ö: Du bist am Zug.", f"{ORIGIN}/s/07abc"
    assert json.loads(said["discord"].body) == {"content": f"{line}\n{url}", "allowed_mentions": {"parse": []}}
    assert json.loads(said["slack"].body) == {"text": f"&lt;!channel&gt; @everyone ö: Du bist am Zug.\n<{url}>"}
    assert json.loads(said["matrix"].body) == {"text": f"{line}\n{url}"}
    assert said["ntfy"].body.decode() == "Du bist am Zug."
    assert said["ntfy"].headers["click"] == url
    title = said["ntfy"].headers["title"].removeprefix("=?UTF-8?B?").removesuffix("?=")
    assert base64.b64decode(title).decode() == "<!channel> @everyone ö"


async def test_each_wanted_item_that_is_still_news_is_sent_once(hooked: Hooked) -> None:
    await hooked.add(unsent=[TAKEN])
    await hooked.add("other", BOB)
    seen = await hooked.place.note("07abc")
    await hooked.place.handle("07abc", seen)
    await hooked.place.note("07abd", TAKEN)
    await hooked.place.note("07abe")
    await hooked.pass_time(10 * MINUTE)
    assert [json.loads(one.body)["data"]["session_id"] for one in hooked.received()] == ["07abe"]
    assert hooked.received("other") == []


async def test_in_quiet_hours_nothing_is_sent(alone: Hooked) -> None:
    await alone.add(time_zone="Europe/Berlin")
    await alone.place.set(quiet_from=12 * 60, quiet_until=15 * 60, time_zone="Europe/Berlin")  # it is 13:00 there
    await alone.place.note("07abc")
    await alone.pass_time(2 * HOUR - 1)
    assert alone.received() == []
    await alone.pass_time(1)
    assert len(alone.received()) == 1


async def test_a_process_that_dies_with_a_message_loses_nothing_and_the_receiver_can_tell_it_came_before(hooked: Hooked) -> None:
    await hooked.add()
    await hooked.place.note("07abc")
    claim = hooked.place.store.run(lambda connection: backlog.claim(connection, WEBHOOKS, NOON, 10))
    (row,) = await claim
    # it sent the message, and died before it noted that
    items = await hooked.place.store.run(lambda connection: backlog.news_of(connection, row.player_id, 0))
    await hooked.place.hooks.send(row, hooked.place.hooks._messages(row, items)[0][1])
    await hooked.deliver()
    assert len(hooked.received()) == 1
    await hooked.pass_time(2 * MINUTE)
    first, second = hooked.received()
    assert first.headers["webhook-id"] == second.headers["webhook-id"]
    await asyncio.gather(*(hooked.place.hooks.deliver() for _ in range(4)))
    assert len(hooked.received()) == 2


async def test_pauses_grow_and_after_two_days_it_is_off_with_news(hooked: Hooked) -> None:
    webhook, _ = await hooked.add(label="My chat")
    phone = await hooked.place.add_device()
    hooked.place.endpoint.answers["/hook"] = (500, {})
    await hooked.place.note("07abc")
    await hooked.place.deliver()
    waits = []
    while not (now := (await hooked.listed())[0]).off_at_ms:
        await hooked.deliver()
        (row,) = hooked.place.rows(WEBHOOKS)
        if row.due_at_ms is not None:
            waits.append(row.due_at_ms - hooked.place.now_ms)
            hooked.place.now_ms = row.due_at_ms
        assert hooked.place.now_ms < NOON + 3 * DAY
    assert waits[0] < MINUTE < 5 * HOUR < max(waits) < 7 * HOUR
    assert hooked.place.now_ms >= NOON + 2 * DAY
    assert (now.id, now.why) == (webhook.id, "500")
    await hooked.place.deliver()
    assert [(one["title"], one["path"]) for one in hooked.place.endpoint.messages(phone)][-1] == ("My chat", "/account")
    hooked.place.endpoint.answers.clear()
    await hooked.place.note("07abd")
    await hooked.pass_time(DAY, HOUR)
    assert hooked.received() == []
    await hooked.place.call("change_webhook", hooks_pb.ChangeWebhookRequest(id=webhook.id, is_on=True))
    await hooked.place.note("07abe")
    await hooked.deliver()
    assert [json.loads(one.body)["data"]["session_id"] for one in hooked.received()] == ["07abe"]


@pytest.mark.parametrize(("status", "form", "is_off"), [(410, 1, True), (404, 2, True), (404, 1, False)])
async def test_a_webhook_that_is_gone_is_off_at_once(alone: Hooked, status: int, form: Any, is_off: bool) -> None:
    await alone.add(form=form)
    alone.place.endpoint.answers["/hook"] = (status, {})
    await alone.place.note("07abc")
    await alone.deliver()
    (webhook,) = await alone.listed()
    assert (webhook.off_at_ms > 0) is is_off
    assert webhook.why == str(status)
    items = await alone.place.store.run(lambda connection: backlog.news_of(connection, ADA.player_id, 0))
    assert [one.kind == news_pb2.News.KIND_WEBHOOK_OFF for one in items] == [False, True][: 1 + is_off]


async def test_a_redirect_is_not_followed_even_to_the_same_host(alone: Hooked) -> None:
    await alone.add()
    for to in ("https://127.0.0.1:1/inner", f"{alone.place.endpoint.origin}/inner"):
        alone.place.endpoint.answers["/hook"] = (307, {"location": to})
        await alone.place.note("07abc")
        await alone.pass_time(2 * MINUTE)
    assert alone.received("inner") == []
    assert (await alone.listed())[0].why == "307"


@contextmanager
def _answering(place: Place, answer: Any) -> Iterator[str]:
    """Run an https server that does with each connection what `answer` says; yields its origin."""
    issued = place.endpoint.authority.issue("hook")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(issued["BRETTWERK_TLS_CERTIFICATE"], issued["BRETTWERK_TLS_KEY"])
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            while True:
                try:
                    connection, _ = server.accept()
                    with context.wrap_socket(connection, server_side=True) as stream:
                        stream.recv(65536)
                        answer(stream)
                except ssl.SSLError:
                    continue
                except OSError:
                    if server.fileno() < 0:
                        return

        threading.Thread(target=serve, daemon=True).start()
        yield f"https://localhost:{server.getsockname()[1]}"


def _endless(stream: ssl.SSLSocket) -> None:
    stream.sendall(b"HTTP/1.1 500 No\r\ntransfer-encoding: chunked\r\n\r\n")
    while True:
        stream.sendall(b"400\r\n" + b"x" * 1024 + b"\r\n")


def _silent(stream: ssl.SSLSocket) -> None:
    while stream.recv(4096):
        pass


@pytest.mark.parametrize(("answer", "why"), [(_endless, "500"), (_silent, "TimeoutError")])
async def test_an_endless_answer_and_none_at_all_end_soon(
    alone: Hooked, monkeypatch: pytest.MonkeyPatch, answer: Any, why: str
) -> None:
    monkeypatch.setattr(webhook_delivery, "TIMEOUT_S", 3.0 if why == "500" else 0.3)
    with _answering(alone.place, answer) as origin:
        hooks = _delivery(alone.place, origin.removeprefix("https://"), alone.place.endpoint.trusted)
        alone.place.use(hooks)
        await alone.add(f"{origin}/hook")
        await alone.place.note("07abc")
        await alone.deliver()
        assert (await alone.listed())[0].why == why


async def test_a_certificate_that_nobody_trusts_gets_nothing(alone: Hooked) -> None:
    alone.place.use(_delivery(alone.place, alone.place.endpoint.host, ssl.create_default_context()))
    await alone.add()
    await alone.place.note("07abc")
    await alone.deliver()
    assert alone.received() == []
    assert (await alone.listed())[0].why == "ConnectError"


async def test_a_name_that_leads_inside_is_not_called_unless_the_operator_names_it(alone: Hooked) -> None:
    alone.place.use(_delivery(alone.place, "*", alone.place.endpoint.trusted))
    await alone.add("https://localhost/hook")
    await alone.place.note("07abc")
    await alone.deliver()
    assert (await alone.listed())[0].why == "ConnectError"
    for wrong in (f"{alone.place.endpoint.origin}/hook", "http://localhost/hook", "https://u:p@example.org/", "nonsense", ""):
        with pytest.raises(Refused) as caught:
            await alone.add(wrong if "://" in wrong else f"{wrong}://")
        assert caught.value.refusal.field == "url"
    AllowedHosts("http://ntfy.lan:8080", "BRETTWERK_WEBHOOK_HOSTS", "url").check("http://ntfy.lan:8080/games")


async def test_a_renewed_secret_signs_beside_the_former_one_for_a_day(alone: Hooked) -> None:
    webhook, former = await alone.add()
    request = hooks_pb.ChangeWebhookRequest(id=webhook.id, is_on=True, renew_secret=True)
    fresh = (await alone.place.call("change_webhook", request)).secret
    assert fresh not in ("", former)
    for secrets in ([fresh, former], [fresh]):
        await alone.place.note("07abc")
        await alone.deliver()
        received = alone.received()[-1]
        at = _moment(alone.place.now_ms)
        signed = [Verifier(one).sign(received.headers["webhook-id"], at, received.body.decode()) for one in secrets]
        assert received.headers["webhook-signature"].split() == signed
        alone.place.now_ms += DAY


async def test_five_webhooks_are_enough_and_the_same_url_is_one(alone: Hooked) -> None:
    for number in range(5):
        await alone.add(f"hook{number}")
    await alone.add("hook0", label="again")
    with pytest.raises(Refused, match="5 webhooks"):
        await alone.add("hook5")
    assert len(await alone.listed()) == 5


async def test_a_test_message_arrives_or_says_why_it_does_not_and_others_cannot_send_it(alone: Hooked) -> None:
    webhook, _ = await alone.add()
    await alone.place.call("send_test", pb.SendTestRequest(webhook_id=webhook.id))
    assert json.loads(alone.received()[0].body)["data"]["text"] == "Messages reach this webhook."
    alone.place.endpoint.answers["/hook"] = (403, {})
    with pytest.raises(Refused, match="403"):
        await alone.place.call("send_test", pb.SendTestRequest(webhook_id=webhook.id))
    with pytest.raises(Refused, match="no such webhook"):
        await alone.place.call("send_test", pb.SendTestRequest(webhook_id=webhook.id), BOB)


async def test_after_signing_out_everywhere_it_is_off_and_with_the_account_it_goes(alone: Hooked) -> None:
    webhook, secret = await alone.add(label="My chat")
    await alone.place.call("sign_out_everywhere", accounts_pb2.SignOutEverywhereRequest())
    assert alone.place.rows(WEBHOOKS)[0].off_at_ms == NOON
    again = type(ADA)(ADA.player_id, ADA.name, ADA.address, 1)
    exported = (await alone.place.call("export_account", accounts_pb2.ExportAccountRequest(), again)).json
    assert '"label": "My chat"' in exported
    assert secret not in exported and alone.place.rows(WEBHOOKS)[0].sealed.hex() not in exported
    await alone.place.call("delete_account", accounts_pb2.DeleteAccountRequest(name="Ada"), again)
    assert alone.place.rows(WEBHOOKS) == []
    assert webhook.id


async def test_a_removed_webhook_is_told_nothing_more(alone: Hooked) -> None:
    webhook, _ = await alone.add()
    await alone.place.note("07abc")
    await alone.place.call("remove_webhook", hooks_pb.RemoveWebhookRequest(id=webhook.id))
    await alone.deliver()
    assert alone.received() == []


def _delivery(place: Place, hosts: str, trusted: ssl.SSLContext) -> WebhookDelivery:
    allowed = AllowedHosts(hosts, "BRETTWERK_WEBHOOK_HOSTS", "url")
    return WebhookDelivery(place.store, b"k" * 32, allowed, Links(ORIGIN), place.clock, place.hooks.tables, trusted)


def _moment(ms: int) -> Any:
    return datetime.fromtimestamp(ms // 1000, UTC)
