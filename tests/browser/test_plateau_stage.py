"""The board of Empire Plateau is large, its armies march, a finger finds its nodes, and nothing moves by itself."""

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from brettwerk.v1 import play_pb2
from brettwerk_client import Client, computer, me
from tests.browser.axe import findings
from tests.browser.looks import IPHONE, PHONES, SCREENS, at_night
from tests.browser.plateau import click, move, pick, play_to_the_end, seen, start, touch
from tests.browser.play import choose_game, look_again, press, until_answered
from tests.browser.stage import OUT_OF_SIGHT, check, follow

pytestmark = [pytest.mark.e2e, pytest.mark.browser]

MIN_SHARE = {(1440, 900): 0.45, (1440, 800): 0.45, (1920, 1080): 0.5}
GROUND_SHARE = """() => {
  const { width, height } = document.querySelector("[data-testid=board] :is(.ground, .disc)").getBoundingClientRect();
  return (width * height) / (innerWidth * innerHeight);
}"""
"""The board is taken to be the square around the disc itself, from rim to rim: no margin, and nothing beside it."""
KEEP_FILMS = """(() => {
  globalThis.films = [];
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (...given) {
    const film = animate.apply(this, given);
    film.pause();
    film.effect.updateTiming({ easing: "linear" });
    globalThis.films.push({ film, element: this });
    return film;
  };
})()"""
"""Holds all films, so that a test can look at each moment of them."""
AT = """(part) => {
  const { film, element } = globalThis.films.at(-1);
  film.currentTime = film.effect.getTiming().duration * part;
  const { left, top, width, height } = element.getBoundingClientRect();
  return [left + width / 2, top + height / 2];
}"""
IN_SIGHT = """(name) => {
  const { top, bottom, left, right } = document.querySelector(`[data-testid=square-${name}] .area`).getBoundingClientRect();
  const bar = document.querySelector("[data-testid=turn]").getBoundingClientRect().top;
  return top >= 0 && left >= 0 && right <= innerWidth && bottom <= Math.min(bar, innerHeight);
}"""
SEAMS = """() => {
  const { top, bottom } = document.querySelector("[data-testid=board] .seams").getBoundingClientRect();
  const bar = document.querySelector("[data-testid=turn]").getBoundingClientRect().top;
  return { top, bottom, bar };
}"""
AREAS = """() => [...document.querySelectorAll("[data-testid=board] [role=row] .area")].map((each) => {
  const { width, height } = each.getBoundingClientRect();
  return Math.min(width, height);
})"""


def middle_of(page: Page, node: str) -> tuple[float, float]:
    box = page.locator(f"[data-testid=square-{node}] .area").bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def sit_at(page: Page, address: str, seat: int, seats: int) -> None:
    """Open a table of computers at which the player has that seat, and wait for their turn."""
    with Client(address, name="Ada") as client:
        player = client.sign_in(play_pb2.CreatePlayerRequest(name="Ada"))
        sitting = client.create_session("plateau", [me() if each == seat else computer("easy") for each in range(seats)]).seat
        page.evaluate(
            """([player, session, seat, token]) => {
              localStorage.setItem("brettwerk.player", JSON.stringify(player));
              localStorage.setItem(`brettwerk.seats.${session}`, JSON.stringify({ at: 0, tokens: { [seat]: token } }));
            }""",
            [
                {"id": player.id, "token": player.token, "name": player.name},
                sitting.session_id,
                sitting.number,
                sitting.token,
            ],
        )
        page.goto(page.url.partition("/s/")[0].rstrip("/") + f"/s/{sitting.session_id}")
    page.get_by_test_id("tour-skip").click()
    page.get_by_test_id("playback-speed").select_option("8")
    expect(page.get_by_test_id("end-turn")).to_be_visible(timeout=60_000)


@pytest.mark.nightly
def test_the_disc_itself_fills_the_window(open_page):
    page = open_page(viewport={"width": 1440, "height": 900})
    start(page, "here", first="Babylon")
    for (width, height), share in MIN_SHARE.items():
        page.set_viewport_size(ViewportSize(width=width, height=height))
        page.wait_for_function(f"() => innerWidth === {width}")
        assert page.evaluate(GROUND_SHARE) >= share, f"{width}x{height}"


