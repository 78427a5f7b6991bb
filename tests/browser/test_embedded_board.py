"""Boards on the pages of others: which of those show one, what it costs them, and what is read and heard there."""

import functools
import http.server
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from google.protobuf.message import Message
from playwright.sync_api import Browser, CDPSession, FrameLocator, Page, expect

from brettwerk.v1.einstein_pb2 import EinsteinView
from brettwerk.v1.emperado_pb2 import EmperadoOptions
from brettwerk.v1.sessions_pb2 import Session
from brettwerk_client import Client, Seat, computer, me, nobody
from brettwerk_games.rules.emperado.maps import WORLDS
from deploy.local import web
from deploy.local.deployment import Deployment
from deploy.local.processes import Processes
from tests.browser.axe import findings
from tests.browser.looks import DESKTOP, IPHONE, Screen, at_night
from tests.browser.play import from_menu, press

pytestmark = [pytest.mark.e2e, pytest.mark.browser]

BUDGET = 30_000
"""Bytes for any game: the page, scripts, styles, words and data as they come, compressed or not.

Headers of HTTP are not among them: HTTP/2 compresses them.
"""
PAGE = " ".join((Path(__file__).parents[2] / "docs" / "operations.md").read_text().split())


class Table(NamedTuple):
    """A large game of its kind: seats and options."""

    game: str
    seats: int
    options: Message | None = None


TABLES = {
    "EinStein würfelt nicht": Table("einstein", 2),
    "EMPERADO": Table("emperado", 6),
    "EMPERADO on *Five Islands*": Table("emperado", 5, EmperadoOptions(map="five_islands")),
    "Empire Plateau": Table("plateau", 4),
    "Weaponized Chess": Table("wec", 2),
}
"""By the names that they have in the documentation."""


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


