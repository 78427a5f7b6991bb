"""Every game's turns and its end: sounds, a log folded by turns, and a card that is saved as a picture."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser import emperado, plateau
from tests.browser.play import BY_HAND, choose_game
from tests.browser.test_end_card import OUT_OF_CARD, SMALLEST_TEXT, saved_picture
from tests.browser.test_sounds import has_heard, listen
from tests.browser.test_wec import square, turn
from tests.browser.wec import begin_here

pytestmark = [pytest.mark.e2e, pytest.mark.browser, pytest.mark.nightly]

BATTLE, CONQUEST, MARCH, SHOT = 170, 260, 520, 1900
"""How high a tone is, in Hertz, that nothing else begins with."""


def place_and_fight(page: Page) -> None:
    emperado.new_table(page, 2, {"table_time": 0, "graphic_time": 0, "info_time": 0})
    page.get_by_test_id("tour-skip").click()
    placed = emperado.place(page, emperado.settled(page), "A")
    emperado.fight(page, placed, "A")


def march_twice(page: Page) -> None:
    plateau.start(page, "here", first="Babylon")
    plateau.march(page, 1)


def fire_and_move(page: Page) -> None:
    choose_game(page, "wec")
    begin_here(page)
    square(page, "(2,1)").click(button="right")
    square(page, "(3,1)").click()
    turn(page, "(2,2)", "(3,3)")


Turn = Callable[[Page], None]


@pytest.mark.parametrize(
    ("play", "heard", "end"),
    [
        pytest.param(place_and_fight, {BATTLE, CONQUEST}, (392, 311), id="emperado"),
        pytest.param(march_twice, {MARCH}, (784, 1047), id="plateau"),
        pytest.param(fire_and_move, {SHOT}, (784, 1047), id="wec"),
    ],
)
def test_a_turn_is_heard_and_folded_and_the_end_is_a_card_to_save(
    open_page, tmp_path, play: Turn, heard: set[int], end: tuple[int, ...]
):
    page = open_page(settings=BY_HAND)
    listen(page)
    play(page)
    page.wait_for_function("(pitches) => heard.some(({ pitch }) => pitches.includes(pitch))", arg=[*heard])
    log = page.get_by_test_id("action-list")
    rows = log.get_by_role("listitem").count()
    log.get_by_test_id("unfold").first.click()
    expect(log.get_by_role("listitem").nth(rows + 1)).to_be_visible()
    page.get_by_test_id("resign").click()
    page.get_by_test_id("sure").click()
    has_heard(page, *end)
    assert page.evaluate("heard.every(({ ends }) => ends)")
    page.get_by_test_id("card").click()
    card = page.get_by_test_id("card-picture")
    expect(card).to_be_visible()
    assert card.evaluate(SMALLEST_TEXT) >= 11.9
    assert card.evaluate(OUT_OF_CARD) == []
    assert len(saved_picture(page, tmp_path)) > 20_000, "something is drawn"
