"""After the game: verify, save, go on from the file, play on from a move, and a review for everybody."""

import json

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import findings
from tests.browser.play import from_menu, play_to_the_end, sit_down_together, touchable

pytestmark = [pytest.mark.e2e, pytest.mark.browser]


def finished(page: Page) -> int:
    """Play a game against the computer to its end; returns how many moves it had."""
    page.get_by_test_id("play-button").click()
    expect(page.get_by_test_id("board")).to_be_visible()
    play_to_the_end(page)
    return page.get_by_test_id("action-list").get_by_role("button").count()


@pytest.mark.nightly
def test_the_rolls_of_a_finished_game_are_verified_with_one_click(open_page):
    page = open_page()
    plies = finished(page)
    page.get_by_test_id("verify").click()
    expect(page.get_by_test_id("verification")).to_contain_text(f"All {plies} moves were replayed")
    expect(page.get_by_test_id("verification")).to_contain_text("Every roll follows from the secret")


@pytest.mark.nightly
def test_a_game_is_saved_as_a_file_and_opened_by_somebody_else(open_page, tmp_path):
    page, other = open_page(), open_page()
    plies = finished(page)
    with page.expect_download() as download:
        from_menu(page, "export")
    file = tmp_path / "game.json"
    download.value.save_as(file)
    assert json.loads(file.read_text())["game"] == "einstein"
    other.get_by_test_id("open-file").set_input_files(file)
    expect(other.get_by_test_id("result")).to_be_visible()
    expect(other.get_by_test_id("earlier")).to_contain_text(f": {plies}.")
    expect(other.get_by_test_id("seat-0")).to_contain_text("you")
    file.write_text(file.read_text().replace("einstein", "einstain"))
    other.goto(other.url.partition("/s/")[0])
    other.get_by_test_id("open-file").set_input_files(file)
    expect(other.get_by_test_id("refusal")).to_be_visible()


@pytest.mark.nightly
def test_a_finished_game_is_played_on_from_an_earlier_move(open_page):
    page = open_page()
    finished(page)
    table = page.url
    page.get_by_test_id("action-list").get_by_role("button").nth(1).click()
    page.get_by_test_id("fork").click()
    page.wait_for_url(lambda url: url != table)
    expect(page.get_by_test_id("result")).to_have_count(0)
    expect(page.get_by_test_id("seat-0")).to_contain_text("to move")
    assert touchable(page)
    page.go_back()
    expect(page.get_by_test_id("result")).to_be_visible()


@pytest.mark.nightly
@pytest.mark.parametrize(("locale", "luck"), [("en-GB", "Luck:"), ("de-DE", "Glück:")])
def test_a_spectator_reviews_a_game_as_soon_as_it_is_over(open_page, locale, luck):
    ada, ben, cleo = open_page(), open_page(), open_page(locale=locale)
    sit_down_together(ada, ben)
    cleo.goto(ada.url)
    expect(cleo.get_by_test_id("board")).to_be_visible()
    expect(cleo.get_by_test_id("review")).to_have_count(0)
    play_to_the_end(ada, ben)
    cleo.get_by_test_id("review-run").click()
    sums = cleo.get_by_test_id("luck")
    expect(sums).to_be_visible(timeout=60_000)
    expect(sums.locator("dt")).to_have_count(2)
    expect(sums).to_contain_text(luck)
    assert not findings(cleo)
    cleo.get_by_test_id("review").locator("summary").click()
    heads = cleo.get_by_test_id("review").locator("thead th")
    expect(heads).to_have_count(5)
    assert not findings(cleo)
