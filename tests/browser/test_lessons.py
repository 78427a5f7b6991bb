"""People learn the games by playing, in a browser."""

import re
import time
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from brettwerk_games.rules.emperado.world import COUNTRIES
from tests.brettwerk_games.rules.lessons import courses
from tests.browser import emperado, plateau, wec
from tests.browser.keys import IS_ON, press, tab_to
from tests.browser.looks import IPHONE
from tests.browser.play import look_again, touchable
from tests.browser.stage import OUT_OF_SIGHT
from tests.night import at_night, by_day

pytestmark = [pytest.mark.e2e, pytest.mark.browser]

NUMBER_OF = {country.id: number for number, country in enumerate(COUNTRIES)}

COURSES = courses()


def lesson_of(game: str, name: str) -> Any:
    return next(each for each in COURSES[game]["lessons"] if each["id"] == name)


def verdict(page: Page, wanted: str) -> None:
    expect(page.get_by_test_id("lesson")).to_have_attribute("data-verdict", wanted)


def square(page: Page, name: str) -> None:
    page.get_by_test_id(f"square-{name}").click(force=True)


def move_stone(page: Page, notation: str) -> None:
    """Move as the notation says: first the stone where there is a choice, then its square."""
    source, target = re.findall(r"[A-E][1-5]", notation)
    expect(page.get_by_test_id("board").locator("[data-mark]").first).to_be_attached()
    if target not in touchable(page):
        square(page, source)
    square(page, target)


def race(page: Page) -> None:
    """Play a lesson that is a whole game of EinStein until it is won."""
    end = time.monotonic() + 120
    note = page.get_by_test_id("lesson")
    while time.monotonic() < end:
        match note.get_attribute("data-verdict"):
            case "reached":
                return
            case "missed":
                page.get_by_test_id("lesson-again").click()
                verdict(page, "open")
        names = touchable(page)
        if names:
            # The square that is nearest to A1 comes first in the order of reading, or is as near.
            page.get_by_test_id(f"square-{names[0]}").click(force=True)
        look_again(page)
    pytest.fail("no race was won")


def test_a_newcomer_learns_einstein_from_the_first_page_on(open_page):
    page = open_page()
    page.get_by_test_id("game-einstein").locator("..").click()
    page.get_by_test_id("learn").click()
    lessons = COURSES["einstein"]["lessons"]
    count = len(lessons)
    expect(page.get_by_test_id("lessons-done")).to_contain_text(f"0 of {count}")
    page.get_by_test_id("lessons-begin").click()
    for lesson in lessons[:-1]:
        expect(page.get_by_test_id("lesson")).to_contain_text(lesson["task"]["en"])
        move_stone(page, lesson["solution"][0])
        verdict(page, "reached")
        expect(page.get_by_test_id("lesson")).to_contain_text(lesson["done"]["en"])
        page.get_by_test_id("lesson-next").click()
    expect(page.get_by_test_id("lesson")).to_contain_text(lessons[-1]["task"]["en"])
    race(page)
    page.get_by_test_id("lesson-list").click()
    expect(page.get_by_test_id("lessons-done")).to_contain_text(f"{count} of {count}")
    expect(page.locator("[data-finished=true]")).to_have_count(count)
    page.get_by_test_id("lessons-play").click()
    expect(page.get_by_test_id("seat-1")).to_contain_text("Easy")


@pytest.mark.nightly
def test_another_legal_move_is_answered_and_the_lesson_starts_again_with_one_click(open_page):
    page = open_page("/learn/einstein/safe", locale="de-DE")
    lesson = lesson_of("einstein", "safe")
    expect(page.get_by_test_id("lesson")).to_contain_text(lesson["task"]["de"])
    move_stone(page, "4D3-C2")
    verdict(page, "missed")
    expect(page.get_by_test_id("lesson")).to_contain_text(lesson["other"]["de"])
    page.get_by_test_id("lesson-again").click()
    verdict(page, "open")
    move_stone(page, lesson["solution"][0])
    verdict(page, "reached")
    page.goto(page.url.rpartition("/")[0])
    expect(page.get_by_test_id("lesson-safe")).to_have_attribute("data-finished", "true")
    expect(page.get_by_test_id("lesson-die")).to_have_attribute("data-finished", "false")


def by_keys_in_einstein(page: Page) -> None:
    wec.by_key(page, "square-C3")


def by_keys_in_emperado(page: Page) -> None:
    press(page, "[data-testid=countries] > summary")
    tab_to(page, emperado.LISTED)
    emperado.listed_keys(page, NUMBER_OF["kongo"])
    page.keyboard.press("Shift+Enter")


def by_keys_in_plateau(page: Page) -> None:
    for way in ("D1 H1", "D3 F3"):
        tab_to(page, "[data-testid=coordinates]")
        before = plateau.played(page)
        page.keyboard.type(way)
        page.keyboard.press("Enter")
        plateau.wait_for_move(page, before)
    press(page, "[data-testid=end-turn]")


def by_keys_in_wec(page: Page) -> None:
    for square in ("(3,5)", "(4,6)"):
        wec.by_key(page, f"square-{square}")


