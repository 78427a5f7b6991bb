"""The mail server, the push service and the receiver of webhooks that people are told by. Each notes what came.

What comes to the push service is decrypted as browsers do it (RFC 8291).
"""

import base64
import datetime
import itertools
import json
import re
import socket
import ssl
import sys
import threading
from collections import defaultdict
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import parsedate_to_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import Envelope
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.x509.oid import NameOID

from loadtests.club.judge import MANY, Message
from services.players.notifications.push_keys import TOKEN_S

_TEXTS = Path(__file__).parents[2] / "services" / "players" / "notifications" / "en.json"
_POINT = (serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint)
_SECRET = b"sixteen bytes yo"
_CODE = re.compile(r"/confirm-mail#(\S+)")
_LINK = re.compile(r"^https?://\S+?/(?:s|tournament)/(\w+)\s*$|^https?://[^/\s]+/?\s*$")


@dataclass
class Browser:
    """A browser that has subscribed."""

    endpoint: str
    private: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    secret: bytes = _SECRET

    @property
    def key(self) -> bytes:
        """Its public key."""
        return self.private.public_key().public_bytes(*_POINT)

    def read(self, body: bytes) -> dict[str, Any]:
        """Return the message in a body."""
        salt, length = body[:16], body[20]
        sender, data = body[21 : 21 + length], body[21 + length :]
        shared = self.private.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender))
        keyed = HKDF(hashes.SHA256(), 32, self.secret, b"WebPush: info\0" + self.key + sender).derive(shared)
        content_key = HKDF(hashes.SHA256(), 16, salt, b"Content-Encoding: aes128gcm\0").derive(keyed)
        nonce = HKDF(hashes.SHA256(), 12, salt, b"Content-Encoding: nonce\0").derive(keyed)
        found: dict[str, Any] = json.loads(AESGCM(content_key).decrypt(nonce, data, None).rpartition(b"\x02")[0])
        return found


class _Listening(ThreadingHTTPServer):
    """A server whose callers may be killed."""

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say what went wrong, unless the connection was lost."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


class Receivers:
    """All three. `sentences` tells which kind of news a sentence is."""

    def __init__(self, folder: Path, sentences: dict[str, str]) -> None:
        self._sentences = sentences
        self.came: dict[tuple[str, str], list[Message]] = defaultdict(list)
        """The messages, by the way and the person's number."""
        self.codes: dict[str, str] = {}
        """The codes in the mails that ask for a confirmation, by address."""
        self.count = 0
        self._browsers: dict[str, Browser] = {}
        self._lock = threading.Lock()
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.mail_port: int = free.getsockname()[1]
        self._mail = Controller(self, "127.0.0.1", self.mail_port)
        self._plain = _Listening(("127.0.0.1", 0), self._handler())
        self._secure = _Listening(("127.0.0.1", 0), self._handler())
        certificate, key = _certificate(folder)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        self._secure.socket = context.wrap_socket(self._secure.socket, server_side=True)
        self.certificate = certificate
        self.hooks = f"http://127.0.0.1:{self._plain.server_port}"
        self.pushes = f"localhost:{self._secure.server_port}"

    def __enter__(self) -> Self:
        self._mail.start()
        for server in (self._plain, self._secure):
            threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        self._mail.stop()
        for server in (self._plain, self._secure):
            server.shutdown()
            server.server_close()

    def browser(self, number: int) -> Browser:
        """Return the browser of a person, which has subscribed."""
        path = f"/push/{number}"
        return self._browsers.setdefault(path, Browser(f"https://{self.pushes}{path}"))

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Envelope) -> str:
        """Take a mail (aiosmtpd calls it)."""
        assert isinstance(envelope.content, bytes)
        mail = message_from_bytes(envelope.content, policy=policy.default)
        assert isinstance(mail, EmailMessage)
        body = mail.get_body(("plain",))
        text = body.get_content() if body is not None else ""
        address = str(mail["To"])
        if code := _CODE.search(text):
            self.codes[address] = code[1]
            return "250 taken"
        sent_s = int(parsedate_to_datetime(str(mail["Date"])).timestamp())
        self._note("mail", address.partition("@")[0], sent_s, str(mail["Message-ID"]), self._shown(text))
        return "250 taken"

    def _shown(self, text: str) -> tuple[tuple[str, str], ...]:
        """Return what a mail tells: each line of a table is followed by its link."""
        shown = []
        lines = text.partition("\n-- \n")[0].splitlines()
        for line, link in itertools.pairwise(lines):
            if found := _LINK.match(link):
                kind = next((kind for sentence, kind in self._sentences.items() if sentence in line), "other")
                shown.append((found[1] or "account", kind))
        if re.search(r"^and \d+ more$", text, re.MULTILINE):
            shown.append((MANY, ""))
        return tuple(shown)

    def _note(self, way: str, who: str, sent_s: int, message_id: str, shown: tuple[tuple[str, str], ...]) -> None:
        """Note a message by when its sender says that it was sent: it may come when the clock has jumped already."""
        with self._lock:
            self.count += 1
            self.came[way, who].append(Message(sent_s * 1000 + 999, message_id, shown))

    def _take(self, path: str, headers: Any, body: bytes) -> None:
        _, way, who = path.split("/")
        if way == "push":
            said = self._browsers[path].read(body)
            kind = next((kind for sentence, kind in self._sentences.items() if sentence == said["body"]), "other")
            token = headers["authorization"].split("t=", 1)[1].split(",", 1)[0].split(".")[1]
            claims = json.loads(base64.urlsafe_b64decode(token + "=" * (-len(token) % 4)))
            self._note("push", who, claims["exp"] - TOKEN_S, "", ((said["tag"], kind),))
            return
        said = json.loads(body)
        data = said["data"]
        subject = data.get("session_id") or data.get("challenge_id") or data.get("tournament_id") or "account"
        if said["type"] == "news.many":
            subject = MANY
        self._note("webhook", who, int(headers["webhook-timestamp"]), headers["webhook-id"], ((subject, data.get("kind", "")),))

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        receivers = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                length = int(self.headers["content-length"])
                body = self.rfile.read(length)
                if len(body) < length:  # the sender was killed
                    self.close_connection = True
                    return
                receivers._take(self.path, self.headers, body)
                self.send_response(201)
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, format: str, *arguments: Any) -> None:
                """Say nothing."""

        return Handler


def _certificate(folder: Path) -> tuple[Path, Path]:
    """Write a certificate of localhost that is good for three years, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.datetime.now(datetime.UTC)
    built = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=3 * 365))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    certificate, secret = folder / "receiver.pem", folder / "receiver.key"
    certificate.write_bytes(built.public_bytes(serialization.Encoding.PEM))
    plain = serialization.NoEncryption()
    secret.write_bytes(key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain))
    return certificate, secret


def sentences() -> dict[str, str]:
    """Return the kind of news, in lower case, that each English sentence of mails and push messages stands for."""
    texts = json.loads(_TEXTS.read_text(encoding="utf-8"))
    found = {text: key.removeprefix("news.") for key, text in texts.items() if key.startswith("news.")}
    return {**found, texts["push.many"].partition("{")[0]: "many"}
