"""A mail server for tests: aiosmtpd, with STARTTLS and a password, as operators have one. What it took is in memory."""

import ssl
import threading
import time
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, Envelope, LoginPassword

from tests.certificates import Authority
from tests.ports import free_port

USER, PASSWORD = "brettwerk", "the password of the mail server"


class MailServer:
    """The server. It can be stopped and started again at the same port."""

    def __init__(self, folder: Path) -> None:
        self.authority = Authority(folder, "mail authority")
        self.port = free_port()
        self.mails: list[EmailMessage] = []
        self.refused: dict[str, str] = {}
        """Its answers to some recipients: 550 No such user."""
        self.refuses_data = ""
        self.came = threading.Condition()
        issued = self.authority.issue("mail")
        self._tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._tls.load_cert_chain(issued["BRETTWERK_TLS_CERTIFICATE"], issued["BRETTWERK_TLS_KEY"])
        self._controller: Controller | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        self.stop()

    def start(self) -> None:
        """Start it."""
        self._controller = Controller(
            self,
            "127.0.0.1",
            self.port,
            tls_context=self._tls,
            require_starttls=True,
            auth_required=True,
            authenticator=_authenticated,
        )
        self._controller.start()

    def stop(self) -> None:
        """Stop it."""
        if self._controller is not None:
            self._controller.stop()
            self._controller = None

    @property
    def trusted(self) -> ssl.SSLContext:
        """The TLS settings with which a client believes it."""
        return ssl.create_default_context(cafile=str(self.authority.file))

    def to(self, address: str) -> list[EmailMessage]:
        """Return the mails that came for an address, oldest first."""
        return [mail for mail in list(self.mails) if mail["To"] == address]

    def wait_for(self, address: str, count: int, timeout_s: float = 30) -> list[EmailMessage]:
        """Return the mails that came for an address, once there are so many."""
        end = time.monotonic() + timeout_s
        with self.came:
            while len(self.to(address)) < count:
                assert time.monotonic() < end, f"{len(self.to(address))} of {count} mails came"
                self.came.wait(0.2)
        return self.to(address)

    async def handle_RCPT(self, _server: Any, _session: Any, envelope: Envelope, address: str, options: list[str]) -> str:
        if address in self.refused:
            return self.refused[address]
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Envelope) -> str:
        if self.refuses_data:
            return self.refuses_data
        content = envelope.content
        assert isinstance(content, bytes)
        mail = message_from_bytes(content, policy=policy.default)
        assert isinstance(mail, EmailMessage)
        with self.came:
            self.mails.append(mail)
            self.came.notify_all()
        return "250 taken"


def _authenticated(_server: Any, _session: Any, _envelope: Any, _mechanism: str, data: Any) -> AuthResult:
    good = isinstance(data, LoginPassword) and (data.login, data.password) == (USER.encode(), PASSWORD.encode())
    return AuthResult(success=good)
