"""People at one table: who is there, what they ask each other, and seats that change hands."""

import re

import pytest
from playwright.sync_api import Page, expect

from brettwerk.v1 import accounts_pb2
from tests.browser.axe import findings
from tests.browser.looks import IPHONE, at_night
from tests.browser.play import choose_game, from_menu, new_table_for_two, play_by_mouse, sit_down_together, touchable
from tests.e2e.stranger import Stranger

pytestmark = [pytest.mark.e2e, pytest.mark.browser]


def moves_of(page: Page) -> int:
    return page.get_by_test_id("action-list").get_by_role("button").count()


@pytest.mark.nightly
def test_all_see_the_players_who_are_there_and_those_who_have_gone(open_page):
    ada, ben, cleo = open_page(), open_page(), open_page(locale="de-DE", color_scheme="dark")
    sit_down_together(ada, ben)
    cleo.goto(ada.url)
    for page in (ada, cleo):
        expect(page.get_by_test_id("presence-1")).to_have_text("online")
    expect(cleo.get_by_test_id("presence-0")).to_have_text("online")
    expect(ada.get_by_test_id("presence-0")).to_have_count(0)
    assert not findings(cleo)
    table = ben.url
    ben.goto("about:blank")
    for page in (ada, cleo):
        expect(page.get_by_test_id("presence-1")).to_have_text("offline")
    ben.goto(table)
    for page in (ada, cleo):
        expect(page.get_by_test_id("presence-1")).to_have_text("online")
    ada.context.set_offline(True)
    expect(ada.get_by_test_id("presence-1")).to_have_count(0)


@pytest.mark.nightly
@pytest.mark.parametrize(("locale", "said"), [("en-GB", "Not the player Cordelia"), at_night("de-DE", "Das ist nicht Cordelia")])
def test_a_guest_who_looks_like_an_account_has_a_sign(open_page, site, locale, said):
    owner, guest = Stranger(site.grpc_address, "Cordelia"), Stranger(site.grpc_address, "\u0421\u043erdelia")  # in Cyrillic
    owner.stub.StartLink(accounts_pb2.StartLinkRequest(), metadata=owner.metadata, timeout=20)
    page = open_page(locale=locale)
    choose_game(page, "einstein")
    session_id = new_table_for_two(page).rpartition("/")[2].partition("?")[0]
    expect(page.get_by_test_id("lookalike")).to_have_count(0)
    guest.join(session_id)
    sign = page.get_by_test_id("seat-1").get_by_test_id("lookalike")
    expect(sign).to_have_accessible_name(re.compile(said))
    assert not findings(page)
    for one in (owner, guest):
        one.close()


@pytest.mark.nightly
def test_a_draw_is_offered_declined_offered_again_and_agreed(open_page):
    ada, ben = open_page(), open_page(locale="de-DE")
    choose_game(ada, "plateau")
    sit_down_together(ada, ben)
    from_menu(ada, "propose-draw")
    expect(ada.get_by_test_id("proposal")).to_contain_text("a draw")
    expect(ada.get_by_test_id("propose-draw")).to_be_hidden()
    expect(ben.get_by_test_id("proposal")).to_contain_text("Remis")
    assert not findings(ben)
    ben.get_by_test_id("decline").click()
    for page in (ada, ben):
        expect(page.get_by_test_id("proposal")).to_have_count(0)
    from_menu(ben, "propose-draw")
    ada.get_by_test_id("accept").click()
    for page in (ada, ben):
        expect(page.get_by_test_id("result")).to_have_attribute("data-winners", "")
    expect(ben.get_by_test_id("result")).to_contain_text("Remis")