@pytest.mark.nightly
def test_an_army_marches_along_the_lines_of_the_board(open_page):
    page = open_page(**IPHONE.context)
    page.add_init_script(KEEP_FILMS)
    page.reload()
    start(page, "here", first="Babylon")
    move(page, "A2", "B3", 2)
    page.wait_for_function("() => globalThis.films.length > 0")
    (x, y), corners = page.evaluate(AT, 0.5), [middle_of(page, node) for node in ("A3", "B2")]
    assert page.evaluate(AT, 0) == pytest.approx(middle_of(page, "A2"), abs=2)
    assert any((x, y) == pytest.approx(corner, abs=2) for corner in corners), "it has not gone along the lines"
    assert page.evaluate(AT, 1) == pytest.approx(middle_of(page, "B3"), abs=2)


@pytest.mark.nightly
@pytest.mark.parametrize(("motion", "films"), [("no-preference", 1), ("reduce", 0)])
def test_only_those_who_want_to_see_things_move_see_armies_march(open_page, motion, films):
    page = open_page(reduced_motion=motion)
    page.add_init_script(KEEP_FILMS)
    page.reload()
    start(page, "here", first="Babylon")
    move(page, "G1", "G5", 4)
    expect(page.locator("div[data-army]")).to_be_attached()
    assert page.evaluate("() => globalThis.films.filter(({ element }) => element.dataset.army).length") == films
    if films == 0:
        # A change at once is a transition for a moment, too.
        lasting = "() => document.getAnimations().filter(({ effect }) => effect.getComputedTiming().activeDuration > 10).length"
        assert page.evaluate(lasting) == 0
        x, y = page.locator("div[data-army]").evaluate(
            "each => { const b = each.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; }"
        )
        assert page.evaluate("([x, y]) => document.elementFromPoint(x, y).closest('.node').dataset.testid", [x, y]) == (
            "square-G5"
        )


@pytest.mark.nightly
def test_the_targets_that_lead_somewhere_are_drawn_larger_than_the_others(open_page):
    page = open_page()
    start(page, "here", first="Babylon")
    pick(page, "G1")
    sizes = page.locator("[role=row] .dot.target").evaluate_all(
        "(dots) => dots.map((dot) => [dot.classList.contains('quiet'), dot.r.baseVal.value])"
    )
    quiet = [size for is_quiet, size in sizes if is_quiet]
    foremost = [size for is_quiet, size in sizes if not is_quiet]
    assert quiet
    assert 1 <= len(foremost) <= 8
    assert max(quiet) < min(foremost)


@pytest.mark.nightly
@pytest.mark.parametrize(("seat", "seats"), [(seat, seats) for seats in (2, 3, 4) for seat in range(seats)])
def test_on_a_phone_the_bar_never_covers_the_own_base_whatever_it_says(open_page, site, seat, seats):
    page = open_page(**IPHONE.context)
    sit_at(page, site.grpc_address, seat, seats)
    base = str(page.locator(f"[data-testid=board] [role=row] [data-base='{seat}']").get_attribute("data-testid"))
    base = base.removeprefix("square-")
    page.wait_for_function(f"() => ({IN_SIGHT})('{base}')")
    seams = page.evaluate(SEAMS)
    assert 0 <= seams["top"] < seams["bar"], "where the board goes on is out of sight"
    page.get_by_test_id("hint").dispatch_event("click")
    expect(page.get_by_test_id("board-advice")).not_to_be_empty()
    page.wait_for_function(f"() => ({IN_SIGHT})('{base}')")
    page.evaluate("() => document.querySelector('[data-testid=board]').scrollIntoView({ block: 'start' })")
    page.mouse.wheel(0, 400)
    page.wait_for_function(f"() => {{ const {{ bottom, bar }} = ({SEAMS})(); return bottom < bar; }}")


@pytest.mark.nightly
@pytest.mark.parametrize("locale", [at_night("en-GB"), "de-DE"])
def test_on_a_phone_the_bar_is_as_high_whatever_it_warns_of_and_threats_cover_no_army(open_page, locale):
    page = open_page(**IPHONE.context, locale=locale)
    start(page, "here", first="Babylon")
    page.get_by_test_id("tour-skip").click()
    bar, warnings = page.get_by_test_id("turn"), page.get_by_test_id("board-warnings")
    height = bar.evaluate("(bar) => bar.offsetHeight")
    expect(warnings).to_be_empty()
    move(page, "A2", "B3", 2)
    expect(warnings).to_contain_text("A9")
    assert bar.evaluate("(bar) => bar.offsetHeight") == height
    dotted, armies = page.locator("[data-testid=board] .threat .way"), page.locator("[data-testid=board] .armies")
    expect(dotted).to_have_count(1)
    below = "(armies, way) => way.compareDocumentPosition(armies) & Node.DOCUMENT_POSITION_FOLLOWING"
    assert armies.evaluate(below, dotted.element_handle())
    pick(page, "A1")
    expect(warnings).to_contain_text("4")
    assert bar.evaluate("(bar) => bar.offsetHeight") == height
    touch(page, "A5")
    expect(page.locator("[data-testid^=steps-]")).to_have_count(4)
    assert bar.evaluate("(bar) => bar.offsetHeight") == height
    assert not findings(page)


