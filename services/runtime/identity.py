"""A process's identity to the others: its certificate and key, and the authority that issues all certificates of the deployment.

With them set, every gRPC connection between services is encrypted and both ends show certificates (mutual TLS). The endpoints of
the gateway face the public: they show the certificate and ask for none. Channels of gRPC read certificates once, so a process
whose files were renewed shuts down gracefully after a while, and its supervisor restarts it.
"""

import asyncio
import hashlib
import random
import ssl
import threading
import time
from collections.abc import Callable
from pathlib import Path

import grpc
from cryptography import x509

from services.runtime import metrics
from services.runtime.cannot_start import cannot_start
from services.runtime.settings import Settings, settings

LOOK_S = 30.0
"""How often the files are checked."""
SPREAD_S = 600.0
"""Processes whose files were renewed end within this time, not all at once."""


class Identity:
    """The files as they are now. Raises OSError if one cannot be read, ValueError for an invalid certificate."""

    def __init__(self, certificate: str, key: str, authority: str) -> None:
        self._paths = [Path(name) for name in (certificate, key, authority)]
        self._key, self._certificate, self._authority = (self._paths[i].read_bytes() for i in (1, 0, 2))
        self._digest = self._read()
        self.expires_s = x509.load_pem_x509_certificate(self._certificate).not_valid_after_utc.timestamp()
        """When the certificate expires, in seconds since 1970."""

    def for_channel(self) -> grpc.ChannelCredentials:
        """Return what a caller shows, and asks of services."""
        return grpc.ssl_channel_credentials(self._authority, self._key, self._certificate)

    def check(self) -> None:
        """Make sure that the files fit together, and that the key needs no password. Raises OSError."""
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH, cafile=self._paths[2])
        context.load_cert_chain(self._paths[0], self._paths[1], password="")  # so that nobody is asked for one

    def caller_context(self) -> ssl.SSLContext:
        """Return what the caller of a link shows, and asks of servers, by the files as they are now. Raises OSError."""
        context = ssl.create_default_context(ssl.Purpose.SERVER_AUTH, cafile=self._paths[2])
        context.load_cert_chain(self._paths[0], self._paths[1])
        context.set_alpn_protocols(["h2"])
        return context

    def listener_context(self) -> ssl.SSLContext:
        """Return what a service shows, and asks of its callers. Raises OSError."""
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH, cafile=self._paths[2])
        context.verify_mode = ssl.CERT_REQUIRED
        context.load_cert_chain(self._paths[0], self._paths[1])
        context.set_alpn_protocols(["h2"])
        return context

    def endpoint_context(self) -> ssl.SSLContext:
        """Return what a gRPC endpoint for everybody shows. Raises OSError."""
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(self._paths[0], self._paths[1])
        context.set_alpn_protocols(["h2"])
        return context

    async def keep_fresh(self, context: ssl.SSLContext) -> None:
        """Make new connections of a listener use renewed files. Never returns."""
        shown = self._digest
        while True:
            await asyncio.sleep(LOOK_S)
            try:
                now = self._read()
                if now != shown:
                    context.load_cert_chain(self._paths[0], self._paths[1])
                    context.load_verify_locations(self._paths[2])
                    shown = now
            except OSError:
                pass  # they are just being written: the next check finds them

    def is_renewed(self) -> bool:
        """Return whether the files differ from those that were read; files that are just being written do not count."""
        try:
            return self._read() != self._digest
        except OSError:
            return False

    def _read(self) -> bytes:
        return hashlib.sha256(b"".join(path.read_bytes() for path in self._paths)).digest()


def identity(config: Settings | None = None) -> Identity | None:
    """Return the identity of this process; None if none is set.

    Exits with 2 and a plain sentence if only some of its files are set, one cannot be read, or they do not fit together. The
    certificate's expiry becomes a metric.
    """
    config = config or settings()
    given = (config.tls_certificate, config.tls_key, config.tls_authority)
    if not any(given):
        return None
    if not all(given):
        raise cannot_start("BRETTWERK_TLS_CERTIFICATE, BRETTWERK_TLS_KEY and BRETTWERK_TLS_AUTHORITY belong together")
    try:
        own = Identity(*given)
    except OSError as error:
        raise cannot_start(f"{error.filename} cannot be read: {error.strerror}") from None
    except ValueError:
        raise cannot_start(f"{config.tls_certificate} (BRETTWERK_TLS_CERTIFICATE) holds no certificate in PEM") from None
    try:
        own.check()
    except OSError as error:
        why = getattr(error, "reason", "") or error
        raise cannot_start(
            f"BRETTWERK_TLS_CERTIFICATE, BRETTWERK_TLS_KEY and BRETTWERK_TLS_AUTHORITY cannot be used together: {why}"
        ) from None
    metrics.CERTIFICATE_EXPIRES.set(own.expires_s)
    return own


async def renewed(own: Identity | None) -> None:
    """Return once the files have been renewed and it is this process's turn to end; never, without an identity."""
    while own is None or not own.is_renewed():  # noqa: ASYNC110 - nobody tells when a file has changed
        await asyncio.sleep(LOOK_S)
    await asyncio.sleep(random.uniform(0, SPREAD_S))  # noqa: S311 - spreads restarts, guards nothing


def when_renewed(own: Identity | None, end: Callable[[], None]) -> None:
    """Call `end` from a thread once the files have been renewed and it is this process's turn to end."""

    def look() -> None:
        while own is not None and not own.is_renewed():
            time.sleep(LOOK_S)
        time.sleep(random.uniform(0, SPREAD_S))  # noqa: S311 - spreads restarts, guards nothing
        end()

    if own is not None:
        threading.Thread(target=look, name="identity", daemon=True).start()
