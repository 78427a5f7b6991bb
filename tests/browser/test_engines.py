"""Everyday use works in the browsers that people have: Firefox and WebKit as well as Chromium, on desktops and phones."""

import contextlib
import json
from collections.abc import Callable, Iterator
from itertools import product

import pytest
from playwright.sync_api import Browser

from deploy.local.deployment import Deployment
from tests.browser import engines
from tests.browser.conftest import is_fault
from tests.browser.engines import MISSING, ChromiumTab, Firefox, Tab, WebKitTab
from tests.browser.looks import DESKTOP, IPHONE, SCREENS, Screen
from tests.browser.play import TOUCHABLE
from tests.browser.players import GAMES, OVER, PLAY, PLIES, begin, is_over, named, of_board, play_to_the_end
from tests.clients.cable import Cable
from tests.night import by_day
from tests.surroundings import lacking

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.browser,
    pytest.mark.filterwarnings("ignore:setting remote_server_addr:DeprecationWarning"),  # Selenium's drivers do that themselves
]

ENGINES = ("firefox", "webkit", "chromium")
TESTED_BY_DAY = ("webkit",)
"""All other tests are of Chromium. By day this one plays EinStein to its end, and Firefox a turn of each other game."""
PAGES = (
    "",
    "account",
    "results",
    "achievements",
    "tournaments",
    "clubs",
    "leaders",
    "arena",
    *(f"{page}/{game}" for page in ("rules", "learn", "puzzle", "statistics") for game in GAMES),
    "nowhere",
)
IS_LOADED = """async () => {
  const fetched = () => performance.getEntriesByType("resource").length;
  const before = fetched();
  await new Promise((done) => setTimeout(done, 300));
  return fetched() === before && document.readyState === "complete";
}"""
"""Whether nothing more has been fetched for a while: a browser calls it an error when a page is left before that."""
NOTE_BANNER = f"""() => {{
  const look = () => (globalThis.told ||= document.querySelector(`{named("connection-banner")}`) !== null);
  new MutationObserver(look).observe(document.body, {{ childList: true, subtree: true }});
}}"""
"""Notes in `told` whether the page has said anything of its connection, from now on."""
SIDEWAYS = "() => document.documentElement.scrollWidth > innerWidth"

OpenTab = Callable[..., Tab]


def _lacks(engine: str) -> None:
    """Skip where somebody works without an engine; CI has them all."""
    lacking(f"{MISSING[engine]} is not installed", ".ci/install")


@pytest.fixture(scope="session")
def display() -> Iterator[str]:
    with engines.virtual_display() as name:
        yield name


@pytest.fixture(scope="session")
def firefoxes() -> Iterator[Callable[..., Firefox]]:
    """Running Firefoxes: with a touch screen, service workers and storage, or without."""
    running: dict[tuple[bool, ...], Firefox] = {}

    def get(**has: bool) -> Firefox:
        program = engines.firefox_program()
        if program is None:
            _lacks("firefox")
        wanted = tuple(has.values())
        if wanted not in running:
            running[wanted] = Firefox(str(program), **has)
        return running[wanted]

    yield get
    for each in running.values():
        each.close()


@pytest.fixture
def open_tab(request: pytest.FixtureRequest, site: Deployment) -> Iterator[OpenTab]:
    """Opens pages of people who know nothing of each other in an engine; fails when a console says that one is wrong."""
    tabs: list[Tab] = []
    has_worker = request.node.get_closest_marker("service_worker") is not None
    with contextlib.ExitStack() as undo:

        def open_one(engine: str, screen: Screen = DESKTOP, *, has_storage: bool = True) -> Tab:
            tab: Tab
            if engine == "firefox":
                firefoxes = request.getfixturevalue("firefoxes")
                tab = firefoxes(has_touch=screen.has_touch, has_worker=has_worker, has_storage=has_storage).open(screen)
            elif engine == "webkit":
                if not engines.has_webkit():
                    _lacks("webkit")
                tab = WebKitTab(request.getfixturevalue("display"), screen, has_storage=has_storage)
            else:
                tab = _in_chromium(request.getfixturevalue("chromium"), screen, has_worker=has_worker)
            undo.callback(tab.close)
            tabs.append(tab)
            return tab

        yield open_one
    faults = [fault for tab in tabs for fault in tab.faults]
    assert not faults, faults


def _in_chromium(chromium: Browser, screen: Screen, *, has_worker: bool) -> Tab:
    context = chromium.new_context(**screen.context, service_workers="allow" if has_worker else "block")
    faults: list[str] = []
    page = context.new_page()
    page.on("pageerror", lambda error: faults.append(f"{error}"))
    page.on("console", lambda line: faults.append(line.text) if is_fault(line) else None)
    return ChromiumTab(page, faults, has_touch=screen.has_touch)


@pytest.fixture
def address(site: Deployment) -> str:
    return f"http://{site.web_address}/"


by_engine = pytest.mark.parametrize("engine", by_day(ENGINES, *TESTED_BY_DAY))