@pytest.mark.nightly
def test_on_a_phone_a_finger_finds_the_nodes_after_one_step_of_enlarging(open_page):
    page = open_page(**IPHONE.context)
    start(page, "here", first="Babylon")
    page.get_by_test_id("tour-skip").click()
    assert min(page.evaluate(AREAS)) < 43.9
    page.get_by_test_id("zoom-in").tap()
    page.wait_for_function(f"() => ({AREAS})().every((size) => size >= 43.9)")
    assert page.evaluate(f"() => ({IN_SIGHT})('A1')"), "what was in sight is to stay there"
    move(page, "A2", "B3", 2)
    page.get_by_test_id("zoom-all").tap()
    page.wait_for_function(f"() => Math.min(...({AREAS})()) < 43.9")


@pytest.mark.nightly
def test_two_fingers_enlarge_the_board(open_page):
    page = open_page(**IPHONE.context)
    start(page, "here", first="Babylon")
    page.get_by_test_id("tour-skip").click()
    before = min(page.evaluate(AREAS))
    fingers = page.context.new_cdp_session(page)

    def put(kind: str, apart: float) -> None:
        points = [{"x": 195 - apart, "y": 350, "id": 0}, {"x": 195 + apart, "y": 350, "id": 1}]
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points if apart else []})

    put("touchStart", 40)
    for apart in (50, 60, 70, 80):
        put("touchMove", apart)
    put("touchEnd", 0)
    page.wait_for_function(f"() => Math.min(...({AREAS})()) > {before * 1.8}")
    assert page.evaluate("() => visualViewport.scale") == 1, "the page itself stays as large as it is"


@pytest.mark.nightly
def test_all_that_four_players_with_clocks_need_is_in_sight(open_page):
    page = open_page(viewport={"width": 1440, "height": 800})
    choose_game(page, "plateau")
    page.get_by_test_id("company-here").click()
    page.get_by_test_id("more-settings").click()
    page.get_by_test_id("seat-count").select_option("4")
    page.get_by_test_id("clock").select_option("total")
    page.get_by_test_id("play-button").click()
    expect(page.get_by_test_id("board-hint")).not_to_be_empty()
    if page.get_by_test_id("tour-skip").is_visible():
        page.get_by_test_id("tour-skip").click()
    expect(page.get_by_role("timer")).to_have_count(4)
    assert page.evaluate(OUT_OF_SIGHT) == []
    candidate = page.locator("[data-testid=board] [role=row] [data-mark=candidate]").first
    pick(page, str(candidate.get_attribute("data-testid")).removeprefix("square-"))
    assert page.evaluate(OUT_OF_SIGHT) == []


@pytest.mark.nightly
@pytest.mark.timeout(900)
@pytest.mark.parametrize("screen", SCREENS)
def test_the_layout_is_stable_in_a_game_that_is_played_by_hand(open_page, screen):
    page = open_page(**SCREENS[screen].context)
    start(page, "computer", first="Babylon")
    press(page.get_by_test_id("tour-skip"))
    follow(page)
    play_to_the_end(page, 2, by_mouse=True)
    expect(page.get_by_test_id("result")).not_to_be_empty()
    assert page.evaluate("() => Array.isArray(globalThis.shifts)")
    check(page, share=0.0 if screen in PHONES else 0.45)


@pytest.mark.nightly
def test_a_film_ends_with_the_first_touch_of_a_player_who_is_to_act(open_page):
    page = open_page()
    start(page, "computer", first="Babylon")
    pause, done = page.get_by_test_id("playback-pause"), page.get_by_test_id("end-turn")
    while not pause.is_visible():
        now = seen(page)
        if done.is_visible() and done.is_enabled():
            done.click()
        elif now["moving"] or now["candidates"]:
            click(page, (now["targets"] or now["moving"] or now["candidates"])[0])
        look_again(page)
    # A paused film is shown until somebody ends it, however slow the machine is.
    pause.click()
    answered = "() => document.querySelector('[data-testid=square-E2]').dataset.mark === 'moving'"
    until_answered(page, lambda: click(page, "E2"), answered)
    expect(page.get_by_test_id("playback-skip")).to_be_hidden()