class Elsewhere:
    """A site of somebody else: under the name that the operator has listed, and under another one."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Quiet, directory=str(folder)))
        self.listed = f"http://localhost:{self._server.server_port}"
        self.unlisted = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def write(self, name: str, frame: str) -> str:
        """Write a page with a frame; returns its path."""
        page = f'<!doctype html><html lang="en"><title>Our club</title><main><h1>Our club</h1>{frame}</main>'
        (self._folder / name).write_text(page)
        return f"/{name}"

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Elsewhere]:
    running = Elsewhere(tmp_path_factory.mktemp("elsewhere"))
    yield running
    running.close()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, elsewhere: Elsewhere) -> Iterator[Deployment]:
    """A deployment that lets one other site show boards."""
    web.build(lambda line: print(line))
    processes = Processes(own_environment={"gateway": {"BRETTWERK_EMBED_ANCESTORS": elsewhere.listed}})
    with Deployment(data=tmp_path_factory.mktemp("site"), processes=processes) as started:
        yield started


def frame_of(site: Deployment, session_id: str, query: str = "") -> str:
    return f'<iframe src="http://{site.web_address}/embed/{session_id}{query}" title="Game" width="420" height="560"></iframe>'


def shown(page: Page, elsewhere: Elsewhere, frame: str) -> FrameLocator:
    page.goto(elsewhere.listed + elsewhere.write("club.html", frame))
    return page.frame_locator("iframe")


def play_one(seat: Seat) -> str:
    """Play the first action that there is; returns it in notation."""
    update = seat.update()
    action = seat.actions()[0]
    seat.act(update, action)
    return action.notation


def resign(seats: Sequence[Seat]) -> None:
    """Give up for one seat after the other, until the game is over."""
    for seat in seats:
        if seat.update().session.state == Session.STATE_RUNNING:
            seat.resign()


@pytest.mark.parametrize(
    ("screen", "locale", "turn"),
    [(DESKTOP, "en-GB", "To move"), at_night(IPHONE, "de-DE", "Am Zug"), at_night(IPHONE, "fr-FR", "Au trait")],
)
def test_a_live_game_is_shown_on_a_page_of_another_origin(
    open_page, site: Deployment, elsewhere: Elsewhere, screen: Screen, locale: str, turn: str
) -> None:
    with Client(site.grpc_address, name="Ben") as ben, Client(site.grpc_address, name="Ada") as ada:
        seat = ben.create_session("einstein", [me(), nobody()]).seat
        page = open_page("/", locale=locale, **screen.context)
        board = shown(page, elsewhere, frame_of(site, seat.session_id))
        expect(board.get_by_test_id("sentence")).not_to_be_empty()
        expect(board.get_by_test_id("board")).to_be_hidden()  # it has not begun
        other = ada.join_session(seat.session_id)
        expect(board.get_by_test_id("board")).to_be_visible()
        mover = seat if seat.actions() else other
        notation = play_one(mover)
        expect(board.get_by_test_id("sentence")).to_contain_text(notation)
        expect(board.get_by_test_id("sentence")).to_contain_text(turn)
        sentence = board.get_by_test_id("sentence").inner_text()
        expect(board.get_by_role("img")).to_have_accessible_name(f"EinStein würfelt nicht. {sentence}")
        expect(board.get_by_role("listitem").filter(has_text="Ben")).to_be_visible()
        press(board.get_by_test_id("words"))
        squares = EinsteinView.FromString(seat.update().view.value).position.squares
        stones = [stone for stone in squares if stone]  # the first move may have taken one of its own
        expect(board.get_by_test_id("places").get_by_role("listitem")).to_have_count(len(stones))
        assert not findings(page)
        assert board.locator("html").evaluate("(html) => html.scrollWidth <= innerWidth")
        seat.resign()
        expect(board.get_by_test_id("sentence")).to_contain_text("Ada")
        expect(board.get_by_test_id("replay")).to_be_visible()


def test_a_finished_game_is_replayed_by_keys(open_page, site: Deployment, elsewhere: Elsewhere) -> None:
    with Client(site.grpc_address, name="Ben") as ben:
        seats = ben.create_session("einstein", [me(), me()]).seats
        seat = seats[0]
        played = []
        for _ in range(4):
            mover = next(one for one in seats if one.actions())
            played.append(play_one(mover))
        seat.resign()
        page = open_page("/")
        board = shown(page, elsewhere, frame_of(site, seat.session_id, "?language=en&theme=dark"))
        expect(board.get_by_test_id("state")).to_have_text("over")
        board.get_by_test_id("replay").press("Enter")
        position = board.get_by_test_id("position")
        expect(position).to_have_attribute("aria-valuetext", "1 of 6")
        for notation in played:
            position.press("ArrowRight")
            expect(board.get_by_test_id("sentence")).to_contain_text(notation)
        board.get_by_test_id("on").press("Enter")
        expect(board.get_by_test_id("sentence")).to_contain_text("won")
        assert not findings(page)


def test_only_pages_that_the_operator_names_show_it(chromium: Browser, site: Deployment, elsewhere: Elsewhere) -> None:
    context = chromium.new_context()
    page = context.new_page()
    with Client(site.grpc_address, name="Ben") as ben:
        session_id = ben.create_session("einstein", [me(), computer(level="easy")]).seat.session_id
    path = elsewhere.write("other.html", frame_of(site, session_id))
    page.goto(elsewhere.unlisted + path)
    assert page.frames[1].url.startswith("chrome-error:")
    path = elsewhere.write("table.html", frame_of(site, session_id).replace("/embed/", "/s/"))
    page.goto(elsewhere.listed + path)  # the table itself is in no frame, wherever
    assert page.frames[1].url.startswith("chrome-error:")
    context.close()


def test_a_game_that_there_is_not_is_said_so(open_page, site: Deployment, elsewhere: Elsewhere) -> None:
    board = shown(open_page("/", locale="de-DE"), elsewhere, frame_of(site, "07abcdefghijklmnopqrstuv"))
    expect(board.get_by_role("alert")).to_have_text("Diese Partie gibt es nicht mehr.")


class Wire:
    """Counts the bytes that a page brings, by address."""

    def __init__(self, page: Page) -> None:
        page.goto("about:blank")  # nothing more comes for the page before
        self._session: CDPSession = page.context.new_cdp_session(page)
        self._session.send("Network.enable")
        self._session.send("Network.setCacheDisabled", {"cacheDisabled": True})
        self._heads: dict[str, tuple[str, float]] = {}
        self.bodies: dict[str, float] = {}
        self._session.on("Network.responseReceived", self._begin)
        self._session.on("Network.loadingFinished", self._end)
        self._session.on("Network.webSocketFrameReceived", self._frame)

    def _begin(self, event: dict[str, Any]) -> None:
        self._heads[event["requestId"]] = event["response"]["url"], event["response"]["encodedDataLength"]

    def _end(self, event: dict[str, Any]) -> None:
        address, head = self._heads[event["requestId"]]
        self.bodies[f"{len(self.bodies)} {address}"] = event["encodedDataLength"] - head

    def _frame(self, event: dict[str, Any]) -> None:
        self.bodies[f"{len(self.bodies)} frame"] = len(event["response"]["payloadData"].encode())

    @property
    def bytes(self) -> float:
        return sum(self.bodies.values())

    @property
    def head_bytes(self) -> float:
        return sum(head for _, head in self._heads.values())

    def close(self) -> None:
        self._session.detach()


@pytest.mark.parametrize("name", TABLES)
def test_a_game_costs_its_readers_little_while_it_is_played_and_afterwards(open_page, site: Deployment, name: str) -> None:
    game, count, options = TABLES[name]
    page = open_page("/")
    sizes = []
    with Client(site.grpc_address, name="Ben") as ben:
        seats = ben.create_session(game, [me()] * count, options=options).seats
        for _ in range(6):
            play_one(next(seat for seat in seats if seat.actions()))
        for is_over in (False, True):
            if is_over:
                resign(seats)
            wire = Wire(page)
            # By itself, as in a frame, whose process this session would not hear.
            page.goto(f"http://{site.web_address}/embed/{seats[0].session_id}?language=de")
            expect(page.get_by_test_id("board").locator("svg").last).to_be_visible()
            expect(page.get_by_test_id("state")).to_have_text("beendet" if is_over else "läuft")
            page.wait_for_load_state("networkidle")
            sizes.append(wire.bytes)
            press(page.get_by_test_id("words"))
            expect(page.get_by_test_id("places").get_by_role("listitem").first).to_be_visible()
            page.wait_for_load_state("networkidle")
            sizes.append(wire.bytes)
            print(f"{name}: {sizes[-2:]} bytes, and {wire.head_bytes:.0f} of headers", wire.bodies)
            wire.close()
            assert not findings(page)
    if options is not None:
        expect(page.get_by_test_id("board").locator(".land")).to_have_count(WORLDS["five_islands"].count)
    assert max(sizes) < BUDGET, sizes
    stated = [float(cell) * 1000 for cell in PAGE.split(f"| {name} |", 1)[1].split("|")[:4]]
    for size, said in zip(sizes, stated, strict=True):
        assert abs(size - said) < 800, (sizes, stated)


def test_the_menu_of_a_table_has_the_lines_for_another_page(open_page, site: Deployment, elsewhere: Elsewhere) -> None:
    page = open_page("/")
    page.get_by_test_id("play-button").click()
    expect(page.get_by_test_id("board")).to_be_visible()
    from_menu(page, "share")
    frame = page.get_by_test_id("embed-link").input_value()
    assert page.get_by_test_id("share-link").input_value() == page.url
    assert not findings(page)
    board = shown(open_page("/"), elsewhere, frame)
    expect(board.get_by_test_id("board")).to_be_visible()
    expect(board.get_by_test_id("open")).to_have_attribute("href", page.url.partition(site.web_address)[2])
