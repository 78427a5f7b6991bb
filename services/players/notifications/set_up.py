"""Which ways of delivery there are, by what the operator has set."""

from services.archive.access import Access
from services.players.accounts.sign_in_origins import origins
from services.players.notifications.links import Links
from services.players.notifications.mail_delivery import MailDelivery
from services.players.notifications.mail_server import MailServer
from services.players.notifications.push_delivery import PushDelivery
from services.players.notifications.push_hosts import PushHosts
from services.players.notifications.push_keys import PushKeys
from services.players.notifications.push_service import PushService
from services.runtime.logs import logger
from services.runtime.settings import Settings
from services.runtime.wall_clock import wall_ms

log = logger(__name__)


def push_delivery(config: Settings, store: Access) -> PushDelivery | None:
    """Return the way to devices; None where there is none. Raises ValueError for settings that cannot be."""
    keys, hosts = PushKeys.of(config), PushHosts(config.push_hosts)
    if keys is None:
        return None
    contact = config.push_contact.strip() or _origin(config)
    if not contact.startswith(("mailto:", "https://", "http://localhost", "http://127.0.0.1")):
        log.warning("push services cannot reach you: set BRETTWERK_PUSH_CONTACT, or an https address as sign-in origin")
    return PushDelivery(store, keys, PushService(hosts, contact), wall_ms)


def mail_delivery(config: Settings, store: Access) -> MailDelivery | None:
    """Return the way to mail addresses; None where there is none. Raises ValueError for settings that cannot be."""
    server, origin = MailServer.of(config), _origin(config)
    if server is None:
        return None
    if not origin:
        raise ValueError("BRETTWERK_MAIL_SERVER needs BRETTWERK_SIGN_IN_ORIGINS: links in mail lead to the first of them")
    return MailDelivery(store, server, Links(origin), wall_ms)


def _origin(config: Settings) -> str:
    """Return the first origin that players sign in at; empty for none. Raises ValueError for what is no origin."""
    return next(iter(origins(config.sign_in_origins)), "")
