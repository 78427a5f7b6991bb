"""People play and watch EMPERADO in a browser."""

import re
import time

import pytest
from playwright.sync_api import Page, expect

from brettwerk_games.rules.emperado.world import COUNTRIES, NEIGHBOURS
from tests.browser.axe import findings
from tests.browser.emperado import (
    MIDDLE,
    changed,
    click,
    fought,
    look,
    new_table,
    place,
    play_turn,
    settled,
    turn_by_keys,
)
from tests.browser.keys import press
from tests.browser.looks import LOOKS
from tests.browser.play import is_over, look_again, wait_for_more
from tests.browser.stage import check, follow

pytestmark = [pytest.mark.e2e, pytest.mark.browser]

GAME_S = 300
COVERED = """() => [...document.querySelectorAll("g.pill[data-country]")].filter((pill) => {
  const { x, y, width, height } = pill.querySelector(".body").getBoundingClientRect();
  const there = document.elementFromPoint(x + width / 2, y + height / 2)?.closest("[data-country]");
  return there?.dataset.country !== pill.dataset.country;
}).map((pill) => pill.dataset.country)"""
"""Finds the countries at whose armies something else lies."""


@pytest.mark.nightly
def test_a_whole_game_against_a_computer_is_played_by_mouse_and_the_stage_is_kept(open_page):
    page = open_page(viewport={"width": 1440, "height": 900})
    new_table(page, 2, {"card_bonus_start": 20, "info_time": 1, "table_time": 100, "max_rounds": 20})
    page.get_by_test_id("tour-skip").click()
    follow(page)
    end = time.monotonic() + GAME_S
    went_on = 0
    while not is_over(page) and time.monotonic() < end:
        if look(page).is_mine:
            play_turn(page, "A")
        elif page.get_by_test_id("playback-go").is_visible() and went_on < 2:
            expect(page.get_by_test_id("move-table")).to_be_visible()
            page.get_by_test_id("playback-go").click()
            went_on += 1
        elif page.get_by_test_id("playback-skip").is_visible():
            page.get_by_test_id("playback-skip").click()
        look_again(page)
    assert is_over(page)
    expect(page.get_by_test_id("result")).not_to_be_empty()
    check(page, share=0.45)


@pytest.mark.nightly
def test_six_computers_are_watched_in_the_pace_that_the_watcher_likes_until_a_draw(open_page):
    page = open_page()
    new_table(page, 6, {"max_rounds": 20}, only_computers=True)
    expect(page.get_by_test_id("move-table")).to_be_visible()
    page.get_by_test_id("playback-pause").click()
    still = look(page)
    expect(page.get_by_test_id("playback-behind")).to_contain_text(re.compile("paused", re.IGNORECASE))
    wait_for_more(page)
    expect(page.get_by_test_id("playback-behind")).to_contain_text("to come")
    assert look(page) == still, "nothing moves while the playback is paused"
    page.get_by_test_id("playback-resume").click()
    changed(page, still)
    page.get_by_test_id("playback-speed").select_option("8")
    expect(page.get_by_test_id("round")).not_to_have_text("1", timeout=60_000)
    end = time.monotonic() + GAME_S
    while not is_over(page) and time.monotonic() < end:
        # It may go at any moment, and a click would wait for it to come back.
        page.get_by_test_id("playback-skip").evaluate_all("found => found.forEach((button) => button.click())")
        look_again(page)
    assert is_over(page)


@pytest.mark.nightly
@pytest.mark.timeout(GAME_S + 120)
def test_a_whole_game_is_played_by_keyboard_only(open_page):
    page = open_page()
    new_table(
        page, 2, {"max_rounds": 20, "start_armies": 1, "ghost_armies": 1, "table_time": 0, "graphic_time": 0, "info_time": 0}
    )
    press(page, "[data-testid=countries] > summary")
    end = time.monotonic() + GAME_S
    turns = 0
    while not is_over(page) and time.monotonic() < end:
        if look(page).is_mine:
            turn_by_keys(page, "A")
            turns += 1
        look_again(page)
    assert is_over(page)
    assert turns >= 2
    expect(page.get_by_test_id("result")).not_to_be_empty()