BY_KEYS = {
    "einstein": by_keys_in_einstein,
    "emperado": by_keys_in_emperado,
    "plateau": by_keys_in_plateau,
    "wec": by_keys_in_wec,
}
"""How the first lesson of each game is played by keyboard."""


@pytest.mark.nightly
@pytest.mark.parametrize("game", by_day(BY_KEYS, "emperado"))
def test_the_first_lesson_of_a_game_is_found_and_played_by_keyboard_only(open_page, game):
    page = open_page()
    tab_to(page, "[data-testid^=game-]:checked")
    while not page.evaluate(IS_ON, f"[data-testid=game-{game}]"):
        page.keyboard.press("ArrowRight")
    expect(page.get_by_test_id(f"about-{game}")).to_be_visible()
    press(page, "[data-testid=learn]")
    press(page, "[data-testid=lessons-begin]")
    verdict(page, "open")
    BY_KEYS[game](page)
    verdict(page, "reached")
    expect(page.get_by_test_id("lesson-next")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("lesson")).to_contain_text(COURSES[game]["lessons"][1]["task"]["en"])


@pytest.mark.nightly
def test_a_lesson_is_played_on_a_phone(open_page):
    page = open_page("/learn/einstein/corner", **IPHONE.context)
    verdict(page, "open")
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), "nothing sticks out at the side"
    page.get_by_test_id("square-A1").tap(force=True)
    verdict(page, "reached")
    expect(page.get_by_test_id("lesson-next")).to_be_in_viewport()


@pytest.mark.nightly
def test_a_lesson_of_emperado_is_played_by_mouse(open_page):
    page = open_page("/learn/emperado/attack")
    source, target = (NUMBER_OF[name] for name in ("kongo", "westafrika"))
    expect(page.locator(f'g.pill[data-country="{source}"]')).to_be_visible()
    emperado.settled(page)
    if emperado.look(page).marks[source] != "moving":
        emperado.click(page, source)
    assert emperado.is_within_reach(page, target)
    emperado.click(page, target)
    verdict(page, "reached")
    expect(page.get_by_test_id("lesson")).to_contain_text(lesson_of("emperado", "attack")["done"]["en"])


@pytest.mark.nightly
def test_a_lesson_of_empire_plateau_is_played_in_german_and_misses_what_it_asks_for(open_page):
    page = open_page("/learn/plateau/jump", locale="de-DE", color_scheme="dark")
    lesson = lesson_of("plateau", "jump")
    expect(page.get_by_test_id("lesson")).to_contain_text(lesson["task"]["de"])
    plateau.move(page, "C1", "I1", 6)
    verdict(page, "open")
    plateau.end_turn(page)
    verdict(page, "missed")
    expect(page.get_by_test_id("lesson")).to_contain_text(lesson["other"]["de"])
    page.get_by_test_id("lesson-again").click()
    verdict(page, "open")
    plateau.move(page, "F3", "F7", 4)
    verdict(page, "reached")


@pytest.mark.nightly
def test_a_lesson_of_weaponized_chess_is_played_on_a_phone(open_page):
    page = open_page("/learn/wec/flame", **IPHONE.context)
    page.get_by_test_id("mode-fire").tap()
    page.get_by_test_id("square-(5,5)").tap(force=True)
    expect(page.get_by_test_id("square-(6,6)")).to_have_attribute("data-mark", re.compile("target|capture"))
    page.get_by_test_id("square-(6,6)").tap(force=True)
    verdict(page, "reached")


@pytest.mark.nightly
@pytest.mark.parametrize("lesson", ["einstein/die", *map(at_night, ("emperado/attack", "plateau/jump", "wec/flame"))])
def test_on_a_phone_a_lesson_shows_the_sentence_and_the_buttons_of_the_turn(open_page, lesson):
    page = open_page(f"/learn/{lesson}", **IPHONE.context)
    verdict(page, "open")
    expect(page.get_by_test_id("board-hint")).not_to_be_empty()
    expect(page.get_by_test_id("board-hint")).to_be_in_viewport(ratio=1)
    assert page.evaluate(OUT_OF_SIGHT) == []
    page.get_by_test_id("lesson").evaluate("note => note.scrollIntoView({ block: 'start' })")
    expect(page.get_by_test_id("board-hint")).to_be_in_viewport(ratio=1)
    assert page.evaluate(OUT_OF_SIGHT) == []


@pytest.mark.nightly
def test_lessons_stand_in_no_list_and_are_found_from_the_rules(open_page):
    page = open_page()
    first_page = page.url
    page.get_by_test_id("play-button").click()
    expect(page.get_by_test_id("board")).to_be_visible()
    page.goto(f"{first_page}rules/einstein")
    page.get_by_test_id("learn").click()
    page.get_by_test_id("lesson-two").click()
    verdict(page, "open")
    page.goto(first_page)
    expect(page.get_by_test_id("learn")).to_be_visible()
    expect(page.get_by_test_id("my-tables").locator("> li")).to_have_count(1)


def test_an_unknown_lesson_is_reported(open_page):
    page = open_page("/learn/einstein/nothing")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.get_by_test_id("lesson")).to_have_count(0)
