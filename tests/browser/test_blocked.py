"""Two who have played, and one has blocked the other: what the page says."""

import pytest
from playwright.sync_api import expect

from brettwerk.v1 import opponents_pb2
from brettwerk_client import Client
from deploy.local.deployment import Deployment
from tests.browser.conftest import Opener
from tests.browser.play import sit_down

pytestmark = [pytest.mark.e2e, pytest.mark.browser]

PLAYER = "JSON.parse(localStorage.getItem('brettwerk.player'))"


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("locale", "said"), [("en-GB", "There is no rematch"), ("de-DE", "Es gibt keine Revanche")], ids=["English", "German"]
)
def test_a_rematch_that_is_refused_because_of_a_block_says_so(
    open_page: Opener, site: Deployment, locale: str, said: str
) -> None:
    one, other = open_page(), open_page(locale=locale)
    sit_down(one, other)
    address = other.url
    other.get_by_test_id("resign").click()
    other.get_by_test_id("sure").click()
    with Client(site.grpc_address, token=one.evaluate(PLAYER)["token"]) as blocker:
        block = opponents_pb2.BlockPlayerRequest(player_id=other.evaluate(PLAYER)["id"], blocked=True)
        blocker.call(blocker.service.BlockPlayer, block)
    other.get_by_test_id("rematch").click()
    expect(other.get_by_role("alert").filter(has_text=said)).to_be_visible()
    assert other.url == address
