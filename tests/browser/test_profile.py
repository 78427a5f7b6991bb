"""Games that players have played, on the page: profile, results, rankings and achievements, for everybody and on phones."""

import contextlib
import itertools
import re
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from brettwerk.v1 import accounts_pb2, play_pb2, profiles_pb2
from deploy.local.deployment import Deployment
from tests.browser.axe import findings
from tests.browser.looks import IPHONE, at_night
from tests.browser.play import new_table_for_two
from tests.e2e.stranger import Stranger, eventually, in_background, me, new_id, nobody, play_plies, taken
from tests.night import by_day

pytestmark = [pytest.mark.e2e, pytest.mark.browser]

PAGES = {"/player": "facts", "/results": "results", "/leaders/einstein": "ranking", "/achievements": "achievements-sum"}
"""A page, and what is there once it is."""
GAMES = 26
"""Rated games of Ada's: enough for a rating that is not provisional."""


@dataclass(frozen=True)
class Circle:
    """Players who have played with each other: Ada much, Bo and Cleo less, Dora once and for nothing."""

    ada: Stranger
    bo: Stranger
    cleo: Stranger
    dora: Stranger


COUNTED = 6
"""Moves after which a game of EinStein is rated."""


def session_of(one: Stranger, other: Stranger, *, competitive: bool = True) -> tuple[str, str, str]:
    """Seat two at a table; return its id and their seats' tokens."""
    session, seats = taken(lambda: one.create(me(), nobody(), competitive=competitive))
    grant = taken(lambda: other.join(session.id, 1))
    return session.id, seats[0], grant.seat_token


def give_up(loser: Stranger, session_id: str, seat_token: str) -> None:
    request = play_pb2.ResignRequest(session_id=session_id, seat_token=seat_token, request_id=new_id())
    taken(lambda: loser.stub.Resign(request, metadata=loser.metadata, timeout=20))


def profile_of(player: Stranger) -> profiles_pb2.GetProfileResponse:
    request = profiles_pb2.GetProfileRequest()
    received: profiles_pb2.GetProfileResponse = player.stub.GetProfile(request, metadata=player.metadata, timeout=20)
    return received


def is_counted(player: Stranger, games: int) -> bool:
    return sum(rating.games for rating in profile_of(player).ratings) == games


@pytest.fixture(scope="module")
def circle(site) -> Circle:
    """Players whose games are finished and rated."""
    found = Circle(*(Stranger(site.grpc_address, name) for name in ("Ada Lovelace", "Bo", "Cleo", "Dora")))
    ada, bo, cleo, dora = found.ada, found.bo, found.cleo, found.dora
    session, own, others = session_of(ada, bo)
    other = in_background(lambda: bo.play(session, others) and None)
    ada.play(session, own)
    other.join(60)
    for number in range(1, GAMES):
        opponent = bo if number % 2 else cleo
        session, own, others = session_of(ada, opponent)
        play_plies(session, ((ada, own), (opponent, others)), COUNTED)
        if number % 3:
            give_up(opponent, session, others)
        else:
            give_up(ada, session, own)
    session, own, others = session_of(dora, bo, competitive=False)
    give_up(dora, session, own)
    eventually(lambda: is_counted(ada, GAMES) and bool(profile_of(dora).games), 60)
    return found


def enter(open_page, player: Stranger, path: str, **context) -> Page:
    """Open a page as a player, who comes by a link for another device."""
    code = player.stub.StartLink(accounts_pb2.StartLinkRequest(), metadata=player.metadata, timeout=20).code
    page: Page = open_page(f"/link#{code}", **context)
    page.get_by_test_id("use-link").click()
    expect(page.get_by_test_id("account-said")).not_to_be_empty()
    page.goto(f"{origin(page)}{path}")
    return page


def origin(page: Page) -> str:
    parts = urlsplit(page.url)
    return f"{parts.scheme}://{parts.netloc}"


def overflow(page: Page) -> int:
    wide: int = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    return wide


@pytest.mark.nightly
@pytest.mark.parametrize("path", by_day(PAGES, "/player"))
@pytest.mark.parametrize(("locale", "scheme", "screen"), [("en-GB", "light", "desktop"), at_night("de-DE", "dark", "phone")])
def test_every_page_is_for_everybody(open_page, circle, path, locale, scheme, screen):
    context = IPHONE.context if screen == "phone" else {"viewport": {"width": 1440, "height": 900}}
    page = enter(open_page, circle.ada, path, locale=locale, color_scheme=scheme, **context)
    expect(page.get_by_test_id(PAGES[path])).to_be_visible()
    assert overflow(page) == 0
    assert findings(page) == []