@pytest.mark.nightly
def test_a_placement_is_taken_back_by_the_key_of_the_original(open_page):
    page = open_page()
    new_table(page, 2)
    before = look(page)
    page.get_by_test_id("amount-1").check(force=True)
    click(page, before.marks.index("candidate"))
    placed = changed(page, before)
    assert placed.to_place == before.to_place - 1
    page.keyboard.press("Shift+R")
    assert changed(page, placed).armies == before.armies


@pytest.mark.nightly
def test_a_click_attacks_once_and_a_right_click_five_times(open_page):
    """EMP-ATTACK-3."""
    page = open_page()
    new_table(page, 2, {"start_armies": 9, "ghost_armies": 4})
    page.get_by_test_id("tour-skip").click()
    seen = place(page, settled(page), "A")
    source, target = seen.attacks("A")[0]
    click(page, source)
    for button, most in (("left", 3), ("right", 15)):
        before = settled(page)
        page.mouse.click(*page.evaluate(MIDDLE, target), button=button)
        after = fought(page, before)
        assert 0 < sum(before.armies) - sum(after.armies) <= most


@pytest.mark.nightly
def test_the_menu_changes_parameters_times_and_players_in_the_middle_of_a_game(open_page):
    """EMP-UI-7, EMP-TABLE-4, EMP-PARAM-1, EMP-PLAYER-2."""
    page = open_page()
    new_table(page, 2)
    set_option(page, "times", "graphic_time", 3)
    set_option(page, "parameters", "coalition", 15)
    assert option(page, "times", "graphic_time") == 3
    page.get_by_test_id("menu-players").click()
    page.get_by_test_id("player-0").select_option("computer easy")
    expect(page.get_by_test_id("player-0")).to_have_value("computer easy")
    expect(page.get_by_test_id("seat-0")).to_contain_text("Computer")
    page.get_by_test_id("player-0").select_option("me")
    expect(page.get_by_test_id("seat-0")).to_contain_text("you")
    page.get_by_test_id("player-1").select_option("computer strong")
    expect(page.get_by_test_id("seat-1")).to_contain_text("strong", ignore_case=True)
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("dialog-seats")).to_be_hidden()
    page.get_by_test_id("menu-help").click()
    expect(page.get_by_test_id("dialog-rules")).to_contain_text("EMP-UI-7")
    assert not findings(page)


@pytest.mark.nightly
def test_an_owner_watching_computers_changes_times_below_the_move_table_and_takes_a_seat(open_page):
    """EMP-TABLE-4, EMP-PARAM-1."""
    page = open_page()
    new_table(page, 3, only_computers=True)
    expect(page.get_by_test_id("move-table")).to_be_visible()
    set_option(page, "times", "graphic_time", 2)
    page.get_by_test_id("menu-players").click()
    assert not findings(page)
    page.get_by_test_id("player-1").select_option("me")
    expect(page.get_by_test_id("seat-1")).to_contain_text("you")


@pytest.mark.nightly
def test_beginners_choose_their_settings_in_the_lobby(open_page):
    """EMP-PARAM-9."""
    page = open_page()
    page.get_by_test_id("game-emperado").check(force=True)
    page.get_by_test_id("more-settings").click()
    page.get_by_test_id("seat-count").select_option("6")
    page.get_by_test_id("start").select_option("beginners")
    expect(page.get_by_test_id("seat-count")).to_have_value("4")
    counts = page.get_by_test_id("seat-count").locator("option").evaluate_all("(all) => all.map((each) => each.value)")
    assert counts == ["2", "3", "4"]
    page.get_by_test_id("play-button").click()
    expect(page.get_by_test_id("board")).to_be_visible()
    expect(page.get_by_test_id("seat-3")).to_be_visible()
    expect(page.get_by_test_id("seat-4")).to_be_hidden()
    assert option(page, "parameters", "solidarity") == -5
    assert option(page, "parameters", "coalition") == 20
    assert option(page, "parameters", "country_handicap") == -3


def option(page: Page, box: str, key: str) -> int:
    """Return an option of the table as the menu shows it."""
    page.get_by_test_id(f"menu-{box}").click()
    dialog = page.get_by_test_id("dialog-options")
    value = int(dialog.get_by_test_id(f"option-{key}").locator("input").input_value())
    dialog.get_by_test_id("close-dialog").click()
    expect(dialog).to_be_hidden()
    return value


