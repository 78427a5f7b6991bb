"""A finger alone moves in every game: taps as a phone sends them, with the `pointerleave` that follows each of them."""

import random

import pytest
from playwright.sync_api import Page, expect

from tests.browser import emperado, plateau, wec
from tests.browser.looks import PHONES
from tests.browser.play import choose_game, middle, touchable
from tests.night import by_day

pytestmark = [pytest.mark.e2e, pytest.mark.browser]

MAX_LOST = 3
"""Armies that both sides lose together in one throw of EMPERADO at most."""


def tap(page: Page, square: str) -> None:
    page.get_by_test_id(f"square-{square}").scroll_into_view_if_needed()
    page.touchscreen.tap(*middle(page, square))


def tap_country(page: Page, country: int) -> None:
    page.get_by_test_id("board").scroll_into_view_if_needed()
    emperado.bring_into_sight(page, country)
    page.wait_for_function(emperado.RESTS, arg=country)
    page.touchscreen.tap(*page.evaluate(emperado.MIDDLE, country))


@pytest.mark.parametrize("phone", by_day(PHONES, "iphone"))
def test_two_taps_move_a_stone_of_einstein(open_page, phone):
    page = open_page(**PHONES[phone].context)
    page.get_by_test_id("play-button").tap()
    expect(page.get_by_test_id("board")).to_be_visible()
    page.wait_for_function("() => document.querySelector('[data-mark=candidate], [data-mark=moving]') !== null")
    if page.locator("[data-mark=moving]").count() == 0:
        tap(page, touchable(page)[0])
    expect(page.locator("[data-mark=moving]")).to_have_count(1)
    tap(page, touchable(page)[0])
    expect(page.get_by_test_id("action-list").locator("li, tr").first).to_be_attached()


@pytest.mark.parametrize("phone", by_day(PHONES, "iphone"))
def test_taps_on_the_map_of_emperado_place_armies_and_attack(open_page, phone):
    page = open_page(**PHONES[phone].context)
    emperado.new_table(page, 2)
    assert emperado.waited(page, lambda: emperado.look(page).to_place > 0, 60)
    seen = emperado.place(page, emperado.settled(page), "A", tap_country)
    source, target = seen.attacks("A")[0]
    if seen.marks[source] != "moving":
        tap_country(page, source)
    assert emperado.is_within_reach(page, target)
    before = emperado.look(page)
    tap_country(page, target)
    expect(page.get_by_test_id("order")).to_be_visible()  # the first touch shows the odds
    assert emperado.look(page).armies == before.armies
    tap_country(page, target)
    after = emperado.fought(page, before)
    assert sum(before.armies) - sum(after.armies) <= MAX_LOST, "one attack is one throw (EMP-ATTACK-3)"


@pytest.mark.parametrize("phone", by_day(PHONES, "iphone"))
def test_two_taps_move_an_army_of_empire_plateau(open_page, phone):
    page = open_page(**PHONES[phone].context)
    choose_game(page, "plateau")
    page.get_by_test_id("play-button").tap()
    expect(page.get_by_test_id("board")).to_be_visible()
    page.wait_for_function("() => document.querySelector('[data-testid=board] [data-mark=candidate]') !== null")
    before = plateau.played(page)
    plateau.pick(page, plateau.seen(page)["candidates"][0], tap)
    plateau.send(page, plateau.seen(page)["targets"][0], hand=tap)
    plateau.wait_for_move(page, before)


@pytest.mark.parametrize("phone", by_day(PHONES, "iphone"))
def test_two_taps_move_a_piece_of_weaponized_chess(open_page, phone):
    page = open_page(**PHONES[phone].context)
    choose_game(page, "wec")
    page.get_by_test_id("play-button").tap()
    expect(page.get_by_test_id("board")).to_be_visible()
    page.wait_for_function("() => document.querySelector('[data-testid=board] [data-mark=candidate]') !== null")
    before = plateau.played(page)
    chance = random.Random(1)
    for _ in range(20):
        tap(page, chance.choice(page.evaluate(wec.STATE)["candidates"]).removeprefix("square-"))
        targets = page.evaluate(wec.STATE)["targets"]
        if targets:
            break
    tap(page, targets[0].removeprefix("square-"))
    plateau.wait_for_move(page, before)
