"""Strangers follow stale links, have long names, sit far down on a page when something happens above."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import findings
from tests.browser.looks import ANDROID
from tests.browser.play import choose_game, from_menu, new_table_for_two, set_clock, sit_down_together
from tests.night import at_night

pytestmark = [pytest.mark.e2e, pytest.mark.browser]


def start(page: Page, game: str) -> None:
    choose_game(page, game)
    page.get_by_test_id("play-button").click()
    expect(page.get_by_test_id("board")).to_be_visible()


@pytest.mark.parametrize(
    ("path", "locale", "said"),
    [
        ("/s/nonsense", "en-GB", "no such table"),
        at_night("/s/07abcdefghijklmnopqrstuv", "de-DE", "Diesen Tisch gibt es nicht"),
        at_night("/rules/chess", "en-GB", "no such game"),
        at_night("/edit/chess", "en-GB", "no such game"),
        at_night("/edit/einstein", "de-DE", "keinen Brett-Editor"),
        ("/nowhere", "en-GB", "nothing at this address"),
    ],
)
def test_a_link_that_leads_nowhere_says_what_is_missing_and_leads_to_the_lobby(open_page, path, locale, said) -> None:
    page = open_page(path, locale=locale)
    expect(page.get_by_test_id("lost")).to_contain_text(said)
    expect(page.get_by_role("alert").locator("*")).to_have_count(0)
    assert not findings(page)
    page.get_by_test_id("lost").get_by_role("link").click()
    expect(page.get_by_test_id("play-button")).to_be_visible()


@pytest.mark.nightly
def test_a_player_with_a_long_or_an_invisible_name_sits_down(open_page) -> None:
    one, other = open_page(), open_page()
    one.get_by_test_id("name-input").fill("\u200b")
    path = new_table_for_two(one)
    other.goto(one.url.partition("/s/")[0] + path)
    other.get_by_test_id("name-input").fill("Österreichisch-Ungarische Monarchie 1867")
    other.get_by_test_id("join-1").click()
    expect(one.get_by_test_id("seat-1")).to_contain_text("Österreichisch-Ungarische Monarchie 186")
    expect(other.get_by_test_id("seat-0")).to_contain_text("Guest")


@pytest.mark.nightly
def test_questions_to_a_player_and_the_end_are_always_in_sight(open_page) -> None:
    one, other = open_page(), open_page(**ANDROID.context)
    choose_game(one, "plateau")
    sit_down_together(one, other)
    other.get_by_test_id("resign").scroll_into_view_if_needed()
    expect(other.locator("h1")).not_to_be_in_viewport()
    from_menu(one, "propose-draw")
    expect(other.get_by_test_id("accept")).to_be_in_viewport()
    assert not findings(other)
    one.get_by_test_id("proposal").get_by_role("button").click()
    expect(other.get_by_test_id("proposal")).to_have_count(0)
    other.get_by_test_id("resign").click()
    other.get_by_test_id("sure").click()
    expect(other.get_by_test_id("rematch")).to_be_in_viewport()


@pytest.mark.nightly
def test_a_phone_tells_above_the_board_whose_turn_it_is_and_how_much_time_is_left(open_page) -> None:
    page = open_page(**ANDROID.context)
    choose_game(page, "wec")
    set_clock(page, "total", 5, 3)
    page.get_by_test_id("play-button").click()
    turn = page.get_by_test_id("at-turn")
    expect(turn).to_be_in_viewport(ratio=1)
    expect(turn).to_contain_text("Your move")
    expect(page.get_by_test_id("turn-clock-0")).to_contain_text("4:5")
    expect(page.get_by_test_id("seat-0")).not_to_be_in_viewport()
    page.set_viewport_size({"width": 1280, "height": 800})
    expect(turn).to_be_hidden()
    expect(page.get_by_test_id("seat-0")).to_be_in_viewport(ratio=1)


@pytest.mark.nightly
def test_a_phone_shows_every_seat_of_a_table_for_four(open_page) -> None:
    one, other = open_page(), open_page(**ANDROID.context)
    choose_game(one, "plateau")
    one.get_by_test_id("seat-count").select_option("4")
    other.goto(one.url.partition("/s/")[0] + new_table_for_two(one))
    for seat in range(4):
        expect(other.get_by_test_id(f"seat-{seat}")).to_be_in_viewport(ratio=1)


@pytest.mark.nightly
def test_on_a_phone_the_board_stays_where_it_is_while_moves_are_shown(open_page) -> None:
    page = open_page(**ANDROID.context, locale="de-DE")
    start(page, "plateau")
    skip, bar = page.get_by_test_id("playback-skip"), page.get_by_test_id("playback")
    expect(bar).to_be_visible()
    expect(skip).to_be_hidden()
    still = bar.bounding_box()
    from_menu(page, "hand-over")
    expect(skip).to_be_visible()
    moving = bar.bounding_box()
    assert still is not None
    assert moving is not None
    assert moving["height"] == still["height"]


@pytest.mark.nightly
def test_on_a_phone_an_unrolled_board_shows_the_players_own_base_at_once(open_page) -> None:
    page = open_page(**ANDROID.context)
    start(page, "plateau")
    expect(page.get_by_test_id("square-A1")).to_be_in_viewport(ratio=0.99)
    base, bar = (page.get_by_test_id(name).bounding_box() for name in ("square-A1", "board-hint"))
    assert base is not None
    assert bar is not None
    assert base["y"] + base["height"] < bar["y"]
