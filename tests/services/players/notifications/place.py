"""Players who are notified, with a clock that the test moves."""

import hashlib
import re
from typing import Any

from sqlalchemy import Table, select

from brettwerk.internal.v1 import players_pb2
from brettwerk.v1 import news_pb2, record_pb2
from brettwerk.v1 import notifications_pb2 as pb
from services.players.accounts.accounts import Accounts
from services.players.accounts.sign_in_origins import OwnOrigins
from services.players.calls import Caller
from services.players.news.followers import Following
from services.players.notifications.allowed_hosts import AllowedHosts
from services.players.notifications.links import Links
from services.players.notifications.mail_delivery import MailDelivery
from services.players.notifications.mail_server import MailServer as Server
from services.players.notifications.notifications import Notifications
from services.players.notifications.push_delivery import PushDelivery
from services.players.notifications.push_keys import PushKeys
from services.players.notifications.push_service import PushService
from services.players.notifications.seen_tables import SeenTables
from services.players.notifications.webhook_delivery import WebhookDelivery
from services.players.store import open_store
from services.players.whole_account import WholeAccount
from tests.mail_server import PASSWORD, USER, MailServer
from tests.push_endpoint import Browser, PushEndpoint

ADA, BOB = Caller("a" * 26, "Ada", "192.0.2.1"), Caller("b" * 26, "Bob", "192.0.2.2")
NOON = 1_800_014_400_000
"""12:00 in UTC, on a Friday in January 2027."""
MINUTE, HOUR = 60_000, 3_600_000
TURN, TAKEN, PROPOSED = news_pb2.News.KIND_YOUR_TURN, news_pb2.News.KIND_SEAT_TAKEN, news_pb2.News.KIND_PROPOSED
OVER, INVITED = news_pb2.News.KIND_GAME_OVER, news_pb2.News.KIND_INVITED
ORIGIN = "https://play.example.org"
KEY = "a push key of thirty-two characters!"
ADDRESS = "ada@example.org"
_CODE = re.compile(r"/confirm-mail#(\S+)")


class Place:
    """A players service of the test's own, without its process."""

    def __init__(self, url: str, endpoint: PushEndpoint, mails: MailServer, key: str = KEY, session: str = "") -> None:
        self.now_ms = NOON
        self.endpoint, self.mails = endpoint, mails
        self.url = url
        self.store = open_store(url)
        self.push = PushDelivery(
            self.store,
            PushKeys([key]),
            PushService(AllowedHosts(endpoint.host), "mailto:a@example.org", lambda: self.now_ms / 1000, endpoint.trusted),
            self.clock,
        )
        server = Server("localhost", mails.port, "starttls", USER, PASSWORD, "Brettwerk <noreply@example.org>", mails.trusted)
        self.mail = MailDelivery(self.store, server, Links(ORIGIN), self.clock)
        allowed = AllowedHosts(endpoint.host, "BRETTWERK_WEBHOOK_HOSTS", "url")
        self.use(
            WebhookDelivery(self.store, b"k" * 32, allowed, Links(ORIGIN), self.clock, SeenTables(session, 5), endpoint.trusted)
        )
        self.accounts = Accounts(self.store, b"k" * 32, OwnOrigins(ORIGIN), self.clock)
        self.whole = WholeAccount(self.store, self.accounts.proofs, self.clock)
        self.following = Following(self.store, self.clock)
        self._session_version = 0

    def use(self, hooks: WebhookDelivery) -> None:
        """Send to webhooks in this way."""
        self.hooks = hooks
        self.notifications = Notifications(self.store, b"k" * 32, self.push, self.mail, hooks, self.clock)

    def clock(self) -> int:
        return self.now_ms

    async def call(self, name: str, request: Any, caller: Caller = ADA) -> Any:
        """Return the response to a client's call."""
        handlers = {**self.notifications.handlers(), **self.accounts.handlers(), **self.whole.handlers()}
        return (await handlers[name](request, caller)).response

    async def own(self, caller: Caller = ADA) -> pb.Notifications:
        """Return how a player is notified."""
        response = await self.call("get_notifications", pb.GetNotificationsRequest(), caller)
        found: pb.Notifications = response.notifications
        return found

    async def add_device(self, name: str = "phone", caller: Caller = ADA, language: str = "en", zone: str = "") -> Browser:
        """Switch push messages on at a device."""
        browser = self.endpoint.browser(name)
        request = pb.AddPushDeviceRequest(
            endpoint=browser.endpoint,
            key=browser.key,
            secret=browser.secret,
            label=name,
            language=language,
            time_zone=zone,
        )
        await self.call("add_push_device", request, caller)
        return browser

    async def ask_for_mail(self, address: str = ADDRESS, caller: Caller = ADA, language: str = "en") -> str:
        """Ask for mail; returns the code in the mail that asks for a confirmation."""
        before = len(self.mails.to(address))
        await self.call("start_mail", pb.StartMailRequest(address=address, language=language), caller)
        mail = self.mails.wait_for(address, before + 1)[-1]
        body = mail.get_body(("plain",))
        assert body is not None
        found = _CODE.search(body.get_content())
        assert found is not None
        return found[1]

    async def switch_mail_on(self, address: str = ADDRESS, caller: Caller = ADA, language: str = "en") -> None:
        """Ask for mail, and confirm it; of that mail nothing stays."""
        code = await self.ask_for_mail(address, caller, language)
        await self.call("confirm_mail", pb.ConfirmMailRequest(code=code), Caller("", "", "192.0.2.9"))
        self.mails.mails.clear()

    async def set(self, caller: Caller = ADA, **wanted: Any) -> None:
        """Set what a player is told."""
        await self.call("set_notifications", pb.SetNotificationsRequest(settings=pb.NotificationSettings(**wanted)), caller)

    async def note(
        self,
        session: str,
        kind: news_pb2.News.Kind.ValueType = TURN,
        caller: Caller = ADA,
        *,
        title: str = "",
        until_ms: int = 0,
        ruling: record_pb2.Ruling | None = None,
    ) -> int:
        """Let something happen at a table; returns the version of its log."""
        self._session_version += 1
        news = news_pb2.News(
            kind=kind, session_id=session, game="einstein", title=title, at_ms=self.now_ms, until_ms=until_ms, ruling=ruling
        )
        noted = players_pb2.NotedNews(player_id=caller.player_id, session_version=self._session_version, news=news)
        await self.following.note(players_pb2.NoteNewsRequest(notes=[noted]))
        return self._session_version

    async def handle(self, session: str, version: int, caller: Caller = ADA) -> None:
        """Let a player see to a table."""
        handled = players_pb2.HandledNews(player_id=caller.player_id, session_id=session, session_version=version)
        await self.following.note(players_pb2.NoteNewsRequest(handled=[handled]))

    async def deliver(self) -> None:
        """Deliver all that is due."""
        while await self.push.deliver() + await self.mail.deliver():
            pass

    async def pass_time(self, ms: int, step: int = MINUTE) -> None:
        """Let time go by, and deliver what comes due."""
        end = self.now_ms + ms
        while self.now_ms < end:
            await self.deliver()
            self.now_ms = min(end, self.now_ms + step)
        await self.deliver()

    def rows(self, table: Table) -> list[Any]:
        """Return what is stored in a table."""
        return list(self.store.run_here(lambda connection: connection.execute(select(table)).all()))

    async def close(self) -> None:
        await self.push.close()
        await self.hooks.close()
        self.store.close()


def device_id(browser: Browser) -> str:
    """Return the id of a device."""
    return hashlib.sha256(browser.endpoint.encode()).hexdigest()