@pytest.mark.nightly
def test_a_profile_tells_numbers_ratings_and_opponents(open_page, circle):
    page = enter(open_page, circle.ada, "/player")
    received = profile_of(circle.ada)
    expect(page.get_by_test_id("fact-games")).to_have_text(str(GAMES))
    expect(page.get_by_test_id("fact-won")).to_have_text(str(received.games[0].won))
    expect(page.get_by_test_id("fact-favourite")).to_have_text("EinStein würfelt nicht")
    expect(page.get_by_test_id("fact-streak")).to_contain_text(str(received.longest_streak))
    card = page.get_by_test_id("rating-einstein")
    expect(card.get_by_test_id("rating-now")).to_have_text(str(round(received.ratings[0].rating)))
    expect(card.get_by_test_id("rank")).to_have_count(0)
    expect(card.get_by_test_id("provisional")).to_be_visible()  # two opponents on one day tell little
    expect(card.get_by_test_id("rating-plot")).to_have_attribute("aria-label", re.compile("the rating over time"))
    card.get_by_text("Numbers").click()
    expect(card.get_by_role("row")).to_have_count(GAMES + 1)
    bo = page.get_by_test_id("opponents-table").get_by_role("row", name="Bo")
    expect(bo.get_by_role("cell").first).to_have_text(str(received.opponents[0].games))
    assert findings(page) == []


@pytest.mark.nightly
def test_another_player_is_reached_from_the_ranking_and_tells_how_one_did_against_them(open_page, circle):
    page = enter(open_page, circle.bo, "/leaders/einstein")
    met = next(one for one in profile_of(circle.bo).opponents if one.player_id == circle.ada.player_id)
    page.get_by_role("link", name="Ada Lovelace").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Ada Lovelace")
    expect(page.get_by_test_id("against")).to_contain_text(
        f"played {met.games} games against each other: you came out ahead in {met.ahead}, Ada Lovelace in {met.behind}"
    )
    expect(page.get_by_test_id("opponents-table")).to_have_count(0)
    assert findings(page) == []
    page.get_by_role("link", name="Look at these games").click()
    expect(page.get_by_test_id("result-row")).to_have_count(met.games)
    expect(page.get_by_test_id("only")).to_have_text("Only games with Ada Lovelace.")


@pytest.mark.nightly
def test_a_player_without_a_rated_game_is_told_how_to_get_one(open_page, circle):
    page = enter(open_page, circle.dora, "/player")
    expect(page.get_by_test_id("no-ratings")).to_contain_text("Competitive")
    expect(page.get_by_test_id("fact-lost")).to_have_text("1")


@pytest.mark.nightly
def test_results_are_searched_and_paged_and_a_game_is_looked_at(open_page, circle):
    page = enter(open_page, circle.ada, "/results")
    rows = page.get_by_test_id("result-row")
    expect(rows).to_have_count(20)
    page.get_by_test_id("older").click()
    expect(rows).to_have_count(GAMES - 20)
    expect(page.get_by_test_id("page")).to_have_text("Page 2")
    page.get_by_test_id("newer").click()
    expect(rows).to_have_count(20)
    page.get_by_test_id("filter-opponent").fill("CLE")
    page.get_by_test_id("filter-result").select_option("lost")
    page.get_by_test_id("filter-search").click()
    lost = profile_of(circle.ada).opponents[1].behind
    expect(rows).to_have_count(lost)
    expect(rows.first).to_contain_text("Cleo")
    page.reload()
    expect(rows).to_have_count(lost)
    page.get_by_test_id("filter-from").fill("2100-01-01")
    page.get_by_test_id("filter-search").click()
    expect(page.get_by_test_id("none-found")).to_be_visible()
    page.go_back()
    expect(rows).to_have_count(lost)
    rows.first.get_by_role("link", name="View").click()
    expect(page.get_by_test_id("result")).to_be_visible()


@pytest.mark.nightly
def test_results_are_searched_by_keys_and_the_focus_is_where_they_are(open_page, circle):
    page = enter(open_page, circle.ada, "/results")
    page.get_by_test_id("filter-opponent").focus()
    page.keyboard.type("cleo")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("result-row").first).to_contain_text("Cleo")
    expect(page.get_by_role("region", name="Results")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_test_id("result-row").first.get_by_role("link", name="Cleo")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("result")).to_be_visible()


@pytest.mark.nightly
def test_a_ranking_has_computers_as_fixed_points_and_the_own_line(open_page, circle):
    page = enter(open_page, circle.ada, "/leaders/einstein")
    own = page.get_by_test_id("own-row")
    expect(own).to_contain_text("Ada Lovelace")
    expect(own).to_contain_text("you")
    levels = page.get_by_test_id("level-row")
    expect(levels).to_have_count(5)
    expect(levels.first).to_contain_text("fixed")
    expect(levels.first).to_contain_text(" – ")  # a name, and how strong it is
    page.get_by_test_id("leaders-period").select_option("week")
    expect(page.get_by_role("columnheader", name="Gained")).to_be_visible()
    expect(own).to_contain_text(re.compile(r"[+−]\d"))
    expect(levels).to_have_count(0)
    page.get_by_test_id("leaders-period").select_option("last")
    expect(page.get_by_test_id("empty")).to_be_visible()
    page.get_by_role("link", name="EMPERADO").click()
    expect(page.get_by_test_id("leaders-kind")).to_be_visible()
    page.get_by_test_id("leaders-period").select_option("")
    expect(levels).to_have_count(4)


