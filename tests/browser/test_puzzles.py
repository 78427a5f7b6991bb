"""People solve the puzzles of the day, in a browser, on the board of every game."""

import re
from collections.abc import Iterator
from itertools import product

import pytest
from playwright.sync_api import Page, expect

from brettwerk.v1 import puzzles_pb2 as pb
from brettwerk_client import Client
from brettwerk_games.rules.emperado.world import COUNTRIES
from deploy.local.deployment import Deployment
from tests.browser import emperado, plateau
from tests.browser.axe import findings
from tests.browser.looks import SCREENS
from tests.browser.play import touchable
from tests.night import by_day

pytestmark = [pytest.mark.e2e, pytest.mark.browser]

LOOKS = list(product(["einstein", "emperado", "plateau", "wec"], SCREENS))
TOUCHED = {
    "emperado": re.compile(r".* -> .* (1|5|20|100|max)"),
    "wec": re.compile(r"MV:\w+\(\d+,\d+\)[^(),]*->\(\d+,\d+\)"),
}
"""Attacks, and Moves of one piece: what is done by touching where it begins and where it ends, as its notation says it."""
COUNTRY = {country.notation: number for number, country in enumerate(COUNTRIES)}


@pytest.fixture
def client(site: Deployment) -> Iterator[Client]:
    """Somebody who knows the solutions."""
    with Client(site.grpc_address, name="Zoe") as connected:
        yield connected


def solution(client: Client, game: str, day: str = "") -> list[pb.KeptChance]:
    """Return the actions of a puzzle, best first."""
    puzzle = client.call(client.service.GetPuzzle, pb.GetPuzzleRequest(game=game, day=day)).puzzle
    shown = client.call(client.service.ShowSolution, pb.ShowSolutionRequest(puzzle_id=puzzle.puzzle_id))
    return list(shown.actions)


def best_and_worst(client: Client, game: str) -> tuple[pb.KeptChance, pb.KeptChance]:
    """Return a right action and a wrong one that can be done by touching where they begin and where they end."""
    actions = [one for one in solution(client, game) if game not in TOUCHED or TOUCHED[game].fullmatch(one.action.notation)]
    assert actions[0].kept >= 0.9 > actions[-1].kept
    return actions[0], actions[-1]


def do(page: Page, game: str, one: pb.KeptChance) -> None:
    """Do an action on the board."""
    {"einstein": do_in_einstein, "emperado": do_in_emperado, "plateau": do_in_plateau, "wec": do_in_wec}[game](page, one)


def do_in_einstein(page: Page, one: pb.KeptChance) -> None:
    expect(page.get_by_test_id("board").locator("[data-mark]").first).to_be_attached()
    source, target = one.action.places
    if target not in touchable(page) or page.get_by_test_id("board").locator("[data-mark=candidate]").count() > 1:
        page.get_by_test_id(f"square-{source}").click(force=True)
    page.get_by_test_id(f"square-{target}").click(force=True)


def do_in_emperado(page: Page, one: pb.KeptChance) -> None:
    source, target = (COUNTRY[place] for place in one.action.places)
    amount = one.action.notation.rpartition(" ")[2]
    page.get_by_test_id(f"amount-{'all' if amount == 'max' else amount}").check(force=True)
    whole = page.get_by_test_id("zoom-all")
    if whole.is_enabled():
        whole.click()
    emperado.click(page, source)
    expect(page.locator(f'path[data-country="{target}"]').first).to_have_attribute("data-mark", re.compile("target|capture"))
    emperado.click(page, target)


def do_in_wec(page: Page, one: pb.KeptChance) -> None:
    page.get_by_test_id("mode-move").click()
    source, target = (page.get_by_test_id(f"square-{place}") for place in one.action.places)
    source.click(force=True)
    expect(target).to_have_attribute("data-mark", re.compile("target|capture"))
    target.evaluate("(square) => square.scrollIntoView({ block: 'center', behavior: 'instant' })")  # a panel lies over it
    target.click(force=True)


def do_in_plateau(page: Page, one: pb.KeptChance) -> None:
    if not one.action.places:
        page.get_by_test_id("end-turn").click()
        return
    source, target = one.action.places
    army = page.get_by_test_id(f"square-{source}")
    expect(army).to_have_attribute("data-mark", re.compile("candidate|moving"))
    if army.get_attribute("data-mark") != "moving":
        plateau.pick(page, source)
    steps = re.search(r"/(\d+)$", one.action.notation)
    plateau.send(page, target, int(steps[1]) if steps else 1)


def percent(page: Page, kept: float) -> None:
    shown = 100 if kept >= 1 else min(99, int(kept * 100 + 0.5))
    expect(page.get_by_test_id("puzzle-verdict")).to_contain_text(f"{shown} %")


@pytest.mark.parametrize(("game", "screen"), by_day(LOOKS, ("einstein", "iphone")))
def test_a_wrong_move_is_answered_and_tried_again_and_the_right_one_is_remembered(open_page, client, game, screen):
    best, worst = best_and_worst(client, game)
    page = open_page(f"/puzzle/{game}", **SCREENS[screen].context)
    expect(page.get_by_test_id("puzzle-task")).to_contain_text("90 %")
    do(page, game, worst)
    expect(page.get_by_test_id("puzzle-verdict")).to_contain_text("Try again")
    percent(page, worst.kept)
    do(page, game, best)
    expect(page.get_by_test_id("puzzle-verdict")).to_contain_text("Right")
    percent(page, best.kept)
    assert findings(page) == []
    page.get_by_test_id("puzzle-board").evaluate("(board) => board.scrollIntoView({ block: 'end' })")
    for shown in ("puzzle-task", "puzzle-verdict"):
        expect(page.get_by_test_id(shown)).to_be_in_viewport(ratio=1)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), "nothing sticks out at the side"
    page.reload()
    expect(page.get_by_test_id("puzzle-task")).to_be_visible()
    page.goto(page.url.partition("/puzzle")[0])
    expect(page.get_by_test_id(f"puzzle-{game}")).to_contain_text("solved")


