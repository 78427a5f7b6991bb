"""How the end of a game is told: winners, partners, draws, and the places of many seats."""

import time
from collections.abc import Callable
from typing import Any, TypeVar

import grpc
import pytest
from google.protobuf.any_pb2 import Any as AnyMessage
from playwright.sync_api import Page, expect

from brettwerk.v1 import plateau_pb2, play_pb2
from deploy.local.deployment import Deployment
from tests.browser.axe import findings
from tests.browser.looks import at_night
from tests.e2e.stranger import Stranger, me, new_id

T = TypeVar("T")

pytestmark = [pytest.mark.e2e, pytest.mark.browser]

LOOKS = pytest.mark.parametrize(
    "look",
    [
        at_night({"locale": "en-GB"}, id="desktop"),
        pytest.param(
            {
                "locale": "de-DE",
                "color_scheme": "dark",
                "viewport": {"width": 360, "height": 740},
                "has_touch": True,
                "is_mobile": True,
            },
            id="phone",
        ),
    ],
)


class Company:
    """Somebody at all seats of a table, who gives them up one after the other, so that a game has the end that is wanted."""

    def __init__(self, site: Deployment, game: str, seats: int, options: Any = None) -> None:
        self._player = Stranger(site.grpc_address, "Anna")
        request = play_pb2.CreateSessionRequest(game=game, seats=[me()] * seats, request_id=new_id())
        if options is not None:
            request.options.CopyFrom(_packed(options))
        made = self._player.stub.CreateSession(request, metadata=self._player.metadata, timeout=20)
        self.path = f"/s/{made.session.id}"
        self._session = made.session.id
        self._tokens = {grant.seat: grant.seat_token for grant in made.grants}

    def play_turn(self) -> None:
        """Play actions of the seat to move until another one is."""
        seat = self._to_act()
        while self._to_act() == seat:
            token = self._tokens[seat]
            update = patiently(lambda: self._player.look(self._session, token))  # noqa: B023
            texts = [action.notation for action in update.actions]
            which = texts.index("Fertig") if "Fertig" in texts else 0
            patiently(lambda: self._player.act(update, token, which))  # noqa: B023 - called at once

    def play_round(self) -> None:
        """Play turns until the seat to move is the first one again."""
        first = self._to_act()
        self.play_turn()
        while self._to_act() != first:
            self.play_turn()

    def resign(self, *seats: int) -> None:
        for seat in seats:
            request = play_pb2.ResignRequest(session_id=self._session, seat_token=self._tokens[seat], request_id=new_id())
            patiently(lambda: self._player.stub.Resign(request, metadata=self._player.metadata, timeout=20))  # noqa: B023

    def _to_act(self) -> int:
        return int(patiently(lambda: self._player.look(self._session)).to_act[0])


def patiently(ask: Callable[[], T]) -> T:
    """Ask again while the answer is that one player asks too fast, and return another one."""
    while True:
        try:
            return ask()
        except grpc.RpcError as error:
            if error.code() != grpc.StatusCode.RESOURCE_EXHAUSTED:
                raise
            time.sleep(0.05)


def _packed(message: Any) -> AnyMessage:
    found = AnyMessage()
    found.Pack(message)
    return found


def lines(page: Page) -> list[str]:
    """Return the places as they are shown, each with the name of the seat."""
    texts = page.get_by_test_id("places").get_by_role("listitem").all_inner_texts()
    return [" ".join(text.split()) for text in texts]


@pytest.mark.nightly
@LOOKS
def test_six_seats_stand_from_the_first_to_the_last(open_page, site, look):
    """EMP-END-7."""
    company = Company(site, "emperado", 6)
    for seat in (4, 2, 5, 1, 0):
        company.resign(seat)
        if seat:
            company.play_round()
    page = open_page(company.path, **look)
    result = page.get_by_test_id("result")
    if look["locale"] == "en-GB":
        expect(result).to_contain_text("Anna (D) has won")
        assert lines(page) == ["1st Anna D", "2nd Anna A", "3rd Anna B", "4th Anna F", "5th Anna C", "6th Anna E"]
        expect(page.get_by_test_id("seat-0").locator(".badge")).to_have_text("2nd")
    else:
        expect(result).to_contain_text("Anna (D) hat gewonnen")
        assert lines(page) == [f"{place}. Anna {seat}" for place, seat in enumerate("DABFCE", 1)]
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
        page.get_by_test_id("result-fold").tap()
        expect(page.get_by_test_id("places")).to_be_hidden()
        expect(result.get_by_role("heading")).to_be_visible()
        page.get_by_test_id("result-fold").tap()
        expect(page.get_by_test_id("places")).to_be_visible()
    assert not findings(page)


@pytest.mark.nightly
@LOOKS
def test_the_victory_of_partners_is_shown_as_one_and_the_chances_end_with_it(open_page, site, look):
    """EP-MULTI-8."""
    options = plateau_pb2.PlateauOptions(alliance=True, first=plateau_pb2.PLATEAU_FIRST_BABYLON)
    company = Company(site, "plateau", 4, options)
    company.play_turn()
    company.resign(3, 1)
    page = open_page(company.path, **look)
    result = page.get_by_test_id("result")
    expect(result).to_have_attribute("data-winners", "0 2")
    english = look["locale"] == "en-GB"
    expect(result.get_by_role("heading")).to_have_text(
        "Anna (Babylon) and Anna (Greece) have won" if english else "Anna (Babylon) und Anna (Griechenland) haben gewonnen"
    )
    expect(result).not_to_contain_text("draw" if english else "Remis")
    places = ["1st Anna Babylon", "1st Anna Greece", "3rd Anna Media-Persia", "3rd Anna Rome"]
    stellen = ["1. Anna Babylon", "1. Anna Griechenland", "3. Anna Medien-Persien", "3. Anna Rom"]
    assert lines(page) == (places if english else stellen)
    page.get_by_test_id("review-run").click()
    review = page.get_by_test_id("review")
    expect(page.get_by_test_id("review-run")).to_have_count(0, timeout=60_000)
    expect(page.get_by_test_id("review-stop")).to_have_count(0, timeout=60_000)
    review.locator("summary").click()
    expect(review.locator("tbody tr").last.locator("td").first).to_have_text("100 %")
    assert not findings(page)


@pytest.mark.nightly
def test_ones_own_tables_say_how_they_ended(open_page):
    page = open_page()
    page.get_by_test_id("play-button").click()
    expect(page.get_by_test_id("board")).to_be_visible()
    page.get_by_test_id("resign").click()
    page.get_by_test_id("sure").click()
    expect(page.get_by_test_id("result")).to_contain_text("You have lost")
    expect(page.get_by_test_id("places")).to_have_count(0)
    page.goto(page.url.partition("/s/")[0])
    expect(page.get_by_test_id("table-link").first).to_contain_text("You have lost")
