"""How a channel to the server is opened, for both clients."""

import grpc

MAX_MESSAGE_BYTES = 16 * 1024 * 1024
"""The largest answer that is taken; a record has 8 MiB at most."""

OPTIONS = (
    # A connection over which nothing comes back, not even a ping, is given up after half a minute; watches go on over another.
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.initial_reconnect_backoff_ms", 200),
    ("grpc.max_reconnect_backoff_ms", 5_000),
    ("grpc.max_receive_message_length", MAX_MESSAGE_BYTES),
    # Attempts are made here, where the refusals are understood.
    ("grpc.enable_retries", 0),
)


def credentials_of(tls: bool | grpc.ChannelCredentials) -> grpc.ChannelCredentials | None:
    """Return the credentials for a channel; None for one that is not encrypted."""
    if tls is True:
        return grpc.ssl_channel_credentials()
    return tls or None


def metadata_of(token: str) -> tuple[tuple[str, str], ...]:
    """Return the metadata that proves who calls."""
    return (("authorization", f"Bearer {token}"),) if token else ()
