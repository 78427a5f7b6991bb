"""Two who have played, and one has blocked the other: what the page says."""

import pytest
from playwright.sync_api import expect

from tests.browser.play import sit_down

pytestmark = [pytest.mark.e2e, pytest.mark.browser]

PLAYER_IN = """async ([session, seat]) => {
  const answer = await fetch("/v1/GetSession", {
    method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ sessionId: session })
  });
  return (await answer.json()).update.session.seats[seat].occupant.person.playerId;
}"""


@pytest.mark.parametrize(
    ("locale", "said"), [("en-GB", "There is no rematch"), ("de-DE", "Es gibt keine Revanche")], ids=["English", "German"]
)
def test_a_rematch_that_is_refused_because_of_a_block_says_so(open_page, locale, said) -> None:
    one, other = open_page(), open_page(locale=locale)
    sit_down(one, other)
    origin, _, session = one.url.partition("/s/")
    other.get_by_test_id("resign").click()
    other.get_by_test_id("sure").click()
    expect(other.get_by_test_id("rematch")).to_be_visible()
    one.goto(f"{origin}/player/{one.evaluate(PLAYER_IN, [session, 1])}")
    one.get_by_test_id("block-player").click()
    expect(one.get_by_text("Blocked.")).to_be_visible()
    other.get_by_test_id("rematch").click()
    expect(other.get_by_role("alert")).to_contain_text(said)
    assert other.url.endswith(session)
