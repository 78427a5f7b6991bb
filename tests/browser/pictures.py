"""The pictures in docs/pictures: the first page, a club, its match, moderation, orders, a substitute, and games as they are seen.

`scripts/screenshots` takes them.
"""

import argparse
import contextlib
import json
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from playwright.sync_api import Browser, Page, sync_playwright

from brettwerk.v1 import play_pb2, profiles_pb2
from brettwerk_client import Client, Seat, computer, me, refusals
from deploy.local import chromium, web
from deploy.local.deployment import Deployment
from tests.browser import abuse, clubs, moderation, ordered, substitutes, viewings
from tests.browser.departures import play_some
from tests.e2e.stranger import eventually
from tests.examples.installing import with_packages

FOLDER = Path(__file__).parents[2] / "docs" / "pictures"
DESKTOP, PHONE = (1440, 900), (390, 844)


@dataclass(frozen=True)
class Picture:
    """A game after so many own actions, watched together perhaps or with orders, a club, moderation, or a substitute's table."""

    name: str
    game: str = ""
    seats: int = 2
    actions: int = 0
    screen: tuple[int, int] = DESKTOP
    theme: Literal["light", "dark"] = "light"
    set: Literal["studio", "cabinet"] = "studio"
    club: bool = False
    match: bool = False
    """Whether it is a match of clubs."""
    moderation: bool = False
    abuse: bool = False
    """Whether moderation shows who may trade wins."""
    pause: bool = False
    """Whether it is the profile of a player who has left games."""
    substitute: bool = False
    viewing: bool = False
    """Whether the game is over and watched together."""
    orders: bool = False
    """Whether the dialog of orders is open."""
    tv: bool = False
    """Whether it is shown as on a television."""
    package: str = ""
    """The folder of the game's package, for a game that is installed."""


PICTURES = (
    Picture("first-page"),
    Picture("club", club=True),
    Picture("club-phone", club=True, screen=PHONE, theme="dark"),
    Picture("club-match", match=True),
    Picture("club-match-phone", match=True, screen=PHONE, theme="dark"),
    Picture("moderation", moderation=True),
    Picture("moderation-phone", moderation=True, screen=PHONE, theme="dark"),
    Picture("moderation-conduct-phone", abuse=True, screen=PHONE),
    Picture("pause-phone", pause=True, screen=PHONE),
    Picture("substitute", substitute=True),
    Picture("substitute-phone", substitute=True, screen=PHONE, theme="dark"),
    Picture("viewing", "emperado", seats=3, actions=40, viewing=True),
    Picture("viewing-phone", "wec", actions=10, viewing=True, screen=PHONE, theme="dark"),
    Picture("orders", "emperado", seats=3, actions=30, orders=True),
    Picture("orders-phone", "emperado", seats=3, actions=30, orders=True, screen=PHONE, theme="dark"),
    Picture("television", "emperado", seats=4, actions=60, tv=True),
    Picture("einstein", "einstein", actions=4),
    Picture("emperado", "emperado", seats=4, actions=60),
    Picture("plateau", "plateau", actions=12),
    Picture("weaponized-chess", "wec", actions=14, theme="dark"),
    Picture("emperado-phone", "emperado", seats=3, actions=60, screen=PHONE, theme="dark"),
    Picture("einstein-cabinet", "einstein", actions=4, set="cabinet"),
    Picture("emperado-cabinet", "emperado", seats=4, actions=60, set="cabinet"),
    Picture("plateau-cabinet", "plateau", seats=4, actions=12, set="cabinet"),
    Picture("weaponized-chess-cabinet", "wec", actions=14, set="cabinet"),
    Picture("connect-four", "connect_four", actions=8, package="examples/connect_four"),
    Picture("breakthrough", "breakthrough", actions=9, package="examples/breakthrough"),
    Picture("hex", "hex_seven", actions=7, theme="dark", package="tests/examples/hex_seven_package"),
    Picture("liars-dice-phone", "liars_dice", seats=3, actions=3, screen=PHONE, package="examples/liars_dice"),
    Picture("mau-mau-phone", "mau_mau", actions=2, screen=PHONE, theme="dark", package="tests/examples/mau_mau_package"),
)


MAX_GAMES = 10
"""How many games are begun for a picture: some are over before it is taken."""


def play(client: Client, picture: Picture) -> Seat:
    """Return the seat of a game that goes on after so many actions. Exits where no game lasts that long."""
    for _ in range(MAX_GAMES):
        if (seat := _played(client, picture)) is not None:
            return seat
    raise SystemExit(f"{picture.game} was over before its picture was taken; let it have fewer actions")


def _played(client: Client, picture: Picture) -> Seat | None:
    """Play a game with the hints of the server until it is the player's turn after so many actions; None if it ends before."""
    wishes = [me(), *[computer("normal")] * (picture.seats - 1)]
    seat = client.create_session(picture.game, wishes).seat
    done = 0
    for update in seat.watch():
        if not update.actions:
            continue
        if done >= picture.actions:
            return seat
        asked = play_pb2.GetHintRequest(session_id=seat.session_id, seat_token=seat.token, level="easy")
        try:
            best = client.call(client.service.GetHint, asked).hints[0].action
            seat.act(update, best)
        except (refusals.Refused, IndexError):
            seat.act(update, update.actions[-1])
        done += 1
    return None


