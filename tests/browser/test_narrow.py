"""On the narrowest phones and with large letters no page scrolls sideways, and nothing of the header lies on something else."""

from collections.abc import Callable, Iterator
from itertools import product

import pytest
from playwright.sync_api import Browser, Page, expect

from brettwerk_client import Client
from deploy.local import chromium as chromium_here
from deploy.local.deployment import Deployment
from tests.browser import clubs
from tests.browser.play import choose_game
from tests.night import by_day

pytestmark = [pytest.mark.e2e, pytest.mark.browser]

GAMES = ("einstein", "emperado", "plateau", "wec")
PAGES = ("/", "/account", "/player", "/results", "/achievements", "/tournaments", "/clubs", "/operator", "/nowhere")
OF_GAMES = ("learn", "rules", "statistics", "edit", "puzzle", "leaders", "arena")
LESSONS = ("/learn/einstein/die", "/learn/emperado/place", "/learn/plateau/march", "/learn/wec/move")
NARROW = ((320, 16), (320, 32), (390, 24), (390, 32))
"""How wide a window is in pixels, and how large the letters are that the browser is set to; 16 are usual."""
LOOKS = {
    f"{width} pixels, letters of {letters}, {locale}": (width, letters, locale)
    for (width, letters), locale in product(NARROW, ("en-GB", "de-DE"))
}
Narrow = Callable[[str], Page]

LOADED = """() => {
  const main = document.querySelector("main");
  return main?.children.length > 0 && main.querySelector(":scope > .muted:only-child") === null;
}"""
TOO_WIDE = """() => {
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth && innerWidth <= screen.width) return [];
  const wide = [...document.querySelectorAll("body *")].filter((each) => each.getBoundingClientRect().right > screen.width + 0.5);
  return [scrollWidth, ...wide.slice(0, 5).map((each) => `${each.tagName} ${each.textContent.trim().slice(0, 30)}`)];
}"""
HEAPED = """() => {
  const shown = [...document.querySelectorAll("#app > header :is(a, button, select), [data-testid^=go-]")].filter((each) =>
    each.checkVisibility(),
  );
  const named = shown.map((each) => [each.dataset.testid ?? each.textContent.trim(), each.getBoundingClientRect(), each]);
  const meet = ([, one], [, other]) =>
    Math.min(one.right, other.right) - Math.max(one.left, other.left) > 1 &&
    Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top) > 1;
  const heaped = named.flatMap((one, at) => named.slice(at + 1).flatMap((other) => (meet(one, other) ? [one[0], other[0]] : [])));
  const cut = named.filter(([, , each]) => each.tagName !== "SELECT" && each.scrollWidth > each.clientWidth + 1);
  return [...heaped, ...cut.map(([name]) => name)];
}"""
"""Parts of the header, and ways between pages, that lie on something else or are wider than their own place."""
BROKEN = """() => {
  const texts = [...document.querySelectorAll("label:has([data-testid^=game-]), [data-testid^=company-]")].flatMap((each) => {
    const found = [...each.querySelectorAll("*"), each].flatMap(({ childNodes }) => [...childNodes]);
    return found.filter(({ nodeType }) => nodeType === Node.TEXT_NODE);
  });
  return texts.flatMap((text) => [...text.data.matchAll(/\\S+/g)].filter(({ 0: word, index }) => {
    const range = new Range();
    range.setStart(text, index);
    range.setEnd(text, index + word.length);
    return new Set([...range.getClientRects()].map(({ top }) => top)).size > 1;
  }).map(([word]) => word));
}"""
"""Words of what is chosen first, a game and who plays along, that begin in one line and end in another."""


@pytest.fixture
def narrow(chromium: Browser, site: Deployment, request: pytest.FixtureRequest) -> Iterator[Narrow]:
    """Opens addresses in a narrow window, with the letters and in the language that a test asks for."""
    width, letters, locale = LOOKS[request.param]
    setting = f"--blink-settings=defaultFontSize={letters}"
    browser = chromium.browser_type.launch(executable_path=chromium_here.find(), args=[*chromium_here.ARGUMENTS, setting])
    phone = {"viewport": {"width": width, "height": 844}, "has_touch": True, "is_mobile": True}
    page = browser.new_context(locale=locale, service_workers="block", **phone).new_page()  # type: ignore[arg-type]
    page.set_default_timeout(20_000)

    def open_one(path: str) -> Page:
        page.goto(f"http://{site.web_address}{path}")
        page.wait_for_function(LOADED)
        assert page.evaluate("getComputedStyle(document.documentElement).fontSize") == f"{letters}px"
        return page

    yield open_one
    browser.close()


def check(page: Page) -> None:
    where = page.url.partition("/s/")[0]
    assert page.evaluate(TOO_WIDE) == [], where
    assert page.evaluate(HEAPED) == [], where


@pytest.mark.parametrize("narrow", by_day(LOOKS, "390 pixels, letters of 32, de-DE"), indirect=True)
def test_games_and_company_are_chosen_by_whole_words(narrow):
    page = narrow("/")
    expect(page.get_by_test_id("company-computer")).to_be_visible()
    assert page.evaluate(BROKEN) == []


@pytest.mark.nightly
@pytest.mark.timeout(240)
@pytest.mark.parametrize("narrow", by_day(LOOKS, "390 pixels, letters of 32, de-DE"), indirect=True)
def test_no_page_scrolls_sideways(narrow):
    for path in (*PAGES, *(f"/{page}/{game}" for page in OF_GAMES for game in GAMES)):
        check(narrow(path))


@pytest.mark.parametrize("game", by_day(GAMES, "emperado"))
@pytest.mark.parametrize("narrow", by_day(LOOKS, "320 pixels, letters of 16, de-DE"), indirect=True)
def test_no_board_scrolls_sideways(narrow, game):
    page = narrow("/")
    choose_game(page, game)
    page.get_by_test_id("play-button").tap()
    expect(page.get_by_test_id("board").first).to_be_visible()
    check(page)
    page.get_by_test_id("tour-skip").tap()
    expect(page.get_by_test_id("action-list")).to_be_visible()
    check(page)


@pytest.mark.nightly
@pytest.mark.parametrize("narrow", LOOKS, indirect=True)
def test_no_club_scrolls_sideways(narrow, site):
    page = narrow("/")
    with Client(site.grpc_address, name="Ada") as ada:
        clubs.sign_in(page, ada, "Ada")
        page = narrow(f"/club/{clubs.found_whole(ada, site.grpc_address)}")
        expect(page.get_by_test_id("club-tables").get_by_test_id("table-link")).to_be_visible()
        page.get_by_test_id("club-roles").tap()
        check(page)


@pytest.mark.nightly
@pytest.mark.timeout(240)
@pytest.mark.parametrize("narrow", LOOKS, indirect=True)
def test_no_lesson_scrolls_sideways(narrow):
    for path in LESSONS:
        page = narrow(path)
        expect(page.get_by_test_id("board").first).to_be_visible()
        check(page)