@pytest.mark.nightly
@pytest.mark.parametrize(("game", "screen"), LOOKS)
def test_the_solution_is_shown_and_the_puzzle_can_be_tried_again(open_page, client, game, screen):
    best, _ = best_and_worst(client, game)
    page = open_page(f"/puzzle/{game}", **SCREENS[screen].context)
    expect(page.get_by_test_id("puzzle-board").get_by_test_id("board")).to_be_visible()
    page.get_by_test_id("puzzle-show").click()
    expect(page.get_by_test_id("puzzle-verdict")).to_contain_text("Solution")
    expect(page.get_by_test_id("puzzle-verdict")).to_contain_text("(100 %)")
    assert findings(page) == []
    page.get_by_test_id("puzzle-again").click()
    expect(page.get_by_test_id("puzzle-verdict")).to_have_count(0)
    do(page, game, best)
    expect(page.get_by_test_id("puzzle-verdict")).to_contain_text("Right")


@pytest.mark.nightly
def test_players_are_told_at_which_attempt_they_solved_it_even_after_they_come_back(open_page, client):
    actions = solution(client, "einstein")
    page = open_page("/", locale="de-DE", color_scheme="dark")
    page.get_by_test_id("company-computer").click()
    page.get_by_test_id("play-button").click()  # whoever plays has a token
    expect(page.get_by_test_id("board")).to_be_visible()
    page.goto(page.url.partition("/s/")[0] + "/puzzle/einstein")
    do(page, "einstein", actions[-1])
    expect(page.get_by_test_id("puzzle-verdict")).to_contain_text("noch einmal")
    do(page, "einstein", actions[0])
    state = page.get_by_test_id("puzzle-state")
    expect(state).to_contain_text("2")
    words = state.inner_text()
    page.reload()
    expect(state).to_have_text(words)
    assert findings(page) == []


@pytest.mark.nightly
def test_an_earlier_day_is_reached_by_its_link_and_from_the_list(open_page, client):
    page = open_page("/puzzle/einstein")
    today = page.get_by_test_id("puzzle-day").inner_text()
    page.get_by_test_id("puzzle-earlier").click()
    expect(page.get_by_test_id("puzzle-day")).not_to_have_text(today)
    day = page.url.rpartition("/")[2]
    do(page, "einstein", solution(client, "einstein", day)[0])
    expect(page.get_by_test_id("puzzle-verdict")).to_contain_text("Right")
    page.get_by_test_id("puzzle-list").click()
    days = page.locator("details li a")
    expect(days).to_have_count(7)
    expect(page.locator("details li a[aria-current=page]")).to_have_attribute("href", f"/puzzle/einstein/{day}")
    assert findings(page) == []
    days.first.click()
    expect(page.get_by_test_id("puzzle-day")).to_have_text(today)
    expect(page.get_by_test_id("puzzle-later")).to_have_count(0)


@pytest.mark.nightly
def test_a_puzzle_is_solved_by_keyboard_only(open_page, client):
    (source, target) = solution(client, "einstein")[0].action.places
    page = open_page("/puzzle/einstein")
    page.locator('[data-testid="board"] [tabindex="0"]').first.focus()
    for square in (source, target):
        go(page, square)
        page.keyboard.press("Enter")
    expect(page.get_by_test_id("puzzle-verdict")).to_contain_text("Right")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement !== document.body"), "the focus is not lost"


@pytest.mark.nightly
def test_a_page_that_may_not_copy_shows_the_address_of_a_puzzle(open_page):
    page = open_page()
    page.add_init_script("delete Navigator.prototype.clipboard")  # as at plain http in a network at home
    page.goto(f"{page.url}puzzle/einstein")
    page.get_by_test_id("puzzle-share").click()
    expect(page.get_by_test_id("puzzle-link")).to_have_value(re.compile(r"/puzzle/einstein/\d{4}-\d\d-\d\d$"))
    page.get_by_test_id("puzzle-copy").click()
    expect(page.get_by_test_id("puzzle-link")).to_be_focused()


def go(page: Page, square: str) -> None:
    """Walk to a square with the arrow keys."""
    here = "document.activeElement.dataset.testid ?? ''"
    for key in ("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"):
        axis = 7 if key in ("ArrowLeft", "ArrowRight") else 8
        wanted = f"square-{square}"[axis]
        for _ in range(4):
            before = page.evaluate(here)
            if before[axis] == wanted:
                break
            page.keyboard.press(key)
            after = page.evaluate(here)
            if abs(ord(after[axis]) - ord(wanted)) > abs(ord(before[axis]) - ord(wanted)):
                page.keyboard.press({"ArrowLeft": "ArrowRight", "ArrowUp": "ArrowDown"}.get(key, key))
                break
    expect(page.get_by_test_id(f"square-{square}")).to_be_focused()


def test_a_day_without_a_puzzle_says_so(open_page):
    page = open_page("/puzzle/einstein/2020-01-01")
    expect(page.get_by_test_id("puzzle-none")).to_be_visible()
    assert findings(page) == []