def asked(client: Client, address: str) -> Seat:
    """Return the seat of a game in which somebody asks for the seat of a player who is gone."""
    with substitutes.left(client, address, title="The lost legion") as (seat, _), Client(address, name="Hedy") as hedy:
        hedy.ask_for_seat(seat.session_id, 2)
        return seat


def take(browser: Browser, deployment: Deployment, picture: Picture, path: Path) -> None:
    """Write a picture."""
    with Client(deployment.grpc_address, name="Ada") as client, contextlib.ExitStack() as shown:
        seen = [each.game for each in PICTURES if each.game]
        stored: dict[str, object] = {
            "brettwerk.settings": {
                "theme": picture.theme,
                "tours": seen,
                "set": picture.set,
                "talk": picture.viewing and picture.screen == DESKTOP,
            }
        }
        address = "/"
        if picture.name != "first-page":
            player = client.sign_in(play_pb2.CreatePlayerRequest(name="Ada"))
            stored["brettwerk.player"] = {"id": player.id, "token": player.token, "name": player.name}
        if picture.club:
            address = f"/club/{clubs.found_whole(client, deployment.grpc_address)}"
        if picture.match:
            address = f"/tournament/{clubs.match_shown(client, deployment.grpc_address)}"
        if picture.pause:
            play_some(deployment, player.id, "+++++++---")
            eventually(lambda: client.call(client.service.GetProfile, profiles_pb2.GetProfileRequest()).HasField("pause"), 30)
            address = "/player"
        if picture.abuse:
            moderation.give_role(client, "moderator", deployment.environment)
            abuse.play(deployment)
            address = "/operator"
        if picture.moderation:
            moderation.give_role(client, "operator", deployment.environment)
            moderation.report_some(deployment.grpc_address)
            moderation.wait_for_reports(client)
            address = "/operator"
        if picture.game or picture.substitute:
            seat = play(client, picture) if picture.game else asked(client, deployment.grpc_address)
            stored[f"brettwerk.seats.{seat.session_id}"] = {"at": 0, "tokens": {str(seat.number): seat.token}}
            address = f"/{'tv' if picture.tv else 's'}/{seat.session_id}"
            if picture.orders:
                ordered.give(client, seat)
            if picture.viewing:
                client.call(client.service.CloseSession, play_pb2.CloseSessionRequest(session_id=seat.session_id))
                address = shown.enter_context(viewings.shown(client, seat.session_id, deployment.grpc_address))
        width, height = picture.screen
        page = browser.new_page(
            viewport={"width": width, "height": height},
            color_scheme=picture.theme,
            locale="en-GB",
            reduced_motion="reduce",
        )
        keep = "([key, value]) => localStorage.setItem(key, JSON.stringify(value))"
        page.add_init_script(f"Object.entries({json.dumps(stored)}).forEach({keep})")
        page.goto(f"http://{deployment.web_address}{address}")
        show(page, has_board=bool(picture.game) or picture.substitute)
        if picture.moderation:
            for opened in (
                page.locator("[data-testid=report-card] details summary").first,
                page.get_by_test_id("report-decide").first,
            ):
                opened.click()
            page.get_by_test_id("measure-act").first.select_option("3")
            page.get_by_test_id("measure-reason").first.fill("Insults")
            page.evaluate("document.activeElement.blur(); scrollTo(0, 0)")
        if picture.abuse:
            page.get_by_test_id("section-conduct").click()
            page.get_by_test_id("conduct-games").first.click()
            page.evaluate("document.activeElement.blur()")
            page.get_by_test_id("moderation-conduct").evaluate("one => one.scrollIntoView()")
        if picture.orders:
            ordered.show(page, ordered.attack(seat))
        page.screenshot(path=path)
        page.close()


def show(page: Page, *, has_board: bool) -> None:
    """Wait until everything is there."""
    page.wait_for_load_state("networkidle")
    if has_board:
        page.get_by_test_id("board").first.wait_for()
    page.wait_for_timeout(1500)  # what moves has come to rest; nothing of the page says so


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="scripts/screenshots", description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=FOLDER)
    parser.add_argument("--only", choices=[picture.name for picture in PICTURES], action="append")
    args = parser.parse_args(arguments)
    args.folder.mkdir(parents=True, exist_ok=True)
    web.build(print)
    wanted = [picture for picture in PICTURES if not args.only or picture.name in args.only]
    with (
        tempfile.TemporaryDirectory() as data,
        with_packages(*{picture.package for picture in wanted if picture.package}),
        Deployment(data=Path(data)) as deployment,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=chromium.ARGUMENTS)
        for picture in wanted:
            path = args.folder / f"{picture.name}.png"
            take(browser, deployment, picture, path)
            print(f"brettwerk: {path} ({path.stat().st_size // 1024} KB)", flush=True)


if __name__ == "__main__":
    main()
