"""Names of services, where a stand-in answers for them."""

import socket
import struct
from typing import Any

import pytest

from deploy.cluster.names import Names, answer, endpoints, names


def service(name: str, address: str) -> dict[str, Any]:
    return {"metadata": {"namespace": "games", "name": name}, "spec": {"clusterIP": address}}


def slice_of(name: str, *those: dict[str, Any]) -> dict[str, Any]:
    labels = {"kubernetes.io/service-name": name}
    return {"metadata": {"namespace": "games", "labels": labels}, "endpoints": list(those)}


def pod(address: str, ready: bool = True, **more: str) -> dict[str, Any]:
    return {"addresses": [address], "conditions": {"ready": ready}, **more}


def question(name: str, kind: int = 1) -> bytes:
    labels = b"".join(bytes([len(label)]) + label.encode() for label in name.split("."))
    return struct.pack("!HHHHHH", 77, 0x0100, 1, 0, 0, 0) + labels + b"\0" + struct.pack("!HH", kind, 1)


def addresses(reply: bytes) -> list[str]:
    (count,) = struct.unpack_from("!H", reply, 6)
    return [socket.inet_ntoa(reply[len(reply) - 16 * left + 12 :][:4]) for left in range(count, 0, -1)]


def test_names_lead_to_the_service_or_to_its_ready_pods() -> None:
    behind = endpoints(
        [
            slice_of("store", pod("10.0.0.9", hostname="store-0")),
            slice_of("store", pod("10.0.0.8", ready=False, hostname="store-1")),
        ]
    )
    known = names([service("gateway", "10.96.0.7"), service("store", "None"), service("nobody", "None")], behind)
    assert known == {
        "gateway.games.svc.cluster.local": ["10.96.0.7"],
        "store.games.svc.cluster.local": ["10.0.0.9"],
        "store-0.store.games.svc.cluster.local": ["10.0.0.9"],
        "nobody.games.svc.cluster.local": [],
    }


def test_a_name_is_answered_with_all_its_addresses() -> None:
    reply = answer(question("Rules.games"), {"rules.games": ["10.0.0.1", "10.0.0.2"]})
    assert reply[:2] == struct.pack("!H", 77)
    assert addresses(reply) == ["10.0.0.1", "10.0.0.2"]


def test_a_name_without_pods_exists_and_another_does_not() -> None:
    known: Names = {"rules.games": []}
    status = [struct.unpack_from("!H", answer(question(name), known), 2)[0] & 0xF for name in ("rules.games", "other.games")]
    assert status == [0, 3]


def test_there_are_no_addresses_of_ipv6() -> None:
    reply = answer(question("rules.games", kind=28), {"rules.games": ["10.0.0.1"]})
    assert addresses(reply) == []
    assert struct.unpack_from("!H", reply, 2)[0] & 0xF == 0


@pytest.mark.parametrize(
    "rubbish", [b"", b"\0" * 12, question("rules.games")[:-3], b"\0" * 12 + b"\x3fa", b"\0" * 12 + b"\x01\xff\0"]
)
def test_bytes_that_are_no_question_are_refused(rubbish: bytes) -> None:
    with pytest.raises(ValueError):
        answer(rubbish, {})
