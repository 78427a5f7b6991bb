"""Answers the calls about notifications: which news a player wants, when, and where."""

from collections.abc import Callable, Iterable, Mapping

from sqlalchemy import Connection

from brettwerk.v1 import news_pb2
from brettwerk.v1 import notifications_pb2 as pb
from brettwerk.v1 import webhooks_pb2 as hooks_pb
from brettwerk_games.languages.folders import BASE, LANGUAGES
from services.archive.access import Access
from services.archive.upsert import insert_into
from services.players.accounts import rows
from services.players.calls import Answered, Caller, Handler
from services.players.game_data import every_game
from services.players.news import backlog, seat_wishes
from services.players.news.schedule import MAIL_WAIT, Preferences
from services.players.news.tables import PREFERENCES
from services.players.notifications.devices import Devices
from services.players.notifications.mail_delivery import MailDelivery
from services.players.notifications.mailboxes import Mailboxes, mail_address_of
from services.players.notifications.push_delivery import PushDelivery
from services.players.notifications.webhook_delivery import WebhookDelivery
from services.players.notifications.webhooks import Webhooks
from services.runtime.refusal import listed, malformed
from services.runtime.time_zones import zone_of


class Notifications:
    """The calls about notifications."""

    def __init__(
        self,
        store: Access,
        key: bytes,
        push: PushDelivery | None,
        mail: MailDelivery | None,
        hooks: WebhookDelivery | None,
        now_ms: Callable[[], int],
    ) -> None:
        """`key`: of hashes of addresses; `push`, `mail`, `hooks`: None where the operator has not set them up."""
        self._store = store
        self._push = push
        self._mail = mail
        self._now_ms = now_ms
        self._devices = Devices(store, push, now_ms)
        self._mailboxes = Mailboxes(store, key, mail, now_ms)
        self._webhooks = Webhooks(store, hooks, now_ms)

    def handlers(self) -> Mapping[str, Handler]:
        """Return the handlers by the fields that their calls have in a Call."""
        return {
            "get_notifications": self.get,
            "set_notifications": self.set,
            "add_push_device": self.add_device,
            "remove_push_device": self.remove_device,
            "start_mail": self.start_mail,
            "confirm_mail": self.confirm_mail,
            "remove_mail": self.remove_mail,
            "unsubscribe_mail": self.unsubscribe_mail,
            "send_test": self.send_test,
            "list_webhooks": self.list_webhooks,
            "add_webhook": self.add_webhook,
            "change_webhook": self.change_webhook,
            "remove_webhook": self.remove_webhook,
        }

    async def get(self, request: pb.GetNotificationsRequest, caller: Caller) -> Answered:
        """Return how the caller is notified."""
        return Answered(pb.GetNotificationsResponse(notifications=await self._own(caller)))

    async def set(self, request: pb.SetNotificationsRequest, caller: Caller) -> Answered:
        """Change what the caller is told, and when; return all settings.

        Raises Refused: NO_TOKEN, MALFORMED for a time zone, language, kind or game that does not exist.
        """
        wanted = request.settings
        _check(wanted.time_zone, wanted.language)
        for field, kinds in (("unpushed", wanted.unpushed), ("unmailed", wanted.unmailed)):
            _check_kinds(field, kinds)
        if (odd := next((game for game in wanted.open_seats if game not in every_game()), None)) is not None:
            raise malformed("open_seats", f"there is no game {odd}; there are: {listed(sorted(every_game()))}")
        preferences = Preferences(
            frozenset(wanted.unpushed),
            frozenset(wanted.unmailed),
            wanted.quiet_from,
            wanted.quiet_until,
            wanted.time_zone,
            wanted.mail_wait or MAIL_WAIT,
            wanted.language or BASE,
        )

        def write(connection: Connection) -> None:
            rows.own(connection, caller)
            put(connection, caller.player_id, preferences)
            seat_wishes.put(connection, caller.player_id, sorted({*wanted.open_seats}))
            backlog.look_again(connection, caller.player_id, self._now_ms())

        await self._store.run(write)
        return Answered(pb.SetNotificationsResponse(notifications=await self._own(caller)))

    async def add_device(self, request: pb.AddPushDeviceRequest, caller: Caller) -> Answered:
        """Add a device, or change it; return all settings. Raises Refused: NO_TOKEN, MALFORMED, UNKNOWN without push."""
        _check(request.time_zone, request.language)
        await self._devices.add(request, caller)
        await self._begin(caller, request.time_zone, request.language)
        return Answered(pb.AddPushDeviceResponse(notifications=await self._own(caller)))

    async def remove_device(self, request: pb.RemovePushDeviceRequest, caller: Caller) -> Answered:
        """Remove a device; return all settings. Raises Refused: NO_TOKEN, UNKNOWN for what is no id of a device."""
        await self._devices.remove(request.id, caller)
        return Answered(pb.RemovePushDeviceResponse(notifications=await self._own(caller)))

    async def start_mail(self, request: pb.StartMailRequest, caller: Caller) -> Answered:
        """Send a link to an address; return all settings. Raises Refused: NO_TOKEN, MALFORMED, TOO_MANY_REQUESTS, UNAVAILABLE."""
        _check(request.time_zone, request.language)
        await self._mailboxes.start(request.address, request.language, caller)
        await self._begin(caller, request.time_zone, request.language)
        return Answered(pb.StartMailResponse(notifications=await self._own(caller)))

    async def confirm_mail(self, request: pb.ConfirmMailRequest, caller: Caller) -> Answered:
        """Return the address that a link has confirmed. Raises Refused (UNKNOWN) for a link that is invalid, used or too old."""
        return Answered(pb.ConfirmMailResponse(address=await self._mailboxes.confirm(request.code)))

    async def remove_mail(self, request: pb.RemoveMailRequest, caller: Caller) -> Answered:
        """Remove the address; return all settings. Raises Refused (NO_TOKEN)."""
        await self._mailboxes.remove(caller)
        return Answered(pb.RemoveMailResponse(notifications=await self._own(caller)))

    async def unsubscribe_mail(self, request: pb.UnsubscribeMailRequest, caller: Caller) -> Answered:
        """End mails to an address and return an empty answer. Raises Refused (UNKNOWN) for a code that is invalid or used."""
        await self._mailboxes.unsubscribe(request.code)
        return Answered(pb.UnsubscribeMailResponse())

    async def send_test(self, request: pb.SendTestRequest, caller: Caller) -> Answered:
        """Send a test message to a device, the mail address or a webhook, and return an empty answer.

        Raises Refused: NO_TOKEN, MALFORMED for neither, UNKNOWN, TOO_MANY_REQUESTS, UNAVAILABLE while it cannot be handed over.
        """
        match request.WhichOneof("to"):
            case "device_id":
                await self._devices.test(request.device_id, caller)
            case "mail":
                await self._mailboxes.test(caller)
            case "webhook_id":
                await self._webhooks.test(request.webhook_id, caller)
            case _:
                raise malformed("to", "a test message goes to a device, to the mail address or to a webhook")
        return Answered(pb.SendTestResponse())

    async def list_webhooks(self, request: hooks_pb.ListWebhooksRequest, caller: Caller) -> Answered:
        """Return the caller's webhooks. Raises Refused (NO_TOKEN)."""
        return Answered(await self._webhooks.list(caller))

    async def add_webhook(self, request: hooks_pb.AddWebhookRequest, caller: Caller) -> Answered:
        """Add a webhook; return it with its secret. Raises Refused: NO_TOKEN, MALFORMED, UNKNOWN without webhooks, FULL."""
        _check(request.time_zone, request.language)
        _check_kinds("unsent", request.unsent)
        response = await self._webhooks.add(request, caller)
        await self._begin(caller, request.time_zone, request.language)
        return Answered(response)

    async def change_webhook(self, request: hooks_pb.ChangeWebhookRequest, caller: Caller) -> Answered:
        """Change a webhook; return it, with its new secret if one was asked for. Raises Refused: NO_TOKEN, MALFORMED, UNKNOWN."""
        _check_kinds("unsent", request.unsent)
        return Answered(await self._webhooks.change(request, caller))

    async def remove_webhook(self, request: hooks_pb.RemoveWebhookRequest, caller: Caller) -> Answered:
        """Remove a webhook, and return an empty answer. Raises Refused (NO_TOKEN)."""
        await self._webhooks.remove(request.id, caller)
        return Answered(hooks_pb.RemoveWebhookResponse())

    async def _own(self, caller: Caller) -> pb.Notifications:
        def read(connection: Connection) -> pb.Notifications:
            rows.own(connection, caller)
            return pb.Notifications(
                push_key=self._push.keys.newest.public if self._push is not None else "",
                can_mail=self._mail is not None,
                devices=self._devices.of(connection, caller.player_id),
                mail=mail_address_of(connection, caller.player_id),
                settings=_settings(
                    backlog.preferences_of(connection, caller.player_id), seat_wishes.of(connection, caller.player_id)
                ),
            )

        return await self._store.run(read)

    async def _begin(self, caller: Caller, time_zone: str, language: str) -> None:
        """Take time zone and language from the first device that is told anything; what a player has set stays."""
        preferences = Preferences(time_zone=time_zone, language=language or BASE)
        fresh = {"player_id": caller.player_id, **_columns(preferences)}
        await self._store.run(
            lambda connection: connection.execute(insert_into(connection, PREFERENCES).values(fresh).on_conflict_do_nothing())
        )


