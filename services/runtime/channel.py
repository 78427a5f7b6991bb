"""Channels to other services: keepalive, round robin, and retries of UNAVAILABLE only (safe: every write has a request id)."""

import json
from typing import TypeVar

import grpc

from services.runtime.identity import identity
from services.runtime.inner_calls import by_wire_names, inner_keys, signing

_Channel = TypeVar("_Channel", grpc.Channel, grpc.aio.Channel)

MESSAGE_BYTES = 8 * 1024 * 1024
"""The largest message between services: a record of a very long game."""

SERVICE_CONFIG = json.dumps(
    {
        "loadBalancingConfig": [{"round_robin": {}}],
        "methodConfig": [
            {
                "name": [{}],
                "retryPolicy": {
                    "maxAttempts": 4,
                    "initialBackoff": "0.1s",
                    "maxBackoff": "2s",
                    "backoffMultiplier": 2,
                    "retryableStatusCodes": ["UNAVAILABLE"],
                },
            }
        ],
        "retryThrottling": {"maxTokens": 20, "tokenRatio": 0.2},
    }
)

NAMES_AGAIN_MS = 1_000
"""How soon a name may be looked up again if a server behind it is gone.

gRPC's own half a minute is longer than a rolling update takes: all servers that a caller knows could have been replaced by then.
"""

MAX_RECONNECT_MS = 1_000
"""The maximum pause of a channel between two attempts to reach a server."""

CHANNEL_OPTIONS = (
    ("grpc.service_config", SERVICE_CONFIG),
    ("grpc.dns_min_time_between_resolutions_ms", NAMES_AGAIN_MS),
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 5_000),
    ("grpc.http2.max_pings_without_data", 0),
    ("grpc.max_receive_message_length", MESSAGE_BYTES),
    ("grpc.max_send_message_length", MESSAGE_BYTES),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", MAX_RECONNECT_MS),
    # A channel that is opened because the previous one led to a hanging process must not get that one's connections.
    ("grpc.use_local_subchannel_pool", 1),
)


def open_channel(address: str, caller: str = "other") -> grpc.aio.Channel:
    """Return a channel to `address` (host:port, or dns:///name:port of a headless service), encrypted if so set.

    Its calls carry a token of `caller` if this process has the key for that.
    """
    own = identity()
    if own is not None:
        return _signed(grpc.aio.secure_channel(address, own.for_channel(), options=CHANNEL_OPTIONS), caller)
    return _signed(grpc.aio.insecure_channel(address, options=CHANNEL_OPTIONS), caller)


def open_blocking_channel(address: str, caller: str = "other") -> grpc.Channel:
    """Return the same for programs without an event loop."""
    own = identity()
    if own is not None:
        return _signed(grpc.secure_channel(address, own.for_channel(), options=CHANNEL_OPTIONS), caller)
    return _signed(grpc.insecure_channel(address, options=CHANNEL_OPTIONS), caller)


def _signed(channel: _Channel, caller: str) -> _Channel:
    keys = inner_keys()
    return by_wire_names(channel if keys is None else signing(channel, caller, keys))
