"""Passes mail to the operator's mail server (SMTP)."""

import ssl
from dataclasses import dataclass
from email.message import EmailMessage
from email.utils import parseaddr

import aiosmtplib

from services.players.notifications.delivery import Outcome, Sent
from services.runtime.settings import Settings

TIMEOUT_S = 15.0
_PORTS = {"starttls": 587, "tls": 465, "none": 25}


@dataclass(frozen=True, slots=True)
class MailServer:
    """The server, as the operator has set it up."""

    host: str
    port: int
    security: str
    """starttls, tls or none."""
    user: str
    password: str
    sender: str
    """The From of all mails."""
    trusted: ssl.SSLContext | None = None
    """The certificate authority, if not the system's."""

    @classmethod
    def of(cls, config: Settings) -> "MailServer | None":
        """Return what is set; None if no mail is sent. Raises ValueError for impossible values."""
        listed = config.mail_server.strip()
        if not listed:
            return None
        host, _, port = listed.rpartition(":") if ":" in listed.rpartition("]")[2] else (listed, "", "")
        if not host or (port and not port.isdigit()):
            raise ValueError(f"BRETTWERK_MAIL_SERVER: {listed!r} is no host:port")
        sender = config.mail_from.strip()
        if not is_address(parseaddr(sender)[1]):
            raise ValueError("BRETTWERK_MAIL_FROM is needed with BRETTWERK_MAIL_SERVER: Brettwerk <noreply@play.example.org>")
        number, password = int(port or _PORTS[config.mail_security]), config.mail_password.get_secret_value()
        return cls(host.strip("[]"), number, config.mail_security, config.mail_user, password, sender)

    async def send(self, message: EmailMessage, timeout_s: float = TIMEOUT_S) -> Sent:
        """Send a mail; return what came of it. GONE: the server refuses the recipient for good (5xx, RFC 5321 4.2.1)."""
        encrypted = self.security != "none"
        try:
            await aiosmtplib.send(
                message,
                hostname=self.host,
                port=self.port,
                username=self.user or None,
                password=self.password or None,
                use_tls=self.security == "tls",
                start_tls=self.security == "starttls",
                tls_context=(self.trusted or ssl.create_default_context()) if encrypted else None,
                timeout=timeout_s,
            )
        except aiosmtplib.SMTPRecipientsRefused as refused:
            code = max((one.code for one in refused.recipients), default=0)
            return Sent(Outcome.GONE if code >= 500 else Outcome.FAILED, f"recipient {code}")
        except aiosmtplib.SMTPResponseException as error:
            return Sent(Outcome.FAILED, f"{type(error).__name__} {error.code}")
        except (aiosmtplib.SMTPException, OSError, ValueError, TimeoutError) as error:
            return Sent(Outcome.FAILED, type(error).__name__)
        return Sent(Outcome.SENT)


def is_address(text: str) -> bool:
    """Return whether a text can be a usable mail address: one name and one host, without quotes or comments."""
    name, at, host = text.rpartition("@")
    labels = host.split(".")
    return (
        bool(at)
        and text.isascii()
        and len(text) <= 254
        and 0 < len(name) <= 64
        and all(letter.isalnum() or letter in "!#$%&'*+-/=?^_`{|}~." for letter in name)
        and not name.startswith(".")
        and not name.endswith(".")
        and ".." not in name
        and len(labels) > 1
        and all(0 < len(label) <= 63 and label.replace("-", "a").isalnum() and label.strip("-") == label for label in labels)
    )
