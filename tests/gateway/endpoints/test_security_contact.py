"""/.well-known/security.txt says whom to tell about weaknesses, where the operator has said so."""

import datetime

import httpx
import pytest

from gateway.endpoints.security_contact import SecurityContact
from tests.gateway.conftest import OpenGateway
from tests.web_client import web_client

PATH = "/.well-known/security.txt"


async def test_the_file_has_the_contacts_in_their_order_and_ends_to_be_valid_within_the_year(open_gateway: OpenGateway) -> None:
    running = await open_gateway(security_contact="mailto:security@example.org, https://example.org/report")
    async with web_client(base_url=running.web) as client:
        found = await client.get(PATH)
    assert (found.status_code, found.headers["content-type"]) == (200, "text/plain; charset=utf-8")
    fields = [tuple(row.split(": ", 1)) for row in found.text.splitlines()]
    assert [value for name, value in fields if name == "Contact"] == ["mailto:security@example.org", "https://example.org/report"]
    [expires] = [datetime.datetime.fromisoformat(value) for name, value in fields if name == "Expires"]
    left = expires - datetime.datetime.now(datetime.UTC)
    assert datetime.timedelta(days=7) < left < datetime.timedelta(days=366)


async def test_without_a_contact_there_is_no_such_file(client: httpx.AsyncClient) -> None:
    for accept in ("*/*", "text/html"):
        assert (await client.get(PATH, headers={"accept": accept})).status_code == 404


async def test_the_file_is_read_only(open_gateway: OpenGateway) -> None:
    running = await open_gateway(security_contact="mailto:security@example.org")
    async with web_client(base_url=running.web) as client:
        refused = await client.post(PATH, content=b"x")
        assert (refused.status_code, refused.headers["allow"]) == (405, "GET, HEAD")
        head = await client.head(PATH)
        assert (head.status_code, head.content) == (200, b"")


@pytest.mark.parametrize(
    "contact", ["security@example.org", "http://example.org", "mailto:x", "mailto:a@b\nExpires: x", "tel:12"]
)
def test_an_invalid_contact_is_reported(contact: str) -> None:
    with pytest.raises(ValueError, match="BRETTWERK_SECURITY_CONTACT"):
        SecurityContact(contact)