def _check_kinds(field: str, kinds: Iterable[int]) -> None:
    if (odd := next((kind for kind in kinds if kind not in backlog.BITS), None)) is not None:
        raise malformed(field, f"there is no kind of news {odd}; there are: {listed(news_pb2.News.Kind.keys())}")


def put(connection: Connection, player_id: str, preferences: Preferences) -> None:
    """Store what a player wants to be told."""
    columns = _columns(preferences)
    putting = insert_into(connection, PREFERENCES).values(player_id=player_id, **columns)
    connection.execute(putting.on_conflict_do_update(index_elements=[PREFERENCES.c.player_id], set_=columns))


def _columns(preferences: Preferences) -> dict[str, object]:
    return {
        "unpushed": backlog.bits_of(preferences.unpushed),
        "unmailed": backlog.bits_of(preferences.unmailed),
        "quiet_from": preferences.quiet_from,
        "quiet_until": preferences.quiet_until,
        "time_zone": preferences.time_zone,
        "mail_wait": preferences.mail_wait,
        "language": preferences.language,
    }


def _settings(preferences: Preferences, open_seats: Iterable[str]) -> pb.NotificationSettings:
    known = set(news_pb2.News.Kind.values())
    return pb.NotificationSettings(
        unpushed=[kind for kind in sorted(preferences.unpushed) if kind in known],  # type: ignore[misc]
        unmailed=[kind for kind in sorted(preferences.unmailed) if kind in known],  # type: ignore[misc]
        quiet_from=preferences.quiet_from,
        quiet_until=preferences.quiet_until,
        time_zone=preferences.time_zone,
        mail_wait=preferences.mail_wait,
        # one that a newer release has stored could not be sent back
        language=LANGUAGES.choose(preferences.language),
        open_seats=open_seats,
    )


def _check(time_zone: str, language: str) -> None:
    if time_zone and zone_of(time_zone) is None:
        raise malformed("time_zone", f'there is no time zone "{time_zone[:60]}"; they have names like Europe/Berlin')
    if language and language not in LANGUAGES.codes():
        raise malformed("language", f"messages are written in {listed(LANGUAGES.codes())}, not in {language}")