@pytest.mark.nightly
@pytest.mark.parametrize(("engine", "game"), list(product(ENGINES, GAMES)))
def test_a_turn_of_each_game_is_played_from_the_first_page_on(open_tab, address, engine, game):
    tab = open_tab(engine)
    begin(tab, address, game)
    PLAY[game](tab)
    assert int(tab.run(PLIES)) > 0
    assert not tab.run(SIDEWAYS)


@pytest.mark.parametrize(("engine", "game"), by_day(product(ENGINES, GAMES), ("firefox", "emperado"), ("firefox", "wec")))
def test_a_turn_of_each_game_is_played_by_finger_on_a_phone(open_tab, address, engine, game):
    tab = open_tab(engine, IPHONE)
    begin(tab, address, game)
    PLAY[game](tab)
    assert int(tab.run(PLIES)) > 0
    assert not tab.run(SIDEWAYS)


@by_engine
def test_somebody_plays_to_the_end_reloads_in_between_and_goes_on_when_the_gateway_is_back(open_tab, site, address, engine):
    tab = open_tab(engine)
    begin(tab, address, "einstein")
    PLAY["einstein"](tab)
    tab.reload()
    tab.wait(f"() => document.querySelector('{named('resign')}')?.checkVisibility()")
    PLAY["einstein"](tab)
    site.kill("gateway")
    site.wait("gateway")
    tab.wait(f"() => !document.querySelector('{named('connection-banner')}')", seconds=30)
    tab.faults.clear()  # a browser says of each connection that it was refused
    play_to_the_end(tab, "einstein")
    assert is_over(tab)


@pytest.mark.nightly
@pytest.mark.service_worker
@pytest.mark.parametrize("engine", ENGINES)
def test_a_table_is_loaded_anew_by_its_service_worker_and_the_game_goes_on(open_tab, address, engine):
    tab = open_tab(engine)
    begin(tab, address, "einstein")
    tab.wait("async () => (await navigator.serviceWorker.getRegistration())?.active?.state === 'activated'", seconds=60)
    tab.reload()
    tab.wait("() => navigator.serviceWorker.controller !== null")
    PLAY["einstein"](tab)


@pytest.mark.nightly
@pytest.mark.parametrize("engine", ENGINES)
def test_a_line_that_goes_dead_is_told_of_and_the_game_goes_on_over_another(open_tab, site, engine):
    tab = open_tab(engine)
    with Cable(site.web_address) as cable:
        begin(tab, f"http://{cable.address}/", "einstein")
        PLAY["einstein"](tab)
        tab.wait(of_board(f"(board) => ({TOUCHABLE})(board).length > 0 || ({OVER})()"), seconds=60)
        tab.run(NOTE_BANNER)
        cable.die_before_the_next_answer()
        PLAY["einstein"](tab)
        assert tab.run("() => globalThis.told"), "nothing was said of it"
        tab.faults.clear()  # a browser says of each connection that it was broken
        play_to_the_end(tab, "einstein")


@pytest.mark.nightly
@pytest.mark.parametrize("engine", ["firefox", "webkit"])
def test_a_game_can_be_played_without_storage_in_the_browser(open_tab, address, engine):
    tab = open_tab(engine, has_storage=False)
    begin(tab, address, "einstein")
    play_to_the_end(tab, "einstein")


def come(tab: Tab, address: str, path: str = "") -> None:
    """Go to a page, and return once all of it is there; the first one brings some of it late."""
    tab.go(address + path)
    tab.wait("() => document.querySelector('main h1, main h2, main article')?.checkVisibility()")
    if not path:
        tab.wait("() => document.querySelector('.foyer > *') !== null")
    tab.wait(IS_LOADED)


@pytest.mark.nightly
@pytest.mark.timeout(600)
@pytest.mark.parametrize(("language", "theme"), [("en", "light"), ("de", "dark")])
@pytest.mark.parametrize(("engine", "screen"), list(product(ENGINES, SCREENS)))
def test_every_page_is_there_in_both_languages_and_themes_and_fits_its_screen(open_tab, address, engine, screen, language, theme):
    tab = open_tab(engine, SCREENS[screen])
    come(tab, address)
    tab.run("(kept) => localStorage.setItem('brettwerk.settings', kept)", json.dumps({"language": language, "theme": theme}))
    for path in PAGES:
        come(tab, address, path)
        seen = tab.run("() => [document.documentElement.lang, document.documentElement.dataset.theme]")
        assert seen == [language, theme], path
        assert not tab.run(SIDEWAYS), f"{path or 'the first page'} is wider than the screen"


@pytest.mark.nightly
@pytest.mark.timeout(600)
@pytest.mark.parametrize(("engine", "game", "screen"), list(product(ENGINES, GAMES, SCREENS)))
def test_a_game_is_played_to_its_end(open_tab, address, engine, game, screen):
    tab = open_tab(engine, SCREENS[screen])
    begin(tab, address, game)
    play_to_the_end(tab, game)
    assert is_over(tab)
