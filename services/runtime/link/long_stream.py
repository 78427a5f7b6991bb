"""Long streams of the contract at their server: calls of grpc_http2 whose methods get no context, as none does over links.

A method may yield messages, or what is encoded already.
"""

from collections.abc import Awaitable, Callable
from typing import Any

import grpc

from grpc_http2 import Call
from services.runtime import metrics, trace


def answer(handler: Any, traceparent: str) -> Callable[[Call], Awaitable[None]]:
    """Return what answers a call by the handler that generated code has registered, as a part of its caller's trace."""
    write: Callable[[Any], bytes] = handler.response_serializer

    def respond(requests: Any, _call: Any) -> Any:
        return handler.stream_stream(requests, None)

    def encoded(response: Any) -> bytes:
        return response if isinstance(response, bytes) else write(response)

    over_link = grpc.stream_stream_rpc_method_handler(respond, handler.request_deserializer, encoded)

    async def run(call: Call) -> None:
        trace.begin(traceparent)
        await call.serve(over_link)

    return run


def count(service: str, call: Call) -> None:
    """Count a call that is over, by its outcome; `service` is the short name of the service."""
    code = grpc.StatusCode.CANCELLED if call.status is None else call.status.code
    metrics.CALLS.of(service, call.path.rpartition("/")[2], code.name).add_stream()
