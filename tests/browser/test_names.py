"""People and computers go by their names wherever a table is spoken of, and no name loses what stands above its letters."""

import pytest
from playwright.sync_api import Page, expect

from brettwerk.v1 import play_pb2, record_pb2
from tests.browser.looks import IPHONE, at_night
from tests.e2e.stranger import Stranger, computer, me, new_id, nobody

pytestmark = [pytest.mark.e2e, pytest.mark.browser]

NAME = "Élodie Ürsülä"
"""The marks on its capitals stand higher than any other letter."""
CUT = """(name) => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  let seen = 0;
  const cut = [];
  while (walker.nextNode()) {
    const text = walker.currentNode;
    if (!text.data.includes(name) || !text.parentElement.checkVisibility()) continue;
    range.selectNodeContents(text);
    const { top, bottom } = range.getBoundingClientRect();
    let isRead = true;
    const by = [];
    for (let around = text.parentElement; around !== null; around = around.parentElement) {
      if (!["hidden", "clip"].includes(getComputedStyle(around).overflowY)) continue;
      const box = around.getBoundingClientRect();
      if (box.height <= 1) isRead = false;
      else if (box.top > top + 1 || box.bottom < bottom - 1) by.push(around.className);
    }
    if (!isRead) continue;
    seen += 1;
    cut.push(...by);
  }
  return [seen, cut];
}"""
"""How often a name is seen on a page, and the classes of what cuts it. What only screen readers read is one pixel high."""


def is_whole(page: Page) -> None:
    """Assert that the name is on the page, and nowhere cut."""
    seen, cut = page.evaluate(CUT, NAME)
    assert seen > 0
    assert cut == []


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("context", "proposes"),
    [
        ({"locale": "en-GB"}, "Ben proposes a draw."),
        at_night({"locale": "de-DE", "color_scheme": "dark", **IPHONE.context}, "Ben schlägt vor: ein Remis."),
    ],
)
def test_proposals_and_the_list_of_tables_name_people_and_computers(open_page, site, context, proposes):
    ben = Stranger(site.grpc_address, "Ben")
    seats = (me(), nobody(), computer("normal"))
    create = play_pb2.CreateSessionRequest(game="emperado", seats=seats, request_id=new_id())
    made = ben.stub.CreateSession(create, metadata=ben.metadata, timeout=20)
    page = open_page(settings={"name": NAME}, **context)
    first = page.url
    page.goto(f"{first}s/{made.session.id}")
    page.get_by_test_id("join-1").click()
    expect(page.get_by_test_id("seat-2")).to_contain_text("Carla")
    expect(page.get_by_test_id("resign")).to_be_visible()
    draw = play_pb2.ProposeRequest(
        session_id=made.session.id,
        seat_token=made.grants[0].seat_token,
        proposal=record_pb2.Proposal(draw=True),
        request_id=new_id(),
    )
    ben.stub.Propose(draw, metadata=ben.metadata, timeout=20)
    expect(page.get_by_test_id("proposal")).to_contain_text(proposes)
    is_whole(page)
    page.goto(first)
    sitters = page.get_by_test_id("my-tables").locator("li").first.locator(".who > span")
    expect(sitters).to_have_text(["Ben", NAME, "Carla"])
    is_whole(page)
    ben.close()


@pytest.mark.nightly
def test_the_end_and_its_card_show_a_name_whole(open_page):
    page = open_page(settings={"name": NAME})
    page.get_by_test_id("play-button").click()
    page.get_by_test_id("tour-skip").click()
    page.get_by_test_id("resign").click()
    page.get_by_test_id("sure").click()
    expect(page.get_by_test_id("result")).to_be_visible()
    is_whole(page)
    page.get_by_test_id("card").click()
    expect(page.get_by_test_id("card-picture").get_by_text(NAME, exact=True)).to_be_visible()
    is_whole(page)
