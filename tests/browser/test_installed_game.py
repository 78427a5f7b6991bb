"""Games that are installed as packages are played in a browser, on the board that knows no game."""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from deploy.local import web
from deploy.local.deployment import Deployment
from tests.browser.axe import findings
from tests.browser.looks import LOOKS
from tests.browser.play import look_again, play_to_the_end
from tests.examples.installing import ROOT, environment, hidden_game, installed

pytestmark = [pytest.mark.e2e, pytest.mark.browser, pytest.mark.nightly]


@pytest.fixture(scope="module")
def with_game(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployment]:
    web.build(lambda line: print(line))
    four = installed(ROOT / "examples" / "connect_four", tmp_path_factory.mktemp("package"))
    duel = hidden_game(tmp_path_factory.mktemp("hidden"))
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("PYTHONPATH", environment(four, duel)["PYTHONPATH"])
        with Deployment(data=tmp_path_factory.mktemp("deployment")) as started:
            yield started


LABELS = {"en": ("Columns", "Begins", "Yellow"), "de": ("Spalten", "Beginnt", "Gelb")}


@pytest.mark.parametrize("language", LABELS)
def test_its_options_are_chosen_on_the_page_within_their_bounds(with_game: Deployment, chromium: Browser, language: str) -> None:
    page = chromium.new_page(locale=language)
    page.set_default_timeout(20_000)
    page.goto(f"http://{with_game.web_address}/")
    page.get_by_test_id("game-connect_four").check(force=True)
    page.get_by_test_id("more-settings").click()
    columns, begins, yellow = LABELS[language]
    width = page.get_by_label(columns, exact=True)
    width.fill("11")
    width.blur()
    expect(page.get_by_test_id("option-columns").get_by_role("alert")).to_contain_text("10")
    expect(width).to_have_value("7")
    width.fill("5")
    page.get_by_label(begins, exact=True).select_option(label=yellow)
    page.get_by_test_id("play-button").click()
    expect(page.get_by_test_id("square-E6")).to_be_visible()
    expect(page.get_by_test_id("square-F6")).to_have_count(0)
    opened = page.get_by_test_id("board").locator(".hidden", has_text=yellow)
    expect(opened).to_have_count(1)  # the computer has begun
    page.close()


def test_a_person_plays_connect_four_against_the_computer(with_game: Deployment, chromium: Browser) -> None:
    page = chromium.new_page()
    page.set_default_timeout(20_000)
    page.goto(f"http://{with_game.web_address}/")
    page.get_by_test_id("game-connect_four").check(force=True)
    page.get_by_test_id("play-button").click()
    expect(page.get_by_test_id("board")).to_be_visible()
    play_to_the_end(page)
    expect(page.get_by_test_id("result")).not_to_be_empty()
    page.close()


def opened(with_game: Deployment, chromium: Browser, game: str, **context: Any) -> Page:
    """Return the first page with an installed game chosen."""
    page = chromium.new_context(**context).new_page()
    page.set_default_timeout(20_000)
    page.goto(f"http://{with_game.web_address}/")
    page.get_by_test_id(f"game-{game}").check(force=True)
    return page


def cards(page: Page) -> list[str]:
    """Return what the board shows of both cards of the blind duel."""
    return [page.get_by_test_id(f"square-card{seat}").locator(".thing").inner_text() for seat in (0, 1)]


def tells_nothing(page: Page) -> None:
    """Assert that neither the page nor what is spoken tells anything of what the next player holds."""
    expect(page.get_by_test_id("hand-over-to")).to_be_visible()
    expect(page.get_by_test_id("hidden-board")).to_be_visible()
    for gone in ("board", "choice", "notation-input", "action-list", "more"):
        expect(page.get_by_test_id(gone)).to_have_count(0)
    expect(page.locator(".thing")).to_have_count(0)
    expect(page.get_by_test_id("spoken")).to_be_empty()


def test_a_hidden_game_of_others_is_handed_over_and_shows_each_only_their_own_card(
    with_game: Deployment, chromium: Browser
) -> None:
    page = opened(with_game, chromium, "blind_duel")
    page.get_by_test_id("company-here").click()
    page.get_by_test_id("play-button").click()
    tells_nothing(page)
    page.get_by_test_id("hand-taken").click()
    first, unseen = cards(page)
    assert first in "123456" and not unseen
    page.get_by_test_id("choice").filter(has_text="peek").click()
    tells_nothing(page)
    for key in ("ArrowLeft", "Home", "Escape"):
        page.keyboard.press(key)
        tells_nothing(page)
    other = page.context.new_page()  # neither a reload nor a second tab shows more
    other.goto(page.url)
    page.reload()
    for each in (page, other):
        tells_nothing(each)
    page.get_by_test_id("hand-taken").click()
    expect(page.get_by_test_id("board")).to_be_visible()
    seen, second = cards(page)
    assert not seen and second in "123456" and second != first
    page.get_by_test_id("square-deck").click()
    tells_nothing(page)
    page.get_by_test_id("hand-taken").click()
    assert cards(page) == [first, ""], "the other one has drawn a card since"
    page.get_by_test_id("choice").filter(has_text="call").click()
    expect(page.get_by_test_id("result")).to_be_visible()
    expect(page.get_by_test_id("hand-over-to")).to_have_count(0)
    assert all(cards(page)), "both cards lie open in the end"
    page.context.close()


def test_a_hidden_game_of_others_is_played_against_the_computer(with_game: Deployment, chromium: Browser) -> None:
    page = opened(with_game, chromium, "blind_duel")
    page.get_by_test_id("play-button").click()
    expect(page.get_by_test_id("board")).to_be_visible()
    expect(page.get_by_test_id("hand-over-to")).to_have_count(0)
    result, draw = page.get_by_test_id("result"), page.locator("[data-testid=square-deck][data-mark]")
    while not result.is_visible():
        if draw.count():
            assert not cards(page)[1]
            draw.click()
        elif page.get_by_test_id("choice").count():
            page.get_by_test_id("choice").filter(has_text="call").click()
        look_again(page)
    assert all(cards(page))
    page.context.close()


@LOOKS
def test_the_cover_of_an_installed_game_can_be_read(with_game: Deployment, chromium: Browser, locale: str, scheme: str) -> None:
    looks = {"locale": locale, "color_scheme": scheme, "viewport": {"width": 390, "height": 844}}
    page = opened(with_game, chromium, "blind_duel", **looks)
    page.get_by_test_id("company-here").click()
    page.get_by_test_id("play-button").click()
    tells_nothing(page)
    assert not findings(page)
    page.get_by_test_id("hand-taken").click()
    expect(page.get_by_test_id("board")).to_be_visible()
    assert not findings(page)
    page.context.close()