def set_option(page: Page, box: str, key: str, value: int) -> None:
    """Change an option in the menu; it holds at once, since there is nobody to be asked."""
    page.get_by_test_id(f"menu-{box}").click()
    dialog = page.get_by_test_id("dialog-options")
    field = dialog.get_by_test_id(f"option-{key}").locator("input")
    field.fill(str(value))
    field.blur()
    dialog.get_by_test_id("propose-options").click()
    expect(dialog).to_be_hidden()
    page.get_by_test_id(f"menu-{box}").click()
    expect(field).to_have_value(str(value))  # the answer may come before the update
    dialog.get_by_test_id("close-dialog").click()
    expect(dialog).to_be_hidden()


def test_a_turn_is_played_on_a_phone_by_touch(open_page):
    page = open_page(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    new_table(page, 4)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), "nothing sticks out at the side"
    page.get_by_test_id("tour-skip").tap()
    page.get_by_test_id("zoom-all").tap()
    expect(page.get_by_test_id("zoom-all")).to_be_disabled()
    page.get_by_test_id("amount-all").check(force=True)
    seen = settled(page)
    assert page.evaluate(COVERED) == [], "what stands in these countries cannot be touched"
    fronts = [c for c, mark in enumerate(seen.marks) if mark and any(seen.owners[n] != "A" for n in NEIGHBOURS[c])]
    page.locator(f'g.pill[data-country="{fronts[0]}"] .body').tap(force=True)
    seen = changed(page, seen)
    source, target = seen.attacks("A")[0]
    page.locator(f'g.pill[data-country="{source}"] .body').tap(force=True)
    page.get_by_test_id("zoom-in").tap()
    aims, name = page.get_by_test_id("aims"), COUNTRIES[target].name_en
    if aims.locator("> button.aim", has_text=name).count() == 0:
        page.get_by_test_id("more-aims").tap()
    aims.locator("button.aim:visible", has_text=name).last.tap()
    expect(page.get_by_test_id("act-all")).to_contain_text(re.compile(r"\d+ %"))
    page.get_by_test_id("act-all").tap()
    fought(page, seen)


@pytest.mark.nightly
@LOOKS
def test_the_board_is_accessible(open_page, locale, scheme):
    page = open_page(locale=locale, color_scheme=scheme)
    new_table(page, 3)
    page.get_by_test_id("countries").locator("summary").click()
    assert not findings(page), "placing"
    seen = place(page, look(page), "A")
    click(page, seen.attacks("A")[0][0])
    page.locator("button.aim").first.click()
    assert not findings(page), "attacking"
    page.get_by_test_id("done").click()
    expect(page.get_by_test_id("playback-skip")).to_be_visible()
    assert not findings(page), "watching"


@pytest.mark.nightly
def test_a_group_of_options_stays_open_while_it_is_edited(open_page) -> None:
    page = open_page()
    page.get_by_test_id("game-emperado").check(force=True)
    page.get_by_test_id("more-settings").click()
    page.get_by_test_id("option-group").first.locator("summary").click()
    first, second = (page.get_by_test_id(f"option-{key}").locator("input").first for key in ("start_armies", "ghost_armies"))
    first.fill("5")
    page.keyboard.press("Tab")
    expect(first).to_have_value("5")
    expect(second).to_be_visible()
    assert page.evaluate("document.activeElement.closest('[data-testid=option-group]') !== null")


@pytest.mark.nightly
def test_a_number_out_of_its_range_is_refused_and_the_old_one_stays(open_page) -> None:
    """EMP-PARAM-8."""
    page = open_page()
    page.get_by_test_id("game-emperado").check(force=True)
    page.get_by_test_id("more-settings").click()
    field = page.get_by_test_id("option-coalition").locator("input").first
    page.locator("details", has=field).last.locator("summary").click()
    field.fill("120")
    field.blur()
    expect(field).to_have_value("40")
    expect(page.get_by_test_id("option-coalition").get_by_role("alert")).to_contain_text("-9")
    field.fill("99")
    field.blur()
    expect(field).to_have_value("99")
    expect(page.get_by_test_id("option-coalition").get_by_role("alert")).to_be_hidden()
