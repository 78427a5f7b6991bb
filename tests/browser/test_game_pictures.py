"""A game as a picture and as an animation, made in the browser from what the table shows."""

import struct
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from brettwerk_client import Client, me, nobody
from tests.browser.axe import findings
from tests.browser.looks import DESKTOP, IPHONE, Screen
from tests.browser.play import from_menu, press
from tests.night import at_night, by_day

pytestmark = [pytest.mark.e2e, pytest.mark.browser]
GAMES = ("einstein", "emperado", "plateau", "wec")


def saved(page: Page, button: str, folder: Path) -> bytes:
    """Save what a button saves; return its bytes."""
    with page.expect_download() as download:
        press(page.get_by_test_id(button))
    file = folder / download.value.suggested_filename
    download.value.save_as(file)
    return file.read_bytes()


def frames(gif: bytes) -> list[tuple[int, int, int]]:
    """Return width, height and time (in hundredths of a second) of each picture of a GIF. Fails on anything else."""
    assert gif[:6] == b"GIF89a"
    width, height, flags = struct.unpack_from("<HHB", gif, 6)
    at, found, delay = 13 + 3 * 2 ** ((flags & 7) + 1), [], 0
    while gif[at] != 0x3B:
        if gif[at] == 0x21:
            if gif[at + 1] == 0xF9:
                (delay,) = struct.unpack_from("<H", gif, at + 4)
            at += 2
        else:
            assert gif[at] == 0x2C
            found.append((*struct.unpack_from("<HH", gif, at + 5), delay))
            at += 11
        while gif[at]:
            at += gif[at] + 1
        at += 1
    assert at == len(gif) - 1
    assert all((wide, high) == (width, height) for wide, high, _ in found)
    return found


@pytest.mark.parametrize("game", by_day(GAMES, "emperado"))
@pytest.mark.parametrize(("screen", "locale"), [(DESKTOP, "en-GB"), at_night(IPHONE, "de-DE")])
def test_a_finished_game_is_saved_as_an_animation(
    open_page, site, game: str, screen: Screen, locale: str, tmp_path: Path
) -> None:
    with Client(site.grpc_address, name="Ben") as ben:
        seats = ben.create_session(game, [me(), me()]).seats
        for _ in range(6):
            mover = next(seat for seat in seats if seat.actions())
            mover.act(mover.update(), mover.actions()[0])
        seats[0].resign()
    page = open_page(f"/s/{seats[0].session_id}", locale=locale, **screen.context)
    expect(page.get_by_test_id("result")).to_be_visible()
    from_menu(page, "share")
    picture = saved(page, "picture", tmp_path)
    assert picture.startswith(b"\x89PNG\r\n")
    assert max(struct.unpack(">II", picture[16:24])) == 1200
    press(page.get_by_test_id("animation"))
    expect(page.get_by_test_id("animation-save")).to_be_visible(timeout=60_000)
    assert not findings(page)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    gif = saved(page, "animation-save", tmp_path)
    found = frames(gif)
    plies = page.get_by_test_id("action-list").get_attribute("data-plies")
    assert plies is not None
    assert len(found) == 1 + int(plies) >= 1 + 6 + 1  # some games note more than what the players do
    assert max(found[0][:2]) == 600
    assert found[-1][2] == 300
    assert len(gif) < 2_000_000


@pytest.mark.nightly
def test_an_animation_is_given_up(open_page, site) -> None:
    with Client(site.grpc_address, name="Ben") as ben:
        seats = ben.create_session("einstein", [me(), me()]).seats
        for _ in range(4):
            mover = next(seat for seat in seats if seat.actions())
            mover.act(mover.update(), mover.actions()[0])
        seats[0].resign()
    page = open_page(f"/s/{seats[0].session_id}")
    expect(page.get_by_test_id("result")).to_be_visible()
    from_menu(page, "share")
    # Nothing is drawn any more until the test lets it.
    page.evaluate("() => { HTMLImageElement.prototype.decode = () => new Promise((done) => (window.goOn = done)); }")
    page.get_by_test_id("animation").click()
    page.wait_for_function("() => window.goOn !== undefined")
    page.get_by_test_id("animation-stop").click()
    page.evaluate("() => window.goOn()")
    expect(page.get_by_test_id("animation")).to_be_visible()
    expect(page.get_by_test_id("share-pictures").get_by_role("alert")).to_have_count(0)


def test_no_picture_gives_away_a_hidden_view_while_the_game_goes_on(open_page, site) -> None:
    page = open_page()
    with Client(site.grpc_address, name="Ben") as ben:
        seat = ben.create_session("wec", [nobody(), me()]).seat
        page.goto(f"http://{site.web_address}/s/{seat.session_id}")
        page.get_by_test_id("join-0").click()
        expect(page.get_by_test_id("board")).to_be_visible()
        from_menu(page, "share")
        expect(page.get_by_test_id("share-link")).to_be_visible()
        expect(page.get_by_test_id("picture")).to_have_count(0)
        watcher = open_page(f"/s/{seat.session_id}")
        expect(watcher.get_by_test_id("board")).to_be_visible()
        from_menu(watcher, "share")
        expect(watcher.get_by_test_id("picture")).to_be_visible()
