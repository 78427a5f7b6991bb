"""People play Empire Plateau in a browser."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import findings
from tests.browser.keys import press, tab_to
from tests.browser.looks import LOOKS
from tests.browser.plateau import (
    end_turn,
    march,
    move,
    open_up,
    play_to_the_end,
    played,
    seen,
    send,
    start,
    touch,
    wait_for_move,
)
from tests.browser.play import drag_by_touch, from_menu, middle

pytestmark = [pytest.mark.e2e, pytest.mark.browser]

PATIENT = pytest.mark.timeout(900)


@pytest.mark.nightly
def test_a_game_for_two_is_played_to_its_end_by_mouse_with_the_count_called_aloud(open_page):
    page = open_page()
    start(page, "here", first="Babylon")
    expect(page.get_by_test_id("count")).to_have_attribute("data-owed", "6")
    expect(page.get_by_test_id("end-turn")).to_be_disabled()
    move(page, "A2", "B3", 2)
    expect(page.get_by_test_id("count")).to_have_attribute("data-small", "2")
    expect(page.get_by_test_id("board-warnings")).to_contain_text("A9 (Media-Persia)")
    expect(page.get_by_test_id("undo")).to_have_count(0)
    page.get_by_test_id("take-back").click()
    expect(page.get_by_test_id("count")).to_have_attribute("data-small", "0")
    move(page, "A2", "B3", 2)
    move(page, "G1", "G5", 4)
    expect(page.get_by_test_id("count-called")).to_have_text("6")
    end_turn(page)
    move(page, "A8", "B7", 2)
    touch(page, "A9")
    expect(page.get_by_test_id("board-warnings")).to_contain_text("4 steps or more")
    expect(page.get_by_test_id("square-A1")).to_have_attribute("data-mark", "capture")
    send(page, "A1", 8)
    expect(page.get_by_test_id("result")).to_be_visible()
    expect(page.get_by_test_id("action-list")).to_contain_text("conquers A1")


def test_a_game_for_two_is_played_to_its_end_by_keyboard_and_coordinates(open_page):
    page = open_page()
    start(page, "here", first="Babylon")

    def write(text: str) -> None:
        before = played(page)
        tab_to(page, "[data-testid=coordinates]")
        page.keyboard.type(text)
        page.keyboard.press("Enter")
        wait_for_move(page, before)

    write("A2 A3 B3")
    tab_to(page, "[data-testid=coordinates]")
    page.keyboard.type("G1")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("square-G1")).to_be_focused()
    before = played(page)
    page.keyboard.press("Enter")
    for _ in range(4):
        page.keyboard.press("ArrowUp")
    expect(page.get_by_test_id("square-K1")).to_be_focused()
    page.keyboard.press("Enter")
    wait_for_move(page, before)
    before = played(page)
    press(page, "[data-testid=end-turn]")
    wait_for_move(page, before)
    write("A8 A7 B7")
    tab_to(page, "[data-testid=coordinates]")
    page.keyboard.type("A9 A1/8")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("result")).to_be_visible()


@pytest.mark.nightly
def test_a_refused_move_is_explained_by_its_rule(open_page):
    page = open_page()
    start(page, "here", first="Babylon")
    touch(page, "A2")
    touch(page, "A5")
    expect(page.get_by_role("link", name=re.compile("EP-ARMY-2"))).to_be_visible()
    touch(page, "F1")
    expect(page.get_by_role("link", name=re.compile("EP-"))).to_be_visible()


@PATIENT
@pytest.mark.nightly
def test_a_game_for_four_with_computers_is_played_to_its_end(open_page):
    page = open_page()
    start(page, "computer", seats=4, first="Babylon", conquest_wins="on")
    for seat in range(4):
        expect(page.get_by_test_id(f"empire-{seat}")).to_be_visible()
    play_to_the_end(page, 4)
    expect(page.get_by_test_id("result")).not_to_be_empty()
    assert page.locator("[data-testid=board] .base.fallen").count() >= 1


@pytest.mark.nightly
@LOOKS
def test_the_board_and_its_help_are_accessible(open_page, locale, scheme):
    page = open_page(locale=locale, color_scheme=scheme)
    start(page, "here", seats=4)
    page.get_by_test_id("how-it-works").click()
    page.get_by_test_id("open-tools").click()
    page.get_by_test_id("show-four-1").click()
    assert not findings(page)
    touch(page, seen(page)["candidates"][-1])
    assert not findings(page)
    page.get_by_test_id("layout").select_option("unrolled")
    assert not findings(page)


@pytest.mark.nightly
def test_a_phone_shows_the_board_unrolled_and_nothing_sticks_out(open_page):
    page = open_page(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True, locale="de-DE")
    start(page, "here")
    expect(page.get_by_test_id("board")).to_have_class(re.compile("unrolled"))
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    before = played(page)
    candidate = next(name for name in seen(page)["candidates"] if name.startswith("G"))
    page.get_by_test_id(f"square-{candidate}").tap(force=True)
    target = seen(page)["targets"][-1]
    received = str(page.get_by_test_id(f"square-{target}").get_attribute("aria-label")).rpartition(": ")[2].split("/")
    page.get_by_test_id(f"square-{target}").tap(force=True)
    if len(received) > 1:
        page.get_by_test_id(f"steps-{received[0]}").tap()
    wait_for_move(page, before)
    expect(page.get_by_test_id("count")).to_have_attribute("data-small", received[0])


def drag_by_mouse(page: Page, source: str, target: str) -> None:
    (x0, y0), (x1, y1) = (middle(page, name) for name in (source, target))
    page.mouse.move(x0, y0)
    page.mouse.down()
    page.mouse.move(x1, y1, steps=8)
    expect(page.locator("[data-testid=board] .carried")).to_be_visible()
    page.mouse.up()


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("hand", "width"),
    [(drag_by_mouse, 1280), (drag_by_touch, 360), (drag_by_mouse, 360), (drag_by_touch, 1280)],
)
def test_an_army_is_dragged_along_its_way(open_page, hand, width):
    page = open_page(viewport={"width": width, "height": 1000}, has_touch=True)
    start(page, "here", first="Babylon")
    before = played(page)
    hand(page, "G1", "K1")
    wait_for_move(page, before)
    expect(page.get_by_test_id("count")).to_have_attribute("data-small", "4")
    hand(page, "F1", "A9")
    expect(page.get_by_role("link", name=re.compile("EP-ARMY-2|EP-TURN-4"))).to_be_visible()
    expect(page.get_by_test_id("count")).to_have_attribute("data-small", "4")


@pytest.mark.nightly
def test_a_flat_board_is_played_and_its_ends_are_not_joined(open_page):
    page = open_page()
    start(page, "here", first="Babylon", shape="Flat, for two or four")
    board = page.get_by_test_id("board")
    expect(board).to_have_class(re.compile("flat"))
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    page.get_by_test_id("square-A1").focus()
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_test_id("square-A1")).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_test_id("square-B1")).to_be_focused()
    while not (page.get_by_test_id("end-turn").is_visible() and page.get_by_test_id("end-turn").is_enabled()):
        before = played(page)
        touch(page, seen(page)["candidates"][-1])
        expect(page.locator("[data-testid=board] [data-mark=target]").first).to_be_visible()
        send(page, seen(page)["targets"][-1])
        wait_for_move(page, before)
    end_turn(page)
    expect(page.get_by_test_id("empire-1")).to_contain_text("to move")


@pytest.mark.nightly
def test_allies_are_named_and_need_both_enemy_bases(open_page):
    page = open_page()
    start(page, "here", seats=4, first="Babylon", alliance="on")
    expect(page.get_by_test_id("empire-0")).to_contain_text("with Greece")
    expect(page.get_by_test_id("empire-3")).to_contain_text("with Media-Persia")
    march(page, 1)
    open_up(page, 7)
    march(page, 13)
    march(page, 19)
    move(page, "A2", "B3", 2)
    move(page, "A1", "A7", 6)
    expect(page.get_by_test_id("empire-1")).to_contain_text("fallen")
    expect(page.get_by_test_id("result")).to_be_hidden()
    end_turn(page)
    expect(page.get_by_test_id("empire-2")).to_contain_text("to move")


@pytest.mark.nightly
def test_a_conqueror_takes_over_and_moves_the_armies_of_the_fallen_empire(open_page):
    page = open_page()
    start(page, "here", seats=3, first="Babylon")
    march(page, 1)
    open_up(page, 9)
    march(page, 17)
    move(page, "A2", "B3", 2)
    move(page, "A1", "A9", 8)
    expect(page.get_by_test_id("empire-1")).to_contain_text("fallen")
    expect(page.get_by_test_id("empire-0")).to_contain_text("24×2")
    expect(page.locator("[data-testid=board] .base.fallen")).to_have_count(1)
    end_turn(page)
    move(page, "H17", "H19", 2)
    move(page, "F16", "H16", 2)
    move(page, "F18", "H18", 2)
    end_turn(page)
    move(page, "F9", "J9", 4)
    expect(page.get_by_test_id("count")).to_have_attribute("data-small", "4")


@pytest.mark.nightly
def test_a_hint_is_drawn_and_spoken(open_page):
    page = open_page()
    start(page, "here", first="Babylon")
    from_menu(page, "propose-help")
    page.get_by_test_id("hint").click()
    spoken = page.get_by_test_id("board-advice")
    expect(spoken).to_contain_text(re.compile(r"Hint: .* from [A-K]\d+ to [A-K]\d+, steps: \d+\. Chance of winning: \d+ %"))
    expect(page.locator("[data-testid=board] .advised .way").first).to_be_visible()
    source, target, steps = re.findall(r"from (\w+) to (\w+), steps: (\d+)", spoken.inner_text())[0]
    move(page, source, target, int(steps))
    expect(spoken).to_be_empty()


@pytest.mark.nightly
def test_a_finished_game_is_reviewed_with_chances_and_better_moves(open_page):
    page = open_page()
    start(page, "here", first="Babylon")
    move(page, "A2", "B3", 2)
    move(page, "G1", "G5", 4)
    end_turn(page)
    move(page, "A8", "B7", 2)
    move(page, "A9", "A1", 8)
    expect(page.get_by_test_id("result")).to_be_visible()
    page.get_by_test_id("review-run").click()
    expect(page.get_by_test_id("chance-graph")).to_be_visible(timeout=90_000)
    page.get_by_test_id("action-list").get_by_role("button").first.click()
    expect(page.locator("[data-testid=board] .advised .way").first).to_be_visible(timeout=90_000)
    expect(page.get_by_test_id("board-advice")).to_contain_text("Hint:")


@pytest.mark.nightly
@PATIENT
def test_computers_are_watched_in_the_pace_that_the_watcher_likes(open_page):
    page = open_page(reduced_motion="reduce")
    page.get_by_test_id("game-plateau").check(force=True)
    page.get_by_test_id("more-settings").click()
    for seat in range(2):
        page.get_by_test_id(f"wish-{seat}").select_option("computer")
        page.get_by_test_id(f"level-{seat}").select_option("easy")
    page.get_by_test_id("play-button").click()
    expect(page.locator("[data-testid=board] .made .way").first).to_be_visible()
    page.get_by_test_id("playback-pause").click()
    expect(page.get_by_test_id("playback-behind")).to_contain_text(re.compile("paused", re.IGNORECASE))
    still = played(page)
    # The computers may have ended the game by now, so not more and more has to come: the one step below is counted.
    expect(page.get_by_test_id("playback-behind")).to_contain_text("to come")
    assert played(page) == still, "nothing moves while the playback is paused"
    page.get_by_test_id("playback-go").click()
    page.wait_for_function(
        "before => +document.querySelector('[data-testid=action-list]').dataset.plies === before + 1", arg=int(still)
    )
    page.get_by_test_id("playback-resume").click()
    page.get_by_test_id("playback-speed").select_option("8")
    expect(page.get_by_test_id("result")).to_be_visible(timeout=600_000)


def test_a_phone_shows_the_own_base_at_once_and_the_edges_where_the_board_goes_on(open_page):
    page = open_page(viewport={"width": 390, "height": 844})
    start(page, "here", first="Babylon")
    base = page.get_by_test_id("square-A1").bounding_box()
    bar = page.get_by_test_id("turn").bounding_box()
    assert base is not None
    assert bar is not None
    assert base["y"] > 0
    assert base["y"] + base["height"] <= bar["y"]
    assert page.evaluate("() => scrollY") == 0
    expect(page.locator("[data-testid=board] .seams")).to_have_attribute("d", re.compile("M.*M"))


@pytest.mark.nightly
def test_the_count_promises_no_step_to_an_emblem_that_is_walled_in(open_page):
    """The first turn: six steps of a six, and nothing can move any more."""
    page = open_page()
    start(page, "here", first="Babylon")
    count = page.get_by_test_id("count")
    expect(page.get_by_test_id("board")).to_have_attribute("data-set", "cabinet")
    expect(count).to_contain_text("Make at least 6 steps. Still free: 6 for small armies.")
    move(page, "G1", "H6", 6)
    expect(page.get_by_test_id("board-hint")).to_contain_text("Nothing can move any more")
    expect(count).to_contain_text("That is enough steps.")
    expect(count).not_to_contain_text("emblem")
    page.get_by_test_id("take-back").click()
    expect(count).to_contain_text("Make at least 6 steps.")
    move(page, "A2", "B3", 2)
    expect(count).to_contain_text("4 more steps needed. Still free: 4 for small armies, 10 for the emblem.")


@pytest.mark.nightly
def test_targets_that_lead_somewhere_are_drawn_before_the_others(open_page):
    page = open_page()
    start(page, "here", first="Babylon")
    touch(page, "G1")
    targets = page.locator("[data-testid=board] [role=row] [data-mark=target]")
    expect(targets.first).to_be_attached()
    quiet = page.locator("[data-testid=board] [role=row] [data-mark=target][data-quiet=true]")
    assert 1 <= targets.count() - quiet.count() <= 8
    name = str(quiet.first.get_attribute("data-testid")).removeprefix("square-")
    before = played(page)
    page.get_by_test_id(f"square-{name}").click(force=True)
    if page.locator("[data-testid^=steps-]").count():
        page.locator("[data-testid^=steps-]").first.click()
    wait_for_move(page, before)
