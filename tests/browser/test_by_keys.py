"""Steps besides playing, by keys alone: choose options, solve the puzzles of the day, review a game."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from brettwerk.v1 import puzzles_pb2 as pb
from brettwerk_client import Client
from deploy.local.deployment import Deployment
from tests.browser import emperado, wec
from tests.browser.keys import IS_ON, press, tab_to
from tests.browser.test_end_card import give_up_after_a_few_moves
from tests.browser.test_puzzles import COUNTRY, best_and_worst
from tests.night import by_day

pytestmark = [pytest.mark.e2e, pytest.mark.browser]


@pytest.fixture
def client(site: Deployment) -> Iterator[Client]:
    """Somebody who knows the solutions."""
    with Client(site.grpc_address, name="Zoe") as connected:
        yield connected


def attack(page: Page, one: pb.KeptChance) -> None:
    amount = one.action.notation.rpartition(" ")[2]
    wanted = f"[data-testid=amount-{'all' if amount == 'max' else amount}]"
    tab_to(page, "[data-testid^=amount-]:checked")
    while not page.evaluate(IS_ON, wanted):
        page.keyboard.press("ArrowRight")
    press(page, "[data-testid=countries] > summary")
    for place in one.action.places:
        tab_to(page, emperado.LISTED)
        emperado.listed_keys(page, COUNTRY[place])
        page.keyboard.press("Enter")


def march(page: Page, one: pb.KeptChance) -> None:
    if not one.action.places:
        press(page, "[data-testid=end-turn]")
        return
    steps = re.search(r"/(\d+)$", one.action.notation)
    tab_to(page, "[data-testid=coordinates]")
    page.keyboard.type(" ".join(one.action.places) + (f"/{steps[1]}" if steps else ""))
    page.keyboard.press("Enter")


def move(page: Page, one: pb.KeptChance) -> None:
    for place in one.action.places:
        wec.by_key(page, f"square-{place}")


SOLVE = {"emperado": attack, "plateau": march, "wec": move}
"""How the solution of a puzzle is entered; EinStein's has a test of its own (test_puzzles.py)."""


@pytest.mark.parametrize("game", by_day(SOLVE, "wec"))
def test_a_puzzle_is_solved_and_answered_where_it_is_heard(open_page, client, game):
    best, _ = best_and_worst(client, game)
    page = open_page(f"/puzzle/{game}")
    expect(page.get_by_test_id("puzzle-board").get_by_test_id("board")).to_be_visible()
    page.wait_for_function("() => document.querySelector('[data-testid=puzzle-board] [data-mark]') !== null")
    SOLVE[game](page, best)
    answer = page.get_by_test_id("puzzle-verdict")
    expect(answer).to_contain_text("Right")
    assert answer.evaluate("(each) => each.closest('[role=status], [role=alert], [aria-live]') !== null"), "it is spoken"
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement !== document.body"), "the focus is not lost"


@pytest.mark.nightly
def test_a_finished_game_is_reviewed_and_its_card_opened(open_page):
    page = open_page()
    give_up_after_a_few_moves(page)
    press(page, "[data-testid=review-run]")
    expect(page.get_by_test_id("chance-graph")).to_be_visible()
    expect(page.get_by_test_id("review-stop")).to_be_hidden(timeout=60_000)
    press(page, "[data-testid=review] summary")
    expect(page.get_by_test_id("review").locator("tbody tr").first).to_be_visible()
    if page.get_by_test_id("worst").count():
        press(page, "[data-testid=worst] button", back=True)
        press(page, "[data-testid=live]")
        expect(page.get_by_test_id("live")).to_be_hidden()
    if page.get_by_test_id("card").is_hidden():
        press(page, "[data-testid=result-fold]")
    press(page, "[data-testid=card]")
    expect(page.get_by_test_id("card-picture")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("card")).to_be_focused()


@pytest.mark.nightly
def test_options_are_chosen_before_a_game(open_page):
    page = open_page()
    tab_to(page, "[data-testid^=game-]:checked")
    while not page.evaluate(IS_ON, "[data-testid=game-einstein]"):
        page.keyboard.press("ArrowRight")
    press(page, "[data-testid=more-settings]")
    press(page, "[data-testid=option-show_roll] input", " ")
    press(page, "[data-testid=play-button]", back=True)
    expect(page.get_by_test_id("board")).to_be_visible()
    page.get_by_text("Table options").click()
    expect(page.get_by_test_id("option-show_roll").get_by_role("checkbox")).to_be_checked()