@pytest.mark.nightly
def test_other_options_are_proposed_and_the_other_one_reads_what_would_change(open_page):
    ada, ben = open_page(), open_page(locale="de-DE")
    sit_down_together(ada, ben)
    ada.get_by_text("Table options").click()
    ada.get_by_test_id("option-show_roll").get_by_role("checkbox").check()
    ada.get_by_test_id("propose-options").click()
    expect(ben.get_by_test_id("proposal")).to_contain_text("Würfel anzeigen: an")
    ben.get_by_test_id("accept").click()
    for page in (ada, ben):
        expect(page.get_by_test_id("proposal")).to_have_count(0)
    ben.get_by_text("Optionen des Tisches").click()
    expect(ben.get_by_test_id("option-show_roll").get_by_role("checkbox")).to_be_checked()


def play_a_move_each(ada: Page, ben: Page) -> None:
    while moves_of(ada) < 2:
        play_by_mouse(ada)
        play_by_mouse(ben)


@pytest.mark.nightly
def test_a_move_is_taken_back_when_the_other_one_agrees(open_page):
    ada, ben = open_page(), open_page()
    sit_down_together(ada, ben)
    play_a_move_each(ada, ben)
    played = moves_of(ada)
    expect(ada.get_by_test_id("undo")).to_have_count(0)
    from_menu(ada, "propose-undo")
    ben.get_by_test_id("accept").click()
    for page in (ada, ben):
        expect(page.get_by_test_id("action-list").get_by_role("button")).to_have_count(played - 1)


@pytest.mark.nightly
def test_a_seat_is_given_to_the_computer_and_taken_back(open_page):
    ada, ben = open_page(), open_page()
    sit_down_together(ada, ben)
    from_menu(ada, "hand-over")
    for page in (ada, ben):
        expect(page.get_by_test_id("seat-0")).to_contain_text("Computer")
    expect(ben.get_by_test_id("take-back-0")).to_have_count(0)
    while moves_of(ben) < 2:
        play_by_mouse(ben)
    assert not touchable(ada)
    ada.get_by_test_id("take-back-0").click()
    expect(ben.get_by_test_id("seat-0")).not_to_contain_text("Computer")
    expect(ada.get_by_test_id("seat-0")).to_contain_text("you")
    played = moves_of(ada)
    while moves_of(ada) < played + 2:
        play_by_mouse(ada)
        play_by_mouse(ben)


@pytest.mark.nightly
def test_another_name_makes_no_other_player(open_page):
    ada = open_page()
    ada.get_by_test_id("name-input").fill("Ada")
    new_table_for_two(ada)
    ada.goto(ada.url.partition("/s/")[0])
    player = "JSON.parse(localStorage.getItem('brettwerk.player'))"
    before = ada.evaluate(player)
    ada.get_by_test_id("name-input").fill("  Ada   Lovelace ")
    new_table_for_two(ada)
    expect(ada.get_by_test_id("seat-0")).to_contain_text("Ada Lovelace")
    after = ada.evaluate(player)
    assert (before["name"], after["name"]) == ("Ada", "Ada Lovelace")
    assert before["id"] == after["id"]
    ada.goto(ada.url.partition("/s/")[0])
    mine = ada.locator("section", has=ada.get_by_role("heading", name="My tables"))
    expect(mine.get_by_role("listitem")).to_have_count(2)


@pytest.mark.nightly
def test_a_name_that_is_too_long_is_cut_and_shown_as_others_see_it(open_page):
    page = open_page()
    page.get_by_test_id("name-input").fill("é" * 40)
    page.get_by_test_id("play-button").click()
    expect(page.get_by_test_id("seat-0")).to_contain_text(re.compile("(?<!é)é{20} · you"))
    expect(page.get_by_test_id("refusal")).to_have_count(0)


