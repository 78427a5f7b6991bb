"""Slow games: vacation at one table and at all of them, time banks, rest hours, and what others see of them."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import findings
from tests.browser.looks import IPHONE
from tests.browser.play import from_menu, play_by_mouse, set_clock, sit_down_together

pytestmark = [pytest.mark.e2e, pytest.mark.browser, pytest.mark.nightly]

RUNNING = re.compile(r"\brunning\b")
FORGET_SEATS = """() => {
  for (const key of Object.keys(localStorage)) if (key.startsWith("brettwerk.seats.")) localStorage.removeItem(key);
}"""


def slow_table(ada: Page, ben: Page, vacation_days: int) -> None:
    ada.goto(ada.url.partition("/s/")[0])
    set_clock(ada, "days", 2, 0, 0, vacation_days)
    sit_down_together(ada, ben)


def test_a_vacation_at_a_table_keeps_the_time_and_others_see_until_when(open_page):
    ada, ben = open_page(), open_page(locale="de-DE")
    slow_table(ada, ben, 10)
    from_menu(ada, "vacation")
    dialog = ada.get_by_test_id("dialog-vacation")
    expect(dialog.get_by_test_id("vacation-left")).to_contain_text("10")
    dialog.get_by_test_id("vacation-days").fill("3")
    assert not findings(ada)
    dialog.get_by_test_id("vacation-go").click()
    expect(dialog.get_by_test_id("vacation-now")).to_contain_text("You are on vacation until")
    ada.get_by_test_id("close-dialog").click()
    expect(ada.get_by_test_id("clock-0")).not_to_have_class(RUNNING)
    expect(ben.get_by_test_id("vacation-0")).to_contain_text("im Urlaub bis")
    expect(ben.get_by_test_id("vacation-1")).to_have_count(0)
    expect(ben.get_by_test_id("spoken")).to_contain_text("ist im Urlaub")
    # A player who is away can play, and stays away.
    for _ in range(3):
        if not RUNNING.search(ben.get_by_test_id("clock-1").get_attribute("class") or ""):
            play_by_mouse(ada)
    expect(ben.get_by_test_id("clock-1")).to_have_class(RUNNING)
    expect(ben.get_by_test_id("vacation-0")).to_be_visible()
    from_menu(ada, "vacation")
    dialog.get_by_test_id("vacation-back").click()
    expect(dialog.get_by_test_id("vacation-left")).to_contain_text("10")  # of the days a moment is used: a last one is short
    ada.get_by_test_id("close-dialog").click()
    expect(ben.get_by_test_id("vacation-0")).to_have_count(0)


def test_one_button_takes_vacation_at_all_slow_tables_and_another_device_ends_it(open_page):
    ada, ben = open_page(), open_page()
    slow_table(ada, ben, 10)
    slow_table(ada, ben, 2)
    ada.goto(ada.url.partition("/s/")[0])
    ada.get_by_test_id("vacation-everywhere").click()
    dialog = ada.get_by_test_id("dialog-vacation")
    dialog.get_by_test_id("vacation-days").fill("5")
    dialog.get_by_test_id("vacation-go").click()
    done = dialog.get_by_test_id("vacation-done")
    expect(done).to_contain_text("You are on vacation at 2 tables.")
    expect(done).to_contain_text("At 1 of them you had fewer days left")
    assert not findings(ada)
    ada.get_by_test_id("close-dialog").click()
    expect(ada.get_by_test_id("on-vacation")).to_have_count(2)
    expect(ada.get_by_test_id("time-left").first).to_contain_text("days")
    # A device that knows the player, and no token of theirs, is given new ones.
    ada.evaluate(FORGET_SEATS)
    ada.reload()
    ada.get_by_test_id("vacation-everywhere").click()
    dialog.get_by_test_id("vacation-back").click()
    expect(done).to_contain_text("You are back.")
    ada.get_by_test_id("close-dialog").click()
    expect(ada.get_by_test_id("on-vacation")).to_have_count(0)
    # The first table of the form has no vacation where a turn is shorter than a day.
    set_clock(ada, "days", 0, 12, 0)
    expect(ada.get_by_test_id("clock-vacationDays")).to_have_count(0)


def test_a_time_bank_is_chosen_in_days_and_hours_and_shown_at_the_table(open_page):
    ada, ben = open_page(), open_page(locale="de-DE", **IPHONE.context)
    set_clock(ada, "bank", 2, 6, 5, 10)
    for choice in ("restHours", "claims"):
        ada.get_by_test_id(f"clock-{choice}").check()
    sit_down_together(ada, ben)
    expect(ada.get_by_text("2 days + 6 h ≤ 5 days")).to_be_visible()
    expect(ben.get_by_text("2 Tage + 6 h ≤ 5 Tage")).to_be_visible()
    wide = ben.evaluate("document.documentElement.scrollWidth")
    assert wide <= IPHONE.context["viewport"]["width"], "nothing sticks out at the side"
    expect(ada.get_by_test_id("clock-0")).to_contain_text("1 day 23 h")


def test_rest_hours_are_asked_for_at_a_table_set_by_its_player_and_kept_for_the_next_one(open_page):
    ada, ben = open_page(), open_page(locale="de-DE")

    def sit_down() -> None:
        set_clock(ada, "days", 2, 0, 0, 10)
        ada.get_by_test_id("clock-restHours").check()
        sit_down_together(ada, ben)

    sit_down()
    expect(ada.get_by_text("2 days, without rest hours")).to_be_visible()
    expect(ben.get_by_test_id("rest-hours-sign")).to_contain_text("Nächte und Wochenenden einstellen")
    ada.get_by_test_id("rest-hours-sign").click()
    dialog = ada.get_by_test_id("dialog-rest-hours")
    dialog.get_by_test_id("rest-from").fill("21:30")
    dialog.get_by_test_id("rest-until").fill("10:00")
    expect(dialog.get_by_text("A night has at most twelve hours.")).to_be_visible()
    dialog.get_by_test_id("rest-until").fill("07:00")
    assert not findings(ada)
    dialog.get_by_test_id("rest-save").click()
    expect(dialog.get_by_test_id("rest-stays")).to_be_visible()
    ada.get_by_test_id("close-dialog").click()
    expect(ada.get_by_test_id("rest-hours-sign")).to_have_count(0)
    expect(ben.get_by_test_id("spoken")).to_contain_text("Ruhezeiten")
    ada.goto(ada.url.partition("/s/")[0])
    sit_down()
    from_menu(ada, "rest-hours")
    expect(dialog.get_by_test_id("rest-from")).to_have_value("21:30")
    expect(dialog.get_by_test_id("rest-stays")).to_be_visible()
