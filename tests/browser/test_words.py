"""The client speaks the player's language and nothing is lost on the way: German, refusals, addresses, and the outbox."""

import re

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.browser.looks import at_night
from tests.browser.play import look_again, play_by_mouse, play_to_the_end, touchable

pytestmark = [pytest.mark.e2e, pytest.mark.browser]

GERMAN_RESULT = re.compile("Du hast (gewonnen|verloren)")


def start(page: Page) -> None:
    page.get_by_test_id("play-button").click()
    expect(page.get_by_test_id("board")).to_be_visible()


@pytest.mark.nightly
def test_a_whole_game_is_played_in_german(open_page):
    page = open_page(locale="de-DE")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    start(page)
    play_to_the_end(page)
    expect(page.get_by_test_id("result")).to_contain_text(GERMAN_RESULT)
    expect(page.get_by_test_id("spoken")).to_contain_text(re.compile("(Weiß|Schwarz): [1-6]: [A-E][1-5] (nach|schlägt auf)"))


@pytest.mark.parametrize(("locale", "word"), [at_night("de-DE", "Regel"), ("en-GB", "Rule")])
def test_a_refusal_says_why_in_the_players_language_and_leads_to_the_rule(open_page, locale, word):
    page = open_page(locale=locale)
    start(page)
    page.locator("details.settings summary").click()
    page.get_by_test_id("plain-board").check()
    page.get_by_test_id("notation-input").fill("1:1A9-Z3")
    page.keyboard.press("Enter")
    refusal = page.get_by_test_id("refusal")
    expect(refusal).to_contain_text(word)
    link = refusal.get_by_role("link")
    expect(link).to_have_attribute("href", re.compile(r"^/rules/einstein#EWN-"))
    link.click()
    expect(page.locator(".rules .sought")).to_be_in_viewport()


@pytest.mark.nightly
def test_the_back_button_and_deep_links_lead_where_they_say(open_page):
    page = open_page()
    start(page)
    table = page.url
    page.get_by_test_id("more").click()
    page.get_by_role("link", name="Rules").first.click()
    expect(page.locator("article h1")).to_be_visible()
    page.go_back()
    expect(page.get_by_test_id("board")).to_be_visible()
    assert page.url == table
    page.go_back()
    expect(page.get_by_test_id("play-button")).to_be_visible()
    page.go_forward()
    expect(page.get_by_test_id("board")).to_be_visible()
    page.goto(table.partition("/s/")[0] + "/rules/einstein#EWN-END-1")
    expect(page.locator("[id=EWN-END-1]")).to_be_in_viewport()
    page.goto(table)
    expect(page.get_by_test_id("seat-0")).to_contain_text("you")


def test_a_move_that_never_left_is_sent_by_the_page_after_a_reload(open_page):
    page = open_page()
    mute: list[bool] = []

    def pass_on(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        socket.on_message(lambda message: None if mute else server.send(message))

    page.route_web_socket("**/v1/connect", pass_on)
    page.reload()
    start(page)
    page.get_by_test_id("square-E5").wait_for(state="attached")
    while not touchable(page):
        look_again(page)
    mute.append(True)
    kept = "sessionStorage.getItem('brettwerk.outbox')"
    while page.evaluate(kept) is None:
        play_by_mouse(page)
    expect(page.get_by_test_id("action-list").locator("[aria-current]")).to_have_count(0)
    mute.clear()
    page.reload()
    expect(page.get_by_test_id("action-list").get_by_role("button").first).to_contain_text("1.")
    page.wait_for_function(f"() => {kept} === null")