@pytest.mark.nightly
def test_hints_are_agreed_on_and_the_other_one_sees_who_had_one(open_page):
    ada, ben = open_page(), open_page(locale="de-DE")
    sit_down_together(ada, ben)
    for page in (ada, ben):
        expect(page.get_by_test_id("hint")).to_have_count(0)
        expect(page.get_by_test_id("chances")).to_have_count(0)
    from_menu(ada, "propose-help")
    expect(ada.get_by_test_id("proposal")).to_contain_text("ask for hints")
    expect(ben.get_by_test_id("proposal")).to_contain_text("Tipps")
    assert not findings(ben)
    ben.get_by_test_id("accept").click()
    for page in (ada, ben):
        expect(page.get_by_test_id("hint")).to_be_visible()
    acting = ada if ada.get_by_test_id("hint").is_enabled() else ben
    acting.get_by_test_id("hint").click()
    seat = 0 if acting is ada else 1
    expect(ada.get_by_test_id(f"hints-{seat}")).to_contain_text("hints: 1")
    expect(ben.get_by_test_id(f"hints-{seat}")).to_contain_text("Tipps: 1")
    from_menu(ben, "propose-help")
    for page in (ada, ben):
        expect(page.get_by_test_id("hint")).to_have_count(0)


@pytest.mark.nightly
def test_people_who_share_a_device_switch_hints_on_for_all_of_them(open_page):
    page = open_page()
    page.get_by_test_id("company-here").click()
    page.get_by_test_id("play-button").click()
    expect(page.get_by_test_id("resign")).to_be_visible()
    for name in ("hint", "chances", "help-on"):
        expect(page.get_by_test_id(name)).to_have_count(0)
    from_menu(page, "propose-help")
    for name in ("hint", "chances", "help-on"):
        expect(page.get_by_test_id(name)).to_be_visible()
    from_menu(page, "propose-help")
    expect(page.get_by_test_id("hint")).to_have_count(0)
    expect(page.get_by_test_id("help-on")).to_have_count(0)


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("locale", "scheme", "why"),
    [("en-GB", "light", "still be playing without help"), ("de-DE", "dark", "noch ohne Hilfe")],
)
def test_a_finger_and_a_key_find_out_why_a_game_has_no_help(open_page, tmp_path, locale, scheme, why):
    page = open_page(**IPHONE.context, locale=locale, color_scheme=scheme)
    sit_down_together(page, open_page())
    with page.expect_download() as download:
        from_menu(page, "export")
    file = tmp_path / "game.json"
    download.value.save_as(file)
    page.goto(page.url.partition("/s/")[0])
    page.get_by_test_id("open-file").set_input_files(file)
    badge, reason = page.get_by_test_id("help-off"), page.get_by_test_id("help-off-why")
    expect(badge).to_have_accessible_description(re.compile(why))
    height = page.locator(".head").evaluate("(head) => head.offsetHeight")
    box = badge.bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= 44
    badge.tap()
    expect(reason).to_contain_text(why)
    expect(reason).to_be_in_viewport(ratio=1)
    assert not findings(page)
    page.touchscreen.tap(195, 700)
    expect(reason).to_be_hidden()
    badge.focus()
    page.keyboard.press("Enter")
    expect(reason).to_be_visible()
    page.keyboard.press("Escape")
    expect(reason).to_be_hidden()
    badge.evaluate("(button) => button.replaceWith(button.querySelector('.badge'))")
    assert page.locator(".head").evaluate("(head) => head.offsetHeight") == height, "it made the head higher"


@pytest.mark.nightly
def test_a_running_game_of_people_is_not_played_on_elsewhere(open_page):
    ada, ben = open_page(), open_page()
    sit_down_together(ada, ben)
    play_a_move_each(ada, ben)
    ada.get_by_test_id("action-list").get_by_role("button").first.click()
    expect(ada.get_by_test_id("live")).to_be_visible()
    expect(ada.get_by_test_id("fork")).to_have_count(0)
    ada.get_by_test_id("live").click()
    from_menu(ada, "propose-help")
    ben.get_by_test_id("accept").click()
    expect(ada.get_by_test_id("help-on")).to_be_visible()
    ada.get_by_test_id("action-list").get_by_role("button").first.click()
    expect(ada.get_by_test_id("fork")).to_be_visible()
