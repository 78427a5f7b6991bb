"""A game that is installed as a package is played in a browser, on the board that knows no game."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from deploy.local import web
from deploy.local.deployment import Deployment
from tests.browser.play import play_to_the_end
from tests.examples.installing import ROOT, environment, installed

pytestmark = [pytest.mark.e2e, pytest.mark.browser, pytest.mark.nightly]


@pytest.fixture(scope="module")
def with_game(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployment]:
    web.build(lambda line: print(line))
    package = installed(ROOT / "examples" / "connect_four", tmp_path_factory.mktemp("package"))
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("PYTHONPATH", environment(package)["PYTHONPATH"])
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
    opened = page.get_by_test_id("board").locator(".spoken", has_text=yellow)
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
