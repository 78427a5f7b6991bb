"""Statistics on the page: a run is started and seen done; figures and odds are drawn for everybody, on phones and by night."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import findings
from tests.browser.looks import ANDROID, at_night

pytestmark = [pytest.mark.e2e, pytest.mark.browser]


def start_run(page: Page, games: int) -> None:
    form = page.get_by_test_id("run-form")
    expect(form).to_be_visible()
    page.get_by_test_id("run-games").fill(str(games))
    page.get_by_test_id("run-seed").fill("7")
    page.get_by_test_id("run-start").click()


def overflow(page: Page) -> int:
    wide: int = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return wide


@pytest.mark.nightly
def test_a_run_is_started_from_the_page_and_its_pictures_are_there_when_it_is_done(open_page):
    page = open_page("/statistics/emperado")
    page.get_by_test_id("run-seats").select_option("3")
    page.get_by_test_id("run-level-1").select_option("easy")
    start_run(page, 30)
    state = page.get_by_test_id("run-state")
    expect(state).to_have_attribute("data-state", "DONE", timeout=120_000)
    expect(state).to_contain_text("30 of 30 games")
    expect(page.get_by_test_id("statistics-count")).to_contain_text("30 games")
    for kind in ("seat", "level", "length", "end"):
        expect(page.get_by_test_id(f"figure-{kind}").get_by_role("img")).to_be_visible()
    seats = page.get_by_test_id("figure-seat")
    seats.get_by_text("Numbers").click()
    expect(seats.get_by_role("row")).to_have_count(4)
    assert findings(page) == []
    run = page.url
    page.goto(run.partition("/run/")[0] + "/statistics/emperado")
    expect(page.get_by_test_id("own-run").first).to_contain_text("30 of 30 games")


@pytest.mark.nightly
def test_a_long_run_is_cancelled(open_page):
    page = open_page("/statistics/wec")
    start_run(page, 200)
    expect(page.get_by_test_id("run-state")).to_have_attribute("data-state", re.compile("WAITING|RUNNING"))
    page.get_by_test_id("run-cancel").click()
    expect(page.get_by_test_id("run-state")).to_have_attribute("data-state", "CANCELLED")
    expect(page.get_by_test_id("run-cancel")).to_have_count(0)


@pytest.mark.nightly
@pytest.mark.parametrize("scheme", ["light", at_night("dark")])
def test_the_page_is_for_everybody_by_day_and_by_night(open_page, scheme):
    page = open_page("/statistics/emperado", color_scheme=scheme)
    expect(page.get_by_test_id("odds-table")).to_be_visible()
    assert findings(page) == []
    page.get_by_test_id("odds-which").select_option("throw_all")
    expect(page.get_by_test_id("odds-table").get_by_role("row")).to_have_count(4)


@pytest.mark.nightly
def test_on_a_phone_nothing_is_cut_off_and_it_speaks_german(open_page):
    page = open_page("/statistics/einstein", locale="de-DE", **ANDROID.context)
    expect(page.get_by_role("heading", name="Genaue Chancen")).to_be_visible()
    expect(page.get_by_test_id("odds-table")).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Statistik")
    assert overflow(page) == 0


@pytest.mark.nightly
def test_an_excessive_run_is_refused_in_words(open_page):
    page = open_page("/statistics/einstein")
    page.get_by_test_id("run-games").evaluate("input => input.removeAttribute('max')")
    start_run(page, 99_999)
    expect(page.get_by_test_id("refusal")).to_contain_text("A run cannot have that number of games")
