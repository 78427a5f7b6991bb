"""Reliability and pauses on the pages: the profile, a search, a challenge, and a table for players who finish their games."""

import pytest
from playwright.sync_api import Page, expect

from brettwerk.v1 import accounts_pb2, profiles_pb2, record_pb2
from deploy.local.deployment import Deployment
from tests.browser.axe import findings
from tests.browser.conftest import Opener
from tests.browser.departures import LIVE, play_some
from tests.browser.looks import DESKTOP, IPHONE, Screen, at_night
from tests.browser.play import choose_game
from tests.browser.test_opponents import challenge, look_for_an_opponent
from tests.e2e.stranger import Stranger, eventually

pytestmark = [pytest.mark.e2e, pytest.mark.browser]


def with_games(
    open_page: Opener, site: Deployment, name: str, marks: str, clock: record_pb2.ClockSpec | None = LIVE, **context: object
) -> Page:
    """Return a page of a player with an account who has played such games."""
    stranger = Stranger(site.grpc_address, name)
    link = stranger.stub.StartLink(accounts_pb2.StartLinkRequest(), metadata=stranger.metadata, timeout=20)
    play_some(site, stranger.player_id, marks, clock)

    def are_taken() -> bool:
        profile = stranger.stub.GetProfile(profiles_pb2.GetProfileRequest(), metadata=stranger.metadata, timeout=20)
        return profile.live_reliability.games + profile.slow_reliability.games == len(marks)

    eventually(are_taken, 30)
    page = open_page(f"/link#{link.code}", **context)
    page.get_by_test_id("use-link").click()
    expect(page.get_by_test_id("account-name")).to_have_value(name)
    stranger.close()
    page.goto(f"http://{site.web_address}/")
    return page


@pytest.mark.parametrize("screen", [IPHONE, at_night(DESKTOP)])
def test_a_player_who_leaves_games_reads_why_and_until_when_they_pause(open_page: Opener, site: Deployment, screen: Screen):
    ada = with_games(open_page, site, "Ada who leaves", "+++++++---", **screen.context)
    ada.goto(f"http://{site.web_address}/player")
    expect(ada.get_by_test_id("pause")).to_contain_text("You have left 3 of your last ten games")
    expect(ada.get_by_test_id("fact-finishes")).to_contain_text("66%")
    assert findings(ada) == []
    ada.goto(f"http://{site.web_address}/")
    look_for_an_opponent(ada)
    expect(ada.get_by_test_id("pool-refused")).to_contain_text("3 of your last ten games")
    expect(ada.get_by_test_id("pool-refused")).to_contain_text("Try again in")
    assert findings(ada) == []


@pytest.mark.nightly
def test_a_challenge_says_how_much_of_their_games_a_player_finishes(open_page: Opener, site: Deployment):
    ada = with_games(open_page, site, "Ada who stays", "+" * 12, clock=None)
    bo = with_games(open_page, site, "Bo who stays", "")
    challenge(ada, "Bo who stays")
    expect(bo.get_by_test_id("challenge")).to_contain_text("finishes 100 % of games")
    assert findings(bo) == []


@pytest.mark.nightly
def test_a_table_for_reliable_players_says_so_and_is_closed_to_others(open_page: Opener, site: Deployment):
    ada, bo = with_games(open_page, site, "Ada at a table", ""), with_games(open_page, site, "Bo at a table", "++++-", clock=None)
    choose_game(ada, "einstein")
    ada.get_by_test_id("company-friend").click()
    ada.get_by_test_id("more-settings").click()
    ada.get_by_test_id("reliable").check()
    assert findings(ada) == []
    ada.get_by_test_id("play-button").click()
    expect(ada.get_by_test_id("reliable-only")).to_be_visible()
    bo.goto(ada.url)
    bo.get_by_test_id("join-1").click()
    expect(bo.get_by_test_id("refusal")).to_contain_text("you finish 7")
