"""Computers that are waited for: how that stands, what can be done about it, and what was played without thinking."""

import re
import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from deploy.local import web
from deploy.local.deployment import Deployment
from deploy.local.processes import Processes
from tests.browser.axe import findings
from tests.browser.play import from_menu, play_by_mouse, touchable
from tests.browser.waiting import idle_worker, other_people, thinking_worker, until_hints_are_wanted

pytestmark = [pytest.mark.e2e, pytest.mark.browser, pytest.mark.nightly]

PATIENT = 60_000
"""Milliseconds: for what the service does on its own after it has waited for a worker."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployment]:
    """A deployment of its own, where nobody thinks. It has room for ten moves that are wanted."""
    web.build(lambda line: print(line))
    environment = {"BRETTWERK_AI_SILENCE_S": "8", "BRETTWERK_AI_WANTS_BOUND": "10"}
    data = tmp_path_factory.mktemp("site")
    with Deployment(
        data=data, environment=environment, processes=Processes(worker_program="tests.browser.absent_worker")
    ) as started:
        yield started


def until_the_computer_is_to_move(page: Page) -> None:
    """Play until it is the computer's turn, and it is waited for."""
    page.get_by_test_id("play-button").click()
    expect(page.get_by_test_id("board")).to_be_visible()
    end = time.monotonic() + 60
    while not page.get_by_test_id("wait-1").is_visible():
        assert time.monotonic() < end, "nobody waits for the computer"
        play_by_mouse(page)


def test_a_player_waiting_for_a_free_computer_is_told_how_long_and_the_game_goes_on(open_page, site):
    page = open_page()
    with idle_worker(site), other_people(site, 3, "strong"):
        until_the_computer_is_to_move(page)
        wait = page.get_by_test_id("wait-1")
        expect(wait).to_contain_text(re.compile(r"Black is waiting for a free computer: 3 before you, about \d+ (s|min)"))
        expect(page.get_by_test_id("seat-1")).to_contain_text("waits")
        expect(page.get_by_test_id("spoken-wait")).to_contain_text("Black is waiting for a free computer")
        assert not findings(page)
        moves = page.get_by_test_id("action-list").get_by_role("button")
        played = moves.count()
        with thinking_worker(site):
            expect(moves).not_to_have_count(played, timeout=PATIENT)  # a worker takes a while to start
            expect(wait).to_have_count(0)
    expect(page.get_by_test_id("thoughtless")).to_have_count(0)


def test_after_a_long_wait_a_player_takes_the_computers_seat_and_plays_it(open_page, site):
    page = open_page(locale="de-DE")
    with idle_worker(site):
        until_the_computer_is_to_move(page)
        take = page.get_by_test_id("take-1")
        expect(take).to_have_text("Schwarz selbst spielen")
        take.click()
        expect(page.get_by_test_id("seat-1")).to_contain_text("du")
        expect(page.get_by_test_id("wait-1")).to_have_count(0)
        marks = page.get_by_test_id("board").locator("[data-mark=candidate], [data-mark=target], [data-mark=capture]")
        expect(marks.first).to_be_attached()  # the only stone that may move is chosen already, and may only capture
        assert touchable(page)
    from_menu(page, "hand-over")
    expect(page.get_by_test_id("seat-1")).to_contain_text("Computer")


@pytest.mark.parametrize(
    ("screen", "words", "own"),
    [
        pytest.param({"locale": "en-GB", "viewport": {"width": 1280, "height": 800}}, "Play Black myself", "you", id="desktop"),
        pytest.param(
            {"locale": "de-DE", "viewport": {"width": 390, "height": 844}, "has_touch": True},
            "Schwarz selbst spielen",
            "du",
            id="phone",
        ),
    ],
)
def test_an_owner_who_only_watches_computers_takes_a_seat(open_page, site, screen, words, own):
    page = open_page(**screen)
    page.get_by_test_id("more-settings").click()
    for seat in range(2):
        page.get_by_test_id(f"wish-{seat}").select_option("computer")
    page.get_by_test_id("play-button").click()
    take = page.get_by_test_id("take-seat-1")
    expect(take).to_have_text(words)
    expect(page.get_by_test_id("take-seat-0")).to_be_visible()
    assert not findings(page)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    other = open_page("/s/" + page.url.rpartition("/s/")[2], locale="en-GB")
    expect(other.get_by_test_id("seat-1")).to_contain_text("Computer")
    expect(other.get_by_test_id("take-seat-1")).to_have_count(0)
    page.reload()
    take.click()
    expect(page.get_by_test_id("seat-1")).to_contain_text(own)
    for seat in range(2):
        expect(page.get_by_test_id(f"take-seat-{seat}")).to_have_count(0)


def test_without_any_computer_the_game_goes_on_and_says_how(open_page, site):
    page = open_page(locale="de-DE", color_scheme="dark", viewport={"width": 390, "height": 844})
    until_the_computer_is_to_move(page)
    expect(page.get_by_test_id("wait-1")).to_contain_text("Gerade kann kein Computer nachdenken")
    page.get_by_test_id("language").select_option("en")
    expect(page.get_by_test_id("wait-1")).to_contain_text("No computer is available right now")
    assert not findings(page)
    mark = page.get_by_test_id("thoughtless").first
    expect(mark).to_be_visible(timeout=PATIENT)
    expect(page.get_by_test_id("wait-1")).to_have_count(0)
    mark.click()
    why = page.get_by_test_id("thoughtless-why")
    expect(why).to_contain_text("Played without thinking. No computer was free")
    page.get_by_test_id("language").select_option("de")
    expect(why).to_contain_text("Ohne nachzudenken gespielt. Kein Computer war frei")
    assert not findings(page)


def test_a_hint_is_given_up_or_refused_kindly(open_page, site):
    page = open_page()
    page.get_by_test_id("play-button").click()
    hint = page.get_by_test_id("hint")
    expect(hint).to_have_text("Hint")
    before = [hint.bounding_box(), page.get_by_test_id("resign").bounding_box()]
    with idle_worker(site):
        hint.click()
        expect(hint).to_contain_text("Thinking")
        assert [hint.bounding_box(), page.get_by_test_id("resign").bounding_box()] == before
        assert not findings(page)
        expect(hint).to_contain_text(re.compile(r"\d s"))
        until_hints_are_wanted(site, 1)
        hint.click()
        expect(hint).to_have_text("Hint")
        until_hints_are_wanted(site, 0)
        hint.click()
        expect(page.get_by_test_id("refusal")).to_contain_text("No computer had time for a hint", timeout=PATIENT)
        expect(hint).to_have_text("Hint")


def test_where_there_is_no_room_for_computers_people_are_suggested(open_page, site):
    page = open_page(locale="de-DE")
    with idle_worker(site), other_people(site, 20, "easy"):
        page.get_by_test_id("play-button").click()
        refusal = page.get_by_test_id("refusal")
        expect(page.get_by_test_id("people-instead")).to_be_in_viewport()
        expect(refusal).to_contain_text(re.compile(r"Alle Computer sind beschäftigt.* Versuch es in etwa \d+ s noch einmal"))
        assert not findings(page)
        page.get_by_test_id("people-instead").click()
        expect(refusal).to_have_count(0)
        page.get_by_test_id("play-button").click()
        expect(page.get_by_test_id("invite-link")).to_be_visible()
