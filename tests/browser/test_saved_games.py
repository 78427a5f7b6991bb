"""Saved games in the browser: one saves, both find it, both leave, and both go on, each at the own seat (WEC-ONLINE-3)."""

import random
import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import findings
from tests.browser.play import choose_game, from_menu, sit_down_together
from tests.browser.test_wec import turn
from tests.browser.wec import do_one_thing, touch

pytestmark = [pytest.mark.e2e, pytest.mark.browser, pytest.mark.nightly]


def lobby(page: Page) -> None:
    page.goto(page.url.partition("/s/")[0])


def leave(page: Page) -> None:
    from_menu(page, "leave")
    page.get_by_test_id("sure").click()
    expect(page.get_by_test_id("leave")).to_have_count(0)


def test_both_leave_a_saved_game_and_go_on_with_it(open_page, tmp_path) -> None:
    ada, ben = open_page(), open_page()
    choose_game(ada, "wec")
    sit_down_together(ada, ben)
    turn(ada, "(2,2)", "(3,3)")
    expect(ben.get_by_test_id("seat-1")).to_contain_text("to move")
    from_menu(ben, "save")
    expect(ben.get_by_test_id("saved")).to_contain_text("Everybody playing will find it")
    with ada.expect_download() as download:
        from_menu(ada, "export")
    file = tmp_path / "game.json"
    download.value.save_as(file)
    for page in (ada, ben):
        leave(page)
    for page in (ada, ben):
        lobby(page)
        expect(page.get_by_test_id("saved-game")).to_have_count(1)
    assert not findings(ada)
    for locale, words in (("en-GB", "only its players can open it"), ("de-DE", "kann es nur öffnen, wer mitgespielt hat")):
        stranger = open_page(locale=locale)
        stranger.get_by_test_id("open-file").set_input_files(file)
        expect(stranger.get_by_test_id("refusal")).to_contain_text(words)
    ben.get_by_test_id("save-go").click()
    ben.wait_for_url(re.compile("/s/"))
    expect(ben.get_by_test_id("seat-1")).to_contain_text("you")
    expect(ben.get_by_test_id("seat-0")).to_contain_text("kept free")
    ada.get_by_test_id("save-go").click()
    ada.wait_for_url(ben.url)
    expect(ada.get_by_test_id("seat-0")).to_contain_text("you")
    for page in (ada, ben):
        expect(page.get_by_test_id("board")).to_be_visible()
    chance = random.Random(1)
    while not ada.get_by_test_id("seat-0").get_by_text("to move").count():
        assert do_one_thing(ben, chance, touch)
    expect(ada.get_by_test_id("mode-move")).to_be_visible()


def test_one_goes_on_alone_and_the_other_is_told(open_page) -> None:
    ada, ben = open_page(), open_page()
    choose_game(ada, "wec")
    sit_down_together(ada, ben)
    from_menu(ada, "save")
    expect(ada.get_by_test_id("saved")).to_be_visible()
    for page in (ada, ben):
        leave(page)
    for page in (ada, ben):
        lobby(page)
    ada.get_by_test_id("save-alone").click()
    ada.get_by_test_id("save-alone-sure").click()
    ada.wait_for_url(re.compile("/s/"))
    expect(ada.get_by_test_id("seat-0")).to_contain_text("you")
    expect(ada.get_by_test_id("take-seat-1")).to_have_count(0)
    ben.get_by_test_id("save-go").click()
    expect(ben.get_by_test_id("saved-games").get_by_test_id("refusal")).to_contain_text("without the others")
    ben.get_by_test_id("save-remove").click()
    expect(ben.get_by_test_id("saved-game")).to_have_count(0)
