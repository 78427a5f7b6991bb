"""Where push messages may go, and where not, whatever a stranger names."""

import socket
from typing import Any

import httpcore2
import pytest

from services.players.notifications.allowed_hosts import AllowedHosts, PublicBackend, is_public
from services.runtime.refusal import Refused
from services.runtime.settings import Settings
from tests.push_endpoint import PushEndpoint

USUAL = AllowedHosts(Settings.model_fields["push_hosts"].default)


@pytest.mark.parametrize(
    "endpoint",
    [
        "https://fcm.googleapis.com/fcm/send/abc",
        "https://updates.push.services.mozilla.com/wpush/v2/abc",
        "https://web.push.apple.com/abc",
        "https://db5p.notify.windows.com/w/?token=abc",
    ],
)
def test_the_push_services_of_the_usual_browsers_may_be_called(endpoint: str) -> None:
    USUAL.check(endpoint)


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://fcm.googleapis.com/abc",
        "https://fcm.googleapis.com.evil.example/abc",
        "https://evil.example/fcm.googleapis.com",
        "https://notify.windows.com.evil.example/",
        "https://user:pass@fcm.googleapis.com/abc",
        "https://fcm.googleapis.com:8443/abc",
        "https://web.push.apple.com:22/abc",
        "https://127.0.0.1/abc",
        "https://localhost/abc",
        "https://[::1]/abc",
        "https://169.254.169.254/latest/meta-data",
        "https://redis:6379/",
        "file:///etc/passwd",
        "https://",
        "https://fcm.googleapis.com:99999/",
        "//fcm.googleapis.com/abc",
        "https://fcm.googleapis.com/#abc",
        "https://fcm.googleapis.com/äbc",
        "",
    ],
)
def test_all_other_hosts_are_refused(endpoint: str) -> None:
    with pytest.raises(Refused):
        USUAL.check(endpoint)


@pytest.mark.parametrize(
    ("address", "is_one"),
    [
        ("8.8.8.8", True),
        ("2001:4860:4860::8888", True),
        ("10.1.2.3", False),
        ("172.16.0.1", False),
        ("192.168.1.1", False),
        ("100.64.0.1", False),
        ("127.0.0.1", False),
        ("0.0.0.0", False),
        ("169.254.169.254", False),
        ("224.0.0.1", False),
        ("255.255.255.255", False),
        ("::1", False),
        ("::", False),
        ("fe80::1%eth0", False),
        ("fd00::1", False),
        ("ff02::1", False),
        ("::ffff:127.0.0.1", False),
        ("64:ff9b::7f00:1", False),
        ("64:ff9b::808:808", True),
        ("2002:7f00:1::", False),
        ("nonsense", False),
    ],
)
def test_only_addresses_of_the_internet_are_public(address: str, is_one: bool) -> None:
    assert is_public(address) is is_one


async def test_a_name_that_leads_inside_is_not_connected_to(tmp_path: Any) -> None:
    with PushEndpoint(tmp_path) as endpoint:
        port = int(endpoint.host.partition(":")[2])
        with pytest.raises(httpcore2.ConnectError, match="no public address"):
            await PublicBackend(AllowedHosts("*")).connect_tcp("localhost", port, timeout=30)
        stream = await PublicBackend(AllowedHosts(f"localhost:{port}")).connect_tcp("localhost", port, timeout=30)
        await stream.aclose()


async def test_a_name_that_means_something_inside_beside_something_public_is_not_connected_to(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def answer(*_: Any, **__: Any) -> list[Any]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (one, 443)) for one in ("192.0.2.1", "127.0.0.1")]

    monkeypatch.setattr(socket, "getaddrinfo", answer)
    with pytest.raises(httpcore2.ConnectError, match="no public address"):
        await PublicBackend(AllowedHosts("*")).connect_tcp("rebinding.example", 443, timeout=30)


@pytest.mark.parametrize("listed", ["https://push.example.org", "push.*.org", "a*"])
def test_an_invalid_list_of_hosts_is_rejected_at_the_start(listed: str) -> None:
    with pytest.raises(ValueError, match="BRETTWERK_PUSH_HOSTS"):
        AllowedHosts(listed)
