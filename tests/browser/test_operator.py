"""The page for operators: nothing without their key, everything with it, on every screen, in both languages and colours."""

import pytest
from playwright.sync_api import Page, expect

from brettwerk.v1 import play_pb2, profiles_pb2
from deploy.local.deployment import Deployment
from services.players.ratings.fed_wins import FEWEST
from services.players.results.rating_kind import least_plies
from tests.browser.axe import findings
from tests.browser.conftest import Opener
from tests.browser.looks import LOOKS, SCREENS
from tests.e2e.stranger import Stranger, eventually, me, new_id, nobody, play_plies
from tests.night import by_day

pytestmark = [pytest.mark.e2e, pytest.mark.browser]


@pytest.fixture
def key(site: Deployment) -> str:
    return site.environment["BRETTWERK_OPERATOR_KEY"]


def overflow(page: Page) -> int:
    wide: int = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return wide


@LOOKS
@pytest.mark.parametrize("screen", by_day(SCREENS, "android"))
def test_the_launchers_link_shows_every_process_and_leaves_no_key_in_the_address(
    open_page: Opener, key: str, locale: str, scheme: str, screen: str
) -> None:
    page = open_page(f"/operator#{key}", locale=locale, color_scheme=scheme, **SCREENS[screen].context)
    processes = page.get_by_test_id("process")
    expect(processes).to_have_count(7)
    for service in ("ai", "gateway", "players", "rules", "session", "worker", "statistics"):
        expect(processes.filter(has_text=f"{service} ").first).to_be_visible()
    expect(page.get_by_test_id("figure")).to_have_count(10)
    assert key not in page.url
    assert page.url.endswith("/operator")
    assert overflow(page) <= 0
    assert findings(page) == []
    page.reload()
    expect(processes).to_have_count(7)


def test_a_key_can_be_typed_and_forgotten(open_page: Opener, key: str) -> None:
    page = open_page("/operator")
    expect(page.get_by_test_id("figure")).to_have_count(0)
    page.get_by_label("Operator's key").fill(key)
    page.get_by_role("button", name="Show").click()
    expect(page.get_by_test_id("figure")).to_have_count(10)
    page.get_by_role("button", name="Forget the key").click()
    expect(page.get_by_label("Operator's key")).to_be_visible()
    page.reload()
    expect(page.get_by_label("Operator's key")).to_be_visible()
    expect(page.get_by_test_id("figure")).to_have_count(0)


def test_a_wrong_key_shows_nothing(open_page: Opener) -> None:
    page = open_page(f"/operator#{'x' * 40}")
    expect(page.get_by_test_id("operator-wrong")).to_be_visible()
    expect(page.get_by_test_id("figure")).to_have_count(0)
    assert page.evaluate("sessionStorage.getItem('brettwerk.operator')") is None
    assert findings(page) == []


def handed(site: Deployment, wins: int) -> None:
    """Let Grace win so many rated games of EinStein against two accounts that meet nobody else, as far as they must be played."""
    grace, *feeders = (Stranger(site.grpc_address, name) for name in ("Grace", "Feeder", "Another"))
    for game in range(wins):
        feeder = feeders[game % len(feeders)]
        session, tokens = grace.create(me(), nobody(), competitive=True)
        token = feeder.join(session.id).seat_token
        play_plies(session.id, ((grace, tokens[0]), (feeder, token)), least_plies("einstein", 2))
        resigning = play_pb2.ResignRequest(session_id=session.id, seat_token=token, request_id=new_id())
        feeder.stub.Resign(resigning, metadata=feeder.metadata, timeout=20)
    asked = profiles_pb2.GetProfileRequest()

    def have_arrived() -> bool:
        return sum(each.games for each in grace.stub.GetProfile(asked, metadata=grace.metadata, timeout=20).games) == wins

    eventually(have_arrived, within_s=60)
    for player in (grace, *feeders):
        player.close()


@pytest.mark.nightly
def test_wins_against_accounts_that_play_nobody_else_are_listed_by_name(open_page: Opener, site: Deployment, key: str) -> None:
    handed(site, FEWEST)
    site.kill("players")  # they are counted when it starts, and then every ten minutes
    site.wait("players")
    for locale, scheme, screen, game in (
        ("en-GB", "light", "desktop", "EinStein würfelt nicht"),
        ("de-DE", "dark", "android", "EinStein würfelt nicht"),
    ):
        page = open_page(f"/operator#{key}", locale=locale, color_scheme=scheme, **SCREENS[screen].context)
        row = page.get_by_test_id("fed-wins").get_by_role("row").filter(has_text="Grace")
        expect(row.get_by_role("cell")).to_have_text([game, str(FEWEST), "2"])
        assert overflow(page) <= 0
        assert findings(page) == []
    row.get_by_role("link", name="Grace").click()
    expect(page.get_by_role("heading", name="Grace")).to_be_visible()
