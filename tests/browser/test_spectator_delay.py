"""A delay for spectators: chosen with a new table, said at it, and kept on the page of somebody who watches."""

import re

import pytest
from playwright.sync_api import expect

from brettwerk.v1 import record_pb2
from brettwerk_client import Client, me, nobody
from tests.browser.axe import findings
from tests.browser.looks import DESKTOP, IPHONE, Screen, at_night
from tests.browser.play import choose_game, new_table_for_two, set_clock

pytestmark = [pytest.mark.e2e, pytest.mark.browser]
CLOCK = record_pb2.ClockSpec(kind=record_pb2.ClockSpec.KIND_TOTAL, time_ms=600_000, increment_ms=5_000)
RUNNING = re.compile(r"\brunning\b")


def test_a_delay_is_chosen_with_a_competitive_table(open_page, site) -> None:
    page = open_page()
    choose_game(page, "einstein")
    set_clock(page, "total", 10, 5)
    expect(page.get_by_test_id("spectator-delay")).to_have_count(0)
    page.get_by_test_id("competitive").check()
    page.get_by_test_id("spectator-delay").select_option("3")
    assert not findings(page)
    session_id = new_table_for_two(page).rpartition("/")[2]
    with Client(site.grpc_address, name="Ben") as ben:
        assert ben.join_session(session_id).update().session.spectator_delay == 3


@pytest.mark.parametrize(
    ("screen", "locale", "badge"),
    [(DESKTOP, "en-GB", "Spectators: 2 actions later"), at_night(IPHONE, "de-DE", "Zuschauer: 2 Züge später")],
)
def test_somebody_who_watches_sees_an_older_board_and_no_clock_that_runs(
    open_page, site, screen: Screen, locale: str, badge: str
) -> None:
    with Client(site.grpc_address, name="Ben") as ben, Client(site.grpc_address, name="Ada") as ada:
        table = ben.create_session("einstein", [me(), nobody()], clock=CLOCK, competitive=True, spectator_delay=2)
        seats = [table.seat, ada.join_session(table.seat.session_id)]
        page = open_page(f"/s/{table.seat.session_id}", locale=locale, **screen.context)
        plies = page.get_by_test_id("action-list")
        for shown in ("0", "0", "1", "2"):
            mover = next(seat for seat in seats if seat.actions())
            mover.act(mover.update(), mover.actions()[0])
            expect(plies).to_have_attribute("data-plies", shown)
        expect(page.get_by_test_id("spectator-delay")).to_have_text(badge)
        for seat in (0, 1):
            expect(page.get_by_test_id(f"clock-{seat}")).not_to_have_class(RUNNING)
        assert not findings(page)
        seats[0].resign()
        expect(plies).to_have_attribute("data-plies", "5")
        expect(page.get_by_test_id("spectator-delay")).to_have_count(0)
