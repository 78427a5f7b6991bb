"""Pages of other origins: shut out as things come, let in where the operator lists them, and nowhere but at the calls."""

import pytest

from gateway.http.cors import Origins
from tests.gateway.conftest import OpenGateway
from tests.web_client import web_client

FRIEND = "https://play.example"
PREFLIGHT = {"access-control-request-method": "POST", "access-control-request-headers": "authorization,content-type"}


async def test_no_page_of_another_origin_is_let_in_unless_it_is_listed(open_gateway: OpenGateway) -> None:
    closed, opened = await open_gateway(), await open_gateway(allowed_origins=FRIEND)
    for running, origin in ((closed, FRIEND), (opened, "https://evil.example"), (opened, "null")):
        async with web_client(base_url=running.web, headers={"origin": origin}) as client:
            for response in (await client.options("/v1/ListGames", headers=PREFLIGHT), await client.get("/v1/health")):
                assert not [name for name in response.headers if name.startswith("access-control-")]


async def test_a_listed_page_asks_first_and_reads_answers_and_refusals(open_gateway: OpenGateway) -> None:
    running = await open_gateway(allowed_origins=f"http://other.example, {FRIEND}/")
    async with web_client(base_url=running.web, headers={"origin": FRIEND}) as client:
        asked = await client.options("/v1/GetSession", headers=PREFLIGHT)
        assert (asked.status_code, asked.content) == (204, b"")
        assert asked.headers["access-control-allow-origin"] == FRIEND
        assert asked.headers["access-control-allow-headers"].startswith("authorization, content-type, ")
        for path, status in (("/v1/GetSession", 200), ("/v1/Nope", 404)):
            answer = await client.post(path, json={"sessionId": "07abc"})
            assert answer.status_code == status
            assert answer.headers["access-control-allow-origin"] == FRIEND
            assert "origin" in answer.headers["vary"]
            assert "access-control-allow-credentials" not in answer.headers
        assert "access-control-allow-origin" not in (await client.get("/")).headers


@pytest.mark.parametrize("listed", ["play.example", "https://play.example/page", "https://a@play.example"])
def test_an_invalid_origin_is_refused_at_the_start(listed: str) -> None:
    with pytest.raises(ValueError, match="is no origin"):
        Origins(listed)


def test_any_origin_and_pages_from_files_have_words_of_their_own() -> None:
    assert Origins("*").lists("https://anybody.example")
    assert Origins("null").lists("null")
    assert not Origins("null").lists(FRIEND)
    assert not Origins("*").lists("")
