"""How tests call services directly: with a token, as the services do it."""

from typing import TypeVar

import grpc

from services.runtime.inner_calls import HEADER, InnerKeys, inner_keys, signing

Channel = TypeVar("Channel", grpc.Channel, grpc.aio.Channel)


def keys() -> InnerKeys:
    """Return the keys of the processes that tests start."""
    found = inner_keys()
    assert found is not None
    return found


def token(service: str) -> tuple[tuple[str, str], ...]:
    """Return the metadata of a call to a service."""
    return ((HEADER, keys().token("tests", service)),)


def known(channel: Channel) -> Channel:
    """Return the channel, whose calls carry a token from now on."""
    return signing(channel, "tests", keys())
