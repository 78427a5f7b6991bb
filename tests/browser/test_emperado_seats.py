"""Several people play EMPERADO on one device: names, handing over, new games; and the key that makes tables wait."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import findings
from tests.browser.emperado import look, new_table, play_turn, waited
from tests.browser.test_emperado import option, set_option

pytestmark = [pytest.mark.e2e, pytest.mark.browser]


def hot_seat(page: Page, *, computers: int = 0) -> None:
    """Begin a game of two people at one device, and of computers."""
    page.get_by_test_id("game-emperado").check(force=True)
    page.get_by_test_id("more-settings").click()
    page.get_by_test_id("seat-count").select_option(str(2 + computers))
    for seat in range(2 + computers):
        page.get_by_test_id(f"wish-{seat}").select_option("me" if seat < 2 else "computer")
    page.get_by_test_id("play-button").click()
    expect(page.get_by_test_id("hand-over-to")).to_be_visible()


def call(page: Page, *names: str) -> None:
    page.get_by_test_id("menu-players").click()
    for seat, name in enumerate(names):
        page.get_by_test_id(f"called-{seat}").fill(name)
        page.get_by_test_id(f"called-{seat}").blur()
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("dialog-seats")).to_be_hidden()


@pytest.mark.nightly
def test_people_at_one_device_hand_it_over_and_nobody_sees_anothers_cards(open_page):
    """EMP-PLAYER-1, EMP-CARD-8."""
    page = open_page()
    hot_seat(page)
    call(page, "Ada", "Ben")
    expect(page.get_by_test_id("hand-over-to")).to_contain_text("Ada")
    expect(page.get_by_test_id("own-cards")).to_have_text("hidden")
    expect(page.get_by_test_id("hide-cards")).to_be_disabled()
    assert not look(page).is_mine, "nothing is done before the device is handed over"
    assert not findings(page)
    page.get_by_test_id("hand-taken").click()
    expect(page.get_by_test_id("hand-over-to")).to_be_hidden()
    expect(page.get_by_test_id("own-cards")).not_to_have_text("hidden")
    expect(page.get_by_test_id("seat-0")).to_contain_text("Ada")
    play_turn(page, "A")
    expect(page.get_by_test_id("hand-over-to")).to_contain_text("Ben")
    expect(page.get_by_test_id("own-cards")).to_have_text("hidden")
    page.get_by_test_id("hand-taken").click()
    play_turn(page, "B")
    expect(page.get_by_test_id("hand-over-to")).to_contain_text("Ada")
    page.get_by_test_id("hand-open").click()
    expect(page.get_by_test_id("own-cards")).not_to_have_text("hidden")
    play_turn(page, "A")
    assert waited(page, lambda: look(page).is_mine), "the next one plays at once"
    expect(page.get_by_test_id("hand-over-to")).to_be_hidden()


@pytest.mark.nightly
def test_a_new_game_has_the_same_seats_names_settings_and_computers_and_another_deal(open_page):
    """EMP-SAVE-5, EMP-TABLE-4, case 67: at any time, from the menu that stands beside the move table."""
    page = open_page()
    hot_seat(page, computers=1)
    call(page, "Ada", "Ben", "Cyd")
    set_option(page, "parameters", "coalition", 15)
    set_option(page, "times", "graphic_time", 3)
    page.get_by_test_id("hand-taken").click()
    before, address = look(page), page.url
    play_turn(page, "A")
    expect(page.get_by_test_id("move-table")).to_be_visible()
    page.get_by_test_id("menu-new").click()
    assert not findings(page)
    page.get_by_test_id("new-game").click()
    page.wait_for_url(lambda url: url != address)
    expect(page.get_by_test_id("hand-over-to")).to_contain_text("Ada")
    page.get_by_test_id("hand-taken").click()
    expect(page.get_by_test_id("seat-1")).to_contain_text("Ben")
    expect(page.get_by_test_id("seat-2")).to_contain_text(re.compile("Cyd.*", re.DOTALL))
    expect(page.get_by_test_id("seat-3")).to_be_hidden()
    expect(page.get_by_test_id("round")).to_have_text("1")
    again = look(page)
    assert again.owners != before.owners
    assert [again.owners.count(seat) for seat in "ABC"] == [19, 20, 21]
    assert option(page, "parameters", "coalition") == 15
    assert option(page, "times", "graphic_time") == 3
    page.goto(address)
    expect(page.get_by_test_id("result")).to_be_visible()


@pytest.mark.nightly
def test_a_key_lets_tables_wait_again(open_page):
    """EMP-TIME-3, case 62: [Esc] while computers move sets the table time back to waiting."""
    page = open_page()
    new_table(page, 3, {"table_time": 0, "graphic_time": 1, "info_time": 1}, only_computers=True)
    assert option(page, "times", "table_time") == 0
    expect(page.get_by_test_id("round")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("move-table")).to_be_visible()
    page.wait_for_function(
        "() => document.querySelector('[data-testid=playback-go]')?.classList.contains('main')", timeout=60_000
    )
    assert option(page, "times", "table_time") == 100
