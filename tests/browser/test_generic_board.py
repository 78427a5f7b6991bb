"""The board that knows no game shows games of packages as they are: squares, hexagons, dice, cards and stacks, played by taps."""

import re
import time
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from deploy.local import web
from deploy.local.deployment import Deployment
from tests.browser.axe import findings
from tests.browser.looks import DESKTOP, IPHONE, LOOKS, Screen
from tests.browser.play import GAME_S, is_over, look_again, play_by_mouse, press, touchable
from tests.examples.installing import with_packages

pytestmark = [pytest.mark.e2e, pytest.mark.browser, pytest.mark.nightly]

PACKAGES = {
    "connect_four": "examples/connect_four",
    "breakthrough": "examples/breakthrough",
    "hex_seven": "tests/examples/hex_seven_package",
    "liars_dice": "examples/liars_dice",
    "mau_mau": "tests/examples/mau_mau_package",
}


@pytest.fixture(scope="module")
def with_games(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployment]:
    web.build(lambda line: print(line))
    with with_packages(*PACKAGES.values()), Deployment(data=tmp_path_factory.mktemp("deployment")) as started:
        yield started


def begun(deployment: Deployment, browser: Browser, game: str, screen: Screen = IPHONE, **context: Any) -> Page:
    """Return the page of a game against the computer."""
    page = browser.new_context(**screen.context, reduced_motion="reduce", **context).new_page()
    page.set_default_timeout(20_000)
    page.goto(f"http://{deployment.web_address}/")
    page.get_by_test_id(f"game-{game}").check(force=True)
    press(page.get_by_test_id("play-button"))
    expect(page.get_by_test_id("board")).to_be_visible()
    return page


def moved(page: Page) -> list[str]:
    """Return the places that are marked as the last move."""
    found: list[str] = page.locator("[data-moved]").evaluate_all("places => places.map((each) => each.dataset.place)")
    return found


def story(page: Page) -> Locator:
    return page.get_by_test_id("story").get_by_role("listitem")


def is_in_sight(wanted: Locator) -> bool:
    """Tell whether all of something is seen without scrolling, and nothing lies over it."""
    seen: bool = wanted.evaluate("""(element) => {
      const { left, top, right, bottom } = element.getBoundingClientRect();
      const found = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      return top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth && element.contains(found);
    }""")
    return seen


def until_over(page: Page, play: Any) -> None:
    end = time.monotonic() + GAME_S
    while not is_over(page):
        assert time.monotonic() < end, f"the game was not over after {GAME_S} s"
        play(page)
        look_again(page)


@pytest.mark.parametrize("game", ["connect_four", "hex_seven", "breakthrough"])
def test_a_game_on_squares_or_hexagons_is_played_by_taps_and_has_no_buttons_for_what_the_board_offers(
    with_games: Deployment, chromium: Browser, game: str
) -> None:
    page = begun(with_games, chromium, game)
    expect(page.locator("[data-mark]").first).to_be_visible()
    expect(page.get_by_test_id("choice")).to_have_count(0)
    if game == "breakthrough":
        press(page.locator("[data-mark=candidate]").first)
        expect(page.locator("[data-mark=moving]")).to_have_count(1)
    play_by_mouse(page)
    expect(story(page)).to_have_count(2)  # one's own move, and the answer
    expect(page.locator("[data-moved]")).to_have_count(2 if game == "breakthrough" else 1)
    assert is_in_sight(story(page).last)
    until_over(page, play_by_mouse)
    assert moved(page)
    page.context.close()


def bid_or_call(page: Page) -> None:
    """Call a lie where a call is offered, and bid the least elsewhere."""
    lie = page.get_by_test_id("choice")
    if lie.count():
        assert is_in_sight(lie), "the call is where the eye is"
        press(lie)
        expect(lie).to_have_count(0)
    elif names := touchable(page):
        press(page.get_by_test_id(f"square-{names[0]}"))


def test_dice_are_bid_on_by_taps_and_shown_after_a_call_with_their_loser(with_games: Deployment, chromium: Browser) -> None:
    page = begun(with_games, chromium, "liars_dice")
    own, other = page.locator("[data-place^='0.']"), page.locator("[data-place^='1.']")
    expect(own.locator(".die:not(.covered)")).to_have_count(5)
    expect(other.locator(".die.covered")).to_have_count(5)
    press(page.get_by_test_id("square-1"))
    press(page.get_by_test_id("square-face 1"))
    lie = page.get_by_test_id("choice")
    lost = story(page).filter(has_text="loses a die")
    end = time.monotonic() + GAME_S
    while not lost.count():
        assert time.monotonic() < end
        bid_or_call(page)
        look_again(page)
    expect(lost.last.locator(".die:not(.covered)")).to_have_count(10)
    expect(lost.last.get_by_role("img")).to_have_attribute("aria-label", re.compile(r"^([1-6], ){9}[1-6]$"))
    assert is_in_sight(lost.last)
    expect(own.or_(other)).to_have_count(9)
    until_over(page, bid_or_call)
    expect(lie).to_have_count(0)
    page.context.close()


def test_cards_are_played_from_the_hand_by_taps(with_games: Deployment, chromium: Browser) -> None:
    page = begun(with_games, chromium, "mau_mau")
    hands = page.get_by_role("grid", name="Cards of Red"), page.get_by_role("grid", name="Cards of Blue")
    expect(hands[0].locator(".card:not(.back)")).to_have_count(5)
    expect(hands[1].locator(".card.back")).to_have_count(5)
    pile = page.get_by_test_id("square-pile")
    expect(pile).to_contain_text("9")
    press(pile)
    expect(hands[0].locator(".card:not(.back)")).to_have_count(6)
    expect(story(page)).to_have_count(2)
    expect(story(page).first).to_contain_text("A card was drawn.")

    def play(page: Page) -> None:
        if page.get_by_test_id("choice").count():
            press(page.get_by_test_id("choice"))  # nothing is left but to pass
        else:
            play_by_mouse(page)

    until_over(page, play)
    page.context.close()


def test_a_board_of_hexagons_and_a_hand_are_played_by_keys(with_games: Deployment, chromium: Browser) -> None:
    page = begun(with_games, chromium, "hex_seven", DESKTOP)
    page.get_by_test_id("square-A7").focus()
    for key in ("ArrowDown", "ArrowRight", "ArrowDown", "ArrowUp"):
        page.keyboard.press(key)
    expect(page.get_by_test_id("square-B6")).to_be_focused()
    page.keyboard.press("Enter")
    expect(story(page).first).to_contain_text("B6")
    page.context.close()
    page = begun(with_games, chromium, "mau_mau", DESKTOP)
    hand = page.get_by_role("grid", name="Cards of Red").get_by_role("button")
    hand.first.focus()
    page.keyboard.press("End")
    expect(hand.last).to_be_focused()
    page.keyboard.press("Home")
    expect(hand.first).to_be_focused()
    page.context.close()


@LOOKS
@pytest.mark.parametrize("game", PACKAGES)
def test_it_is_accessible(with_games: Deployment, chromium: Browser, game: str, locale: str, scheme: str) -> None:
    for screen in (IPHONE, DESKTOP):
        page = begun(with_games, chromium, game, screen, locale=locale, color_scheme=scheme)
        expect(page.locator("[data-mark]").first).to_be_visible()
        for _ in range(4):
            play_by_mouse(page)
        assert not findings(page)
        page.context.close()