@pytest.mark.nightly
def test_achievements_tell_in_both_languages_how_far_one_is(open_page, circle):
    page = enter(open_page, circle.ada, "/achievements")
    regular = page.locator("[data-id='overall/ten']")
    expect(regular).to_have_attribute("data-reached", "true")
    veteran = page.locator("[data-id='overall/hundred']")
    expect(veteran).to_contain_text(f"{GAMES} of 100")
    page.get_by_test_id("language").select_option("de")
    expect(regular).to_contain_text("Stammgast")
    expect(veteran).to_contain_text(f"{GAMES} von 100")


@pytest.mark.nightly
def test_a_new_player_is_shown_the_achievements_to_win(open_page):
    page = open_page("/achievements")
    achievements = page.get_by_test_id("achievement")
    expect(achievements.nth(70)).to_be_attached()
    expect(page.get_by_test_id("achievements-sum")).to_contain_text(f"{achievements.count()} achievements")
    expect(page.locator("[data-reached=true]")).to_have_count(0)
    page.get_by_test_id("empty").get_by_role("link").click()
    expect(page.get_by_test_id("play-button")).to_be_visible()


@pytest.mark.nightly
@pytest.mark.parametrize("path", ["/player", "/results", "/achievements"])
def test_a_new_player_is_invited_to_play(open_page, path):
    page = open_page(path, locale="de-DE")
    expect(page.get_by_test_id("empty")).to_be_visible()
    assert findings(page) == []
    page.get_by_test_id("empty").get_by_role("link").click()
    expect(page.get_by_test_id("play-button")).to_be_visible()


def test_a_player_whom_nobody_knows_is_not_there(open_page):
    page = open_page("/player/abcdefghijklmnopqrstuvwxyz")
    expect(page.get_by_test_id("lost")).to_contain_text("no such player")


@pytest.mark.nightly
def test_names_at_a_table_and_the_first_page_lead_there(open_page, circle):
    page = enter(open_page, circle.ada, "/")
    new_table_for_two(page)
    page.get_by_test_id("seat-0").get_by_role("link", name="Ada Lovelace").click()
    expect(page.get_by_test_id("fact-games")).to_have_text(str(GAMES))
    page.goto(f"{origin(page)}/")
    for name in ("profile", "results", "leaders", "achievements"):
        page.get_by_test_id(f"go-{name}").click()
        expect(page.get_by_test_id(f"go-{name}")).to_have_attribute("aria-current", "page")


@contextlib.contextmanager
def without(site: Deployment, part: str) -> Iterator[None]:
    """Have a deployment without one of its parts."""
    gone, back = threading.Event(), threading.Event()

    def between() -> None:
        gone.set()
        back.wait(120)

    restarting = in_background(lambda: site.restart(part, between))
    try:
        assert gone.wait(60)
        yield
    finally:
        back.set()
        restarting.join(60)
        site.wait(part)


@pytest.mark.nightly
def test_while_the_service_is_down_the_pages_say_so_and_play_goes_on(open_page, circle, site):
    page = enter(open_page, circle.ada, "/")
    with without(site, "players"):
        page.get_by_test_id("go-results").click()
        expect(page.get_by_test_id("refusal")).to_contain_text("cannot be reached right now")
        assert findings(page) == []
        page.goto(f"{origin(page)}/")
        page.get_by_test_id("play-button").click()
        expect(page.get_by_test_id("board")).to_be_visible()
        page.goto(f"{origin(page)}/results")
        expect(page.get_by_test_id("refusal")).to_be_visible()
    eventually(lambda: asked_again(page), 30)


def asked_again(page: Page) -> bool:
    """Ask once more if the page says that one can, and return whether the results are there."""
    page.get_by_test_id("again").or_(page.get_by_test_id("results")).first.click()
    return page.get_by_test_id("results").is_visible()


@pytest.mark.nightly
@pytest.mark.parametrize("locale", ["en-GB", "de-DE", "fr-FR"])
def test_the_ways_to_the_other_pages_stand_in_one_row_on_a_phone(open_page, locale):
    page = open_page("/leaders", locale=locale, viewport={"width": 390, "height": 844}, has_touch=True)
    ways = page.locator("[data-testid^=go-]")
    expect(ways).to_have_count(6)
    boxes = [way.bounding_box() or {} for way in ways.all()]
    assert len({box["y"] for box in boxes}) == 1
    assert all(box["width"] >= 44 and box["height"] >= 44 for box in boxes)
    assert all(one["x"] + one["width"] <= other["x"] for one, other in itertools.pairwise(boxes))
    assert boxes[-1]["x"] + boxes[-1]["width"] <= 390
    assert ways.evaluate_all("ways => ways.every((way) => way.scrollWidth <= way.clientWidth)")
