"""Settling before the start in the browser: two people negotiate a game of Weaponized Chess, and play what they agreed on."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.axe import findings
from tests.browser.looks import at_night
from tests.browser.play import BY_HAND, choose_game, from_menu
from tests.browser.wec import play_on

pytestmark = [pytest.mark.e2e, pytest.mark.browser]


def settle_together(one: Page, other: Page, game: str = "wec") -> None:
    """Let two people sit down at a table that settles."""
    choose_game(one, game)
    one.get_by_test_id("company-friend").click()
    one.get_by_test_id("settles").check()
    one.get_by_test_id("play-button").click()
    expect(one.get_by_test_id("invite-link")).to_be_visible()
    other.goto(one.url)
    other.get_by_test_id("join-1").click()
    for page in (one, other):
        expect(page.get_by_test_id("settling")).to_be_visible()


def option(page: Page, key: str) -> Locator:
    """Open the form and the heading that an option stands under, and return its field."""
    if page.get_by_test_id("settle-form").get_attribute("open") is None:
        page.get_by_test_id("settle-form").locator("> summary").click()
    field = page.get_by_test_id("settle-form").get_by_test_id(f"option-{key}").locator("input, select")
    group = page.get_by_test_id("option-group").filter(has=page.get_by_test_id(f"option-{key}"))
    if group.get_attribute("open") is None:
        group.locator("> summary").click()
    return field


def propose(page: Page, key: str, value: str) -> None:
    field = option(page, key)
    field.fill(value)
    field.blur()
    page.get_by_test_id("settle-propose").click()
    expect(page.get_by_test_id("proposal")).to_contain_text(value)


@pytest.mark.nightly
def test_two_people_negotiate_a_game_and_play_it(open_page) -> None:
    """WEC-NET-3, WEC-NET-4, WEC-NET-5, WEC-ONLINE-1, WEC-ONLINE-2."""
    one, other = open_page(settings=BY_HAND), open_page(settings=BY_HAND)
    settle_together(one, other)
    propose(one, "stun_range", "4")
    expect(other.get_by_test_id("begin")).to_be_disabled()
    expect(other.get_by_test_id("proposal")).to_contain_text(": 4")
    other.get_by_test_id("decline").click()
    expect(one.get_by_test_id("proposal")).to_have_count(0)
    propose(one, "stun_range", "5")
    other.get_by_test_id("accept").click()
    for page in (one, other):
        expect(page.get_by_test_id("settled-options")).to_contain_text(": 5")
    own = other.get_by_test_id("own-options").locator("select")
    own.select_option("4")
    expect(one.get_by_test_id("settled-options").locator("li")).to_have_count(2)
    for page in (one, other):
        page.get_by_test_id("wish").select_option("1")
    for seat in (0, 1):
        expect(one.get_by_test_id(f"wish-{seat}")).to_be_visible()
    other.get_by_test_id("begin").click()
    for page in (one, other):
        expect(page.get_by_test_id("board")).to_be_visible()
        expect(page.get_by_test_id("settling")).to_have_count(0)
    mine = [page.get_by_test_id("seat-0").get_by_text(re.compile("· you")).count() for page in (one, other)]
    assert sum(mine) == 1, "one of them has Black, the other has not"
    black, white = (one, other) if mine[0] else (other, one)
    for page in (one, other):
        page.get_by_test_id("status").locator("summary").click()
        value = page.get_by_test_id("status").locator("dt:has-text('Stun') + dd", has_text=re.compile("^5$"))
        expect(value.first).to_be_visible()
    black.get_by_test_id("square-(2,2)").click()
    black.get_by_test_id("square-(3,3)").click()
    black.get_by_test_id("mode-end").click()
    expect(white.get_by_test_id("seat-1").locator(".turn")).to_be_visible()
    black.reload()
    expect(black.get_by_test_id("seat-0")).to_contain_text("you")


@pytest.mark.nightly
def test_a_proposal_is_withdrawn_and_a_board_with_hidden_pieces_agreed_and_played_to_its_end(open_page) -> None:
    one, other = open_page(settings=BY_HAND), open_page(settings=BY_HAND)
    settle_together(one, other)
    propose(other, "flame_range", "2")
    other.get_by_test_id("proposal").get_by_role("button").click()
    expect(one.get_by_test_id("proposal")).to_have_count(0)
    one.get_by_test_id("settle-form").locator("> summary").click()
    one.get_by_test_id("settle-start").select_option("hunt_in_the_dark")
    one.get_by_test_id("settle-propose").click()
    other.get_by_test_id("accept").click()
    name = one.get_by_test_id("settle-start").locator("option[value=hunt_in_the_dark]").inner_text()
    expect(other.get_by_test_id("settled-start")).to_have_text(name)
    one.get_by_test_id("begin").click()
    for page in (one, other):
        expect(page.get_by_test_id("board")).to_be_visible()
    play_on(one, other)
    for page in (one, other):
        expect(page.get_by_test_id("result")).to_be_visible()


@pytest.mark.nightly
@pytest.mark.parametrize(("locale", "scheme", "width"), [("en-GB", "light", 1280), at_night("de-DE", "dark", 360)])
def test_it_is_read_by_everybody_on_every_screen(open_page, locale: str, scheme: str, width: int) -> None:
    look = {"locale": locale, "color_scheme": scheme, "viewport": {"width": width, "height": 800}}
    one, other = open_page(**look), open_page(**look)
    settle_together(one, other)
    propose(one, "stun_range", "4")
    expect(other.get_by_test_id("accept")).to_be_visible()
    for page in (one, other):
        assert findings(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    other.get_by_test_id("accept").focus()
    other.keyboard.press("Enter")
    expect(one.get_by_test_id("settled-options")).to_contain_text(": 4")
    other.get_by_test_id("begin").focus()
    other.keyboard.press("Enter")
    expect(one.get_by_test_id("board")).to_be_visible()


@pytest.mark.nightly
def test_a_board_made_for_a_table_that_settles_is_brought_back_to_it_and_proposed(open_page) -> None:
    one, other = open_page(), open_page()
    settle_together(one, other)
    table = one.url
    from_menu(one, "edit")
    expect(one.get_by_test_id("board-play")).to_be_enabled()
    one.get_by_test_id("board-play").click()
    expect(one.get_by_test_id("settle-start")).to_have_value("own")
    assert one.url == table
    one.get_by_test_id("settle-propose").click()
    other.get_by_test_id("accept").click()
    expect(one.get_by_test_id("settled-start")).to_have_text("Custom board")
    other.get_by_test_id("begin").click()
    for page in (one, other):
        expect(page.get_by_test_id("board")).to_be_visible()
