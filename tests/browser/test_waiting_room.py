"""A table that waits for people: what they will play, how they come to it, and who plays when nobody comes."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import findings
from tests.browser.looks import IPHONE, LOOKS
from tests.browser.play import choose_game, new_table_for_two

pytestmark = [pytest.mark.e2e, pytest.mark.browser]

DESKTOP = {"width": 1440, "height": 900}
HEARD = "navigator.share = async (what) => { globalThis.shared = what; }"
"""The sharing of a device that can share: here it only remembers what."""
LARGEST = """(picture) => Math.max(...[...picture.querySelectorAll("svg")].map((svg) => {
  const { width, height } = svg.getBoundingClientRect();
  return width * height;
}))"""
"""The area of the largest drawing, in pixels: some only hold what others use."""


def wait_at(page: Page, game: str) -> str:
    choose_game(page, game, is_newcomer=True)
    return new_table_for_two(page)


@pytest.mark.nightly
@pytest.mark.parametrize("game", ["einstein", "emperado", "plateau", "wec"])
def test_a_waiting_player_sees_the_board_the_rules_and_the_code_for_a_phone(open_page, game):
    page = open_page(viewport=DESKTOP)
    wait_at(page, game)
    for sight in ("waiting-rules", "qr-code", "invite-copy", "sit-computer-1"):
        expect(page.get_by_test_id(sight)).to_be_in_viewport(ratio=1)
    picture = page.get_by_test_id("waiting-board").get_by_role("img")
    expect(picture).to_be_in_viewport(ratio=1)
    assert picture.evaluate(LARGEST) > 0.2 * 1440 * 900
    page.get_by_test_id("waiting-rules").click()
    expect(page).to_have_url(re.compile(f"/rules/{game}$"))


@LOOKS
def test_an_invited_player_sees_the_same_board_on_a_phone(open_page, locale, scheme):
    one = open_page()
    path = wait_at(one, "einstein")
    other = open_page(path, locale=locale, color_scheme=scheme, **IPHONE.context)
    picture = other.get_by_test_id("waiting-board").get_by_role("img")
    expect(picture).to_be_visible()
    expect(picture.locator("svg").first).to_be_visible()
    assert other.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing sticks out at the side"
    expect(other.get_by_test_id("sit-computer-1")).to_have_count(0)
    assert not findings(other)
    other.get_by_test_id("join-1").tap()
    for page in (one, other):
        expect(page.get_by_test_id("waiting-board")).to_have_count(0)
        expect(page.get_by_test_id("board")).to_be_visible()


@pytest.mark.nightly
def test_a_device_that_can_share_shares_the_link(open_page):
    page = open_page()
    page.add_init_script(HEARD)
    page.reload()
    wait_at(page, "einstein")
    page.get_by_test_id("invite-share").click()
    page.wait_for_function("() => globalThis.shared !== undefined")
    assert page.evaluate("globalThis.shared.url") == page.get_by_test_id("invite-link").input_value()
    assert "EinStein" in page.evaluate("globalThis.shared.title")


@pytest.mark.nightly
def test_a_device_that_cannot_share_still_copies(open_page):
    page = open_page()
    page.add_init_script("delete Navigator.prototype.share")
    page.reload()
    wait_at(page, "einstein")
    expect(page.get_by_test_id("invite-copy")).to_be_visible()
    expect(page.get_by_test_id("invite-share")).to_have_count(0)


@pytest.mark.nightly
def test_a_computer_of_a_chosen_level_sits_down_where_nobody_comes(open_page):
    page = open_page(viewport=DESKTOP)
    wait_at(page, "einstein")
    page.get_by_test_id("sit-level-1").select_option("easy")
    page.get_by_test_id("sit-computer-1").click()
    expect(page.get_by_test_id("resign")).to_be_visible()
    expect(page.get_by_test_id("seat-1")).to_contain_text("Easy")
    expect(page.get_by_test_id("invite-link")).to_have_count(0)
