"""A push service for tests: an https server that takes what a sender brings, as push services do, and a browser that reads it.

What it decrypts is written here by the RFCs (8291, 8292), not with what the sender encrypts by.
"""

import base64
import json
import ssl
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from joserfc import jwt
from joserfc.jwk import ECKey

from tests.certificates import Authority

POINT = (Encoding.X962, PublicFormat.UncompressedPoint)


def unpacked(text: str) -> bytes:
    """Return what a text in base64url holds."""
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


@dataclass
class Received:
    """A request that came."""

    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class Browser:
    """A browser that has subscribed."""

    endpoint: str
    private: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    secret: bytes = b"sixteen bytes yo"

    @property
    def key(self) -> bytes:
        return self.private.public_key().public_bytes(*POINT)

    def read(self, body: bytes) -> bytes:
        """Return the message in the body of a request, padding included. Raises InvalidTag for what is not for it."""
        salt, size, length = body[:16], int.from_bytes(body[16:20]), body[20]
        sender, data = body[21 : 21 + length], body[21 + length :]
        assert len(data) <= size
        shared = self.private.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender))
        keyed = HKDF(SHA256(), 32, self.secret, b"WebPush: info\0" + self.key + sender).derive(shared)
        content_key = HKDF(SHA256(), 16, salt, b"Content-Encoding: aes128gcm\0").derive(keyed)
        nonce = HKDF(SHA256(), 12, salt, b"Content-Encoding: nonce\0").derive(keyed)
        plain = AESGCM(content_key).decrypt(nonce, data, None)
        message, mark, padding = plain.rpartition(b"\x02")
        assert mark and not padding.strip(b"\0"), "a last record ends with 2 and zeros"
        return message


def checked_sender(received: Received, origin: str, now_s: float) -> str:
    """Return the public key of who has sent a request. Raises what joserfc raises when the statement is not good."""
    scheme, _, rest = received.headers["authorization"].partition(" ")
    assert scheme == "vapid"
    said = dict(part.strip().split("=", 1) for part in rest.split(","))
    point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), unpacked(said["k"]))
    claims = jwt.decode(said["t"], ECKey.import_key(point), algorithms=["ES256"]).claims
    assert claims["aud"] == origin
    assert now_s < claims["exp"] <= now_s + 24 * 3600
    assert claims["sub"]
    return said["k"]


class PushEndpoint:
    """The server; it answers 201 unless told otherwise for a path."""

    def __init__(self, folder: Path) -> None:
        self.authority = Authority(folder, "push authority")
        self.received: list[Received] = []
        self.answers: dict[str, tuple[int, dict[str, str]]] = {}
        """Its answers at some paths: a status, and headers."""
        self.hangs_s = 0.0
        self.came = threading.Condition()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        issued = self.authority.issue("push")
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(issued["BRETTWERK_TLS_CERTIFICATE"], issued["BRETTWERK_TLS_KEY"])
        self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        self.host = f"localhost:{self._server.server_port}"
        self.origin = f"https://{self.host}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def trusted(self) -> ssl.SSLContext:
        """The TLS settings with which a client believes it."""
        return ssl.create_default_context(cafile=str(self.authority.file))

    def browser(self, name: str) -> Browser:
        """Return a browser that has subscribed at a path of its own."""
        return Browser(f"{self.origin}/push/{name}")

    def messages(self, browser: Browser) -> list[dict[str, Any]]:
        """Return what came for a browser, oldest first."""
        path = browser.endpoint.removeprefix(self.origin)
        return [json.loads(browser.read(one.body)) for one in list(self.received) if one.path == path]

    def wait_for(self, browser: Browser, count: int, timeout_s: float = 30) -> list[dict[str, Any]]:
        """Return what came for a browser, once there are so many messages."""
        end = time.monotonic() + timeout_s
        with self.came:
            while len(self.messages(browser)) < count:
                assert time.monotonic() < end, f"{len(self.messages(browser))} of {count} messages came"
                self.came.wait(0.2)
        return self.messages(browser)

    def at(self, path: str, count: int, timeout_s: float = 30) -> list[Received]:
        """Return what came at a path, once there are so many requests."""
        end = time.monotonic() + timeout_s
        with self.came:
            while len(found := [one for one in self.received if one.path == path]) < count:
                assert time.monotonic() < end, f"{len(found)} of {count} requests came at {path}"
                self.came.wait(0.2)
        return found

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        endpoint = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                if endpoint.hangs_s:
                    time.sleep(endpoint.hangs_s)  # this is the fault
                status, headers = endpoint.answers.get(self.path, (201, {}))
                if status < 300:
                    with endpoint.came:
                        sent = {name.lower(): value for name, value in self.headers.items()}
                        endpoint.received.append(Received(self.path, sent, body))
                        endpoint.came.notify_all()
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, format: str, *arguments: Any) -> None:
                """Say nothing."""

        return Handler
