"""Requests as they have been read."""

from google.protobuf.message import Message

from brettwerk.v1 import play_pb2
from gateway.calls.requests import Incoming
from gateway.messages.contract import METHODS


def may_repeat(name: str, request: Message) -> bool:
    return Incoming(METHODS[name], request, b"").may_repeat


def test_a_write_without_a_request_id_may_not_be_repeated() -> None:
    assert may_repeat("GetSession", play_pb2.GetSessionRequest())
    assert may_repeat("Act", play_pb2.ActRequest(request_id="12345678"))
    assert not may_repeat("Act", play_pb2.ActRequest())
