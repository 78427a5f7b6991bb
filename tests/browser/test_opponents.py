"""Finding opponents on the page: a bot and a person paired by the pool, and two people with a challenge."""

import random
import re
import threading

import pytest
from playwright.sync_api import Page, expect

from brettwerk.v1 import accounts_pb2, opponents_pb2, record_pb2
from brettwerk_client import Client
from deploy.local.deployment import Deployment
from tests.browser.axe import findings
from tests.browser.conftest import Opener
from tests.browser.looks import IPHONE, at_night
from tests.browser.play import choose_game, play_to_the_end
from tests.e2e.stranger import Stranger

pytestmark = [pytest.mark.e2e, pytest.mark.browser]

THREE = record_pb2.ClockSpec(kind=record_pb2.ClockSpec.KIND_TOTAL, time_ms=180_000, increment_ms=2_000)


def look_for_an_opponent(page: Page, clock: str = "0") -> None:
    """Begin a search in the pool of a clock, by its number; games of this one do not count."""
    choose_game(page, "einstein")
    page.get_by_test_id("find-opponent").click()
    page.get_by_test_id("pool-clock").select_option(clock)
    page.get_by_test_id("pool-start").click()


def named(page: Page, name: str) -> None:
    page.get_by_test_id("name-input").fill(name)


@pytest.mark.nightly
def test_a_bot_and_a_person_are_paired_by_the_pool_and_play(open_page: Opener, site: Deployment):
    page = open_page()
    named(page, "Ada")
    look_for_an_opponent(page)
    expect(page.get_by_test_id("seek-waited")).to_be_visible()
    expect(page.get_by_test_id("seek-window")).to_contain_text(
        re.compile(r"1,[34]\d\d to 1,[56]\d\d")
    )  # it widens as time goes by
    ended: list[str] = []

    def play() -> None:
        with Client(site.grpc_address, name="Bot") as bot:
            outcome = bot.find_opponent("einstein", clock=THREE).play(lambda update: random.choice(update.actions))
            ended.append(outcome.rule)

    playing = threading.Thread(target=play)
    playing.start()
    expect(page.get_by_test_id("board")).to_be_visible()
    play_to_the_end(page)
    playing.join(60)
    assert ended


@pytest.mark.nightly
def test_a_waiting_player_plays_a_computer_and_is_asked_to_come_when_somebody_is_there(open_page: Opener):
    ada, bo = open_page(), open_page()
    named(ada, "Ada")
    look_for_an_opponent(ada, "1")
    ada.get_by_test_id("seek-computer").click()
    expect(ada.get_by_test_id("board")).to_be_visible()
    waiting_at = ada.url
    expect(ada.get_by_test_id("seek")).to_be_visible()
    named(bo, "Bo")
    look_for_an_opponent(bo, "1")
    bo.wait_for_url("**/s/*")
    expect(ada.get_by_test_id("seek-found")).to_contain_text("Bo")
    assert ada.url == waiting_at
    ada.get_by_test_id("seek-go").click()
    ada.wait_for_url(bo.url)
    expect(ada.get_by_test_id("resign")).to_be_visible()
    ada.goto(waiting_at)
    expect(ada.get_by_test_id("resign")).to_be_visible()  # the game with the computer is as it was


@pytest.mark.nightly
def test_a_search_outlives_a_reload_and_ends_when_it_is_stopped(open_page: Opener):
    page = open_page()
    look_for_an_opponent(page, "2")
    expect(page.get_by_test_id("seek-waited")).to_be_visible()
    page.reload()
    expect(page.get_by_test_id("seek-waited")).to_be_visible()
    page.get_by_test_id("seek-stop").click()
    expect(page.get_by_test_id("seek")).to_be_hidden()
    page.reload()
    expect(page.get_by_test_id("play-button")).to_be_visible()
    expect(page.get_by_test_id("seek")).to_be_hidden()


def with_account(open_page: Opener, site: Deployment, name: str, **context: object) -> Page:
    """Return a page of a player who has an account, and so can be found by name."""
    stranger = Stranger(site.grpc_address, name)
    link = stranger.stub.StartLink(accounts_pb2.StartLinkRequest(), metadata=stranger.metadata, timeout=20)
    page = open_page(f"/link#{link.code}", **context)
    page.get_by_test_id("use-link").click()
    expect(page.get_by_test_id("account-name")).to_have_value(name)
    stranger.close()
    page.goto(f"http://{site.web_address}/")
    return page


def challenge(page: Page, name: str) -> None:
    choose_game(page, "einstein")
    page.get_by_test_id("find-opponent").click()
    page.get_by_test_id("challenge-name").fill(name)
    page.get_by_test_id("challenge-send").click()


@pytest.mark.nightly
def test_a_challenge_in_two_browsers_ends_in_a_game(open_page: Opener, site: Deployment):
    ada, bo = (with_account(open_page, site, name) for name in ("Ada of the north", "Bo of the south"))
    challenge(ada, "Bo of the south")
    expect(ada.get_by_test_id("challenge-done")).to_contain_text("Bo of the south")
    expect(bo.get_by_test_id("challenge")).to_contain_text("Ada of the north")
    bo.get_by_test_id("challenge-accept").click()
    bo.wait_for_url("**/s/*")
    ada.get_by_test_id("challenge-go").click()
    ada.wait_for_url(bo.url)
    play_to_the_end(ada, bo)


@pytest.mark.nightly
def test_a_declined_challenge_says_why_and_one_that_is_taken_back_goes_away(open_page: Opener, site: Deployment):
    ada, bo = (with_account(open_page, site, name) for name in ("Ada of the east", "Bo of the west"))
    challenge(ada, "Bo of the west")
    bo.get_by_test_id("challenge-decline").click()
    bo.get_by_test_id("decline-reason").select_option("2")
    bo.get_by_test_id("decline-send").click()
    expect(bo.get_by_test_id("challenge")).to_be_hidden()
    expect(ada.get_by_test_id("challenge-sent")).to_contain_text("Too little time")
    ada.get_by_test_id("challenge-name").fill("Bo of the west")
    ada.get_by_test_id("challenge-send").click()
    expect(bo.get_by_test_id("challenge")).to_be_visible()
    ada.get_by_test_id("challenge-withdraw").click()
    expect(bo.get_by_test_id("challenge")).to_be_hidden()


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("locale", "context"),
    [
        pytest.param("de-DE", IPHONE.context, id="phone"),
        at_night("en-GB", IPHONE.context, id="phone-en"),
        at_night("en-GB", {}, id="desktop"),
        at_night("de-DE", {}, id="desktop-de"),
    ],
)
def test_everybody_can_use_it(open_page: Opener, site: Deployment, locale: str, context: dict[str, object]):
    name = f"Cleo {locale} {len(context)}"
    page = with_account(open_page, site, name, locale=locale, **context)
    look_for_an_opponent(page, "3")
    expect(page.get_by_test_id("seek-waited")).to_be_visible()
    with Client(site.grpc_address, name="Dora") as dora:
        found = dora.call(dora.service.FindPlayers, opponents_pb2.FindPlayersRequest(name=name)).players
        request = opponents_pb2.ChallengePlayerRequest(player_id=found[0].player_id, game="einstein")
        dora.call(dora.service.ChallengePlayer, request)
        expect(page.get_by_test_id("challenge")).to_contain_text("Dora")
        assert findings(page) == []
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= page.evaluate("innerWidth")
    page.get_by_test_id("seek-stop").click()
    expect(page.get_by_test_id("seek")).to_be_hidden()
