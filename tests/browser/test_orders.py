"""Orders in a browser: put together by lists, by keys and on the board, played at once, and told afterwards."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.axe import findings
from tests.browser.emperado import look, new_table
from tests.browser.play import from_menu

pytestmark = [pytest.mark.e2e, pytest.mark.browser, pytest.mark.nightly, pytest.mark.timeout(600)]

PHONE = {"width": 390, "height": 844}
ENGLISH = re.compile(r"\b(the|your|turn|armies|country|countries|attack|cards)\b", re.IGNORECASE)


def open_dialog(page: Page) -> Locator:
    from_menu(page, "orders")
    dialog = page.get_by_test_id("dialog-orders")
    expect(dialog.get_by_test_id("order-form")).to_be_visible()
    return dialog


def begin(page: Page) -> tuple[Locator, int]:
    """Open a table of EMPERADO and the dialog of its orders; return it with a country of the player."""
    new_table(page, 2)
    page.get_by_test_id("tour-skip").click()
    expect(page.get_by_test_id("to-place")).to_be_visible()
    country = look(page).owners.index("A")
    return open_dialog(page), country


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("viewport", [None, PHONE])
def test_orders_are_given_played_at_once_and_told_afterwards(open_page, viewport, scheme):
    page = open_page(color_scheme=scheme, **({"viewport": viewport, "has_touch": True} if viewport else {}))
    dialog, country = begin(page)
    expect(dialog.get_by_test_id("orders-at-once")).to_be_visible()
    dialog.get_by_test_id("order-kind").select_option("place")
    dialog.get_by_test_id("order-add").click()
    expect(dialog.get_by_test_id("order-refused")).to_be_visible()
    dialog.get_by_test_id("order-countries").select_option(str(country))
    dialog.get_by_test_id("order-on-board").click()
    expect(dialog.get_by_test_id("order-board")).to_be_visible()
    assert not findings(page)
    dialog.get_by_test_id("order-add").click()
    dialog.get_by_test_id("order-kind").select_option("end_turn")
    dialog.get_by_test_id("order-add").press("Enter")
    expect(dialog.get_by_test_id("orders-list").locator("li")).to_have_count(2)
    dialog.get_by_test_id("orders-save").click()
    expect(dialog.get_by_test_id("orders-state")).to_have_text("No orders are set.")
    expect(dialog.get_by_test_id("order-reports")).to_contain_text(re.compile("Order 1: .*\\+"))
    assert not findings(page)
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()


def test_orders_are_stopped_and_places_are_touched_on_the_board(open_page):
    page = open_page()
    dialog, country = begin(page)
    dialog.get_by_test_id("order-kind").select_option("attack")
    dialog.get_by_test_id("order-on-board").click()
    dialog.get_by_test_id("order-board").locator("[role=gridcell], button, [tabindex]").first.focus()
    page.keyboard.press("Enter")
    expect(dialog.get_by_test_id("order-source")).not_to_have_value("")
    dialog.get_by_test_id("order-kind").select_option("place")
    dialog.get_by_test_id("order-countries").select_option(str(country))
    dialog.get_by_test_id("order-turns").fill("5")
    dialog.get_by_test_id("order-add").click()
    dialog.get_by_test_id("orders-save").click()
    expect(dialog.get_by_test_id("orders-state")).to_have_text("1 order is set.")
    page.keyboard.press("Escape")
    page.get_by_test_id("orders-sign").click()
    dialog.get_by_test_id("remove-order-0").click()
    dialog.get_by_test_id("orders-save").click()
    expect(dialog.get_by_test_id("orders-state")).to_have_text("No orders are set.")


def test_the_dialog_speaks_french_of_a_game_that_is_half_translated(open_page):
    page = open_page(locale="fr-FR")
    dialog, country = begin(page)
    kinds = dialog.get_by_test_id("order-kind").locator("option").all_inner_texts()
    assert kinds == [
        "Échanger des cartes",
        "Placer les armées",
        "Attaquer jusqu’à",
        "Faire avancer",
        "Terminer le tour",
        "Jouer ces coups",
    ]
    for kind in ("trade", "place", "attack", "move", "end_turn"):
        dialog.get_by_test_id("order-kind").select_option(kind)
        assert not ENGLISH.search(dialog.inner_text()), dialog.inner_text()
    dialog.get_by_test_id("order-kind").select_option("place")
    dialog.get_by_test_id("order-countries").select_option(str(country))
    dialog.get_by_test_id("order-on-board").click()
    expect(dialog.get_by_test_id("order-board").locator("[aria-pressed]").first).to_have_attribute(
        "aria-label", re.compile("armées\u00a0: \\d")
    )
