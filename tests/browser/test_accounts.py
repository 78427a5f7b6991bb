"""Two devices of one person: each way in leads to the same player, whose seat is played on from there."""

import grpc
import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from brettwerk.v1 import accounts_pb2
from tests.browser.axe import findings
from tests.browser.camera import read_code
from tests.browser.looks import at_night
from tests.browser.play import choose_game, new_table_for_two
from tests.e2e.stranger import Stranger, eventually

pytestmark = [pytest.mark.e2e, pytest.mark.browser]

PASSWORD = "correct horse"


def go_on(page: Page, table: str) -> None:
    """Open a table of the player's, and see that it can be played at."""
    page.goto(table)
    expect(page.get_by_test_id("board").locator("[data-testid^=square-]:not([disabled])").first).to_be_visible()
    expect(page.get_by_test_id("resign")).to_be_visible()


@pytest.mark.parametrize("way", ["link", at_night("code"), at_night("phrase"), at_night("password")])
def test_a_second_device_plays_on(open_page, way) -> None:
    one, other = open_page(), open_page(locale="de-DE")
    choose_game(one, "einstein")
    one.get_by_test_id("play-button").click()
    expect(one.get_by_test_id("board")).to_be_visible()
    table = one.url
    one.get_by_test_id("open-account").click()
    expect(one.get_by_test_id("account-status")).to_contain_text("guest")
    if way == "link":
        one.get_by_test_id("make-link").click()
        other.goto(one.get_by_test_id("device-link").input_value())
        other.get_by_test_id("use-link").click()
    elif way == "code":
        one.get_by_test_id("make-link").click()
        other.goto(read_code(one.get_by_test_id("qr-code")))
        other.get_by_test_id("use-link").click()
    elif way == "phrase":
        one.get_by_test_id("make-phrase").click()
        words = one.get_by_test_id("phrase").inner_text()
        other.get_by_test_id("open-account").click()
        other.get_by_test_id("typed-phrase").fill(words)
        other.get_by_test_id("sign-in-phrase").click()
    else:
        one.get_by_test_id("new-login").fill("Two devices")
        one.get_by_test_id("new-password").fill(PASSWORD)
        one.get_by_test_id("set-password").click()
        expect(one.get_by_test_id("account-said")).not_to_be_empty()
        other.get_by_test_id("open-account").click()
        other.get_by_test_id("login").fill("Two devices")
        other.get_by_test_id("password").fill("a wrong guess")
        other.get_by_test_id("sign-in").click()
        expect(other.get_by_test_id("refusal")).to_contain_text("falsch")
        other.get_by_test_id("password").fill(PASSWORD)
        other.get_by_test_id("sign-in").click()
    expect(other.get_by_test_id("account-said")).to_contain_text("angemeldet")
    go_on(other, table)


@pytest.mark.nightly
@pytest.mark.parametrize(("locale", "wrong"), [("en-GB", "not right"), at_night("de-DE", "stimmt nicht")])
def test_changes_to_the_account_ask_for_the_password_first(open_page, locale, wrong) -> None:
    page = open_page(locale=locale)
    page.get_by_test_id("open-account").click()
    page.get_by_test_id("new-login").fill(f"Careful {locale}")
    page.get_by_test_id("new-password").fill(PASSWORD)
    page.get_by_test_id("set-password").click()
    expect(page.get_by_test_id("account-said")).not_to_be_empty()
    name = page.evaluate("JSON.parse(localStorage['brettwerk.player']).name")

    page.get_by_test_id("make-link").click()
    page.get_by_test_id("close-dialog").click()
    expect(page.get_by_test_id("refusal")).to_have_attribute("data-reason", "PROOF_NEEDED")
    expect(page.get_by_test_id("device-link")).to_have_count(0)

    page.get_by_test_id("make-phrase").click()
    page.get_by_test_id("prove-password").fill("a wrong guess")
    page.get_by_test_id("prove").click()
    expect(page.get_by_test_id("proof-wrong")).to_contain_text(wrong)
    assert findings(page) == []
    page.get_by_test_id("prove-password").fill(PASSWORD)
    page.get_by_test_id("prove").click()
    expect(page.get_by_test_id("dialog-prove")).to_have_count(0)
    words = page.get_by_test_id("phrase").inner_text()

    page.get_by_test_id("delete-name").fill(name)
    page.get_by_test_id("delete-account").click()
    page.get_by_test_id("prove-phrase").fill(words)
    page.get_by_test_id("prove-by-phrase").click()
    expect(page.get_by_test_id("sign-out")).to_have_count(0)
    expect(page.get_by_test_id("account-status")).to_be_visible()


@pytest.mark.nightly
def test_a_browser_that_was_signed_in_is_not_locked_out_by_strangers(open_page, site) -> None:
    page = open_page()
    page.get_by_test_id("open-account").click()
    page.get_by_test_id("new-login").fill("Locked out")
    page.get_by_test_id("new-password").fill(PASSWORD)
    page.get_by_test_id("set-password").click()
    expect(page.get_by_test_id("account-said")).not_to_be_empty()
    stranger = Stranger(site.grpc_address, "Stranger")
    guess = accounts_pb2.SignInRequest(login=accounts_pb2.LoginProof(login="Locked out", password="a wrong guess"))

    def is_locked() -> bool:
        with pytest.raises(grpc.RpcError) as caught:
            stranger.stub.SignIn(guess, timeout=20)
        return caught.value.details() == "too many wrong guesses"

    eventually(is_locked, 30)
    page.evaluate("localStorage.removeItem('brettwerk.player')")  # as a token that has expired
    page.reload()
    page.get_by_test_id("login").fill("Locked out")
    page.get_by_test_id("password").fill(PASSWORD)
    page.get_by_test_id("sign-in").click()
    expect(page.get_by_test_id("account-said")).to_contain_text("signed in")
    stranger.close()


@pytest.mark.nightly
def test_text_typed_while_the_account_is_still_read_stays(open_page) -> None:
    page = open_page()
    is_slow, held = False, []

    def pass_on(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        server.on_message(lambda message: held.append((socket, message)) if is_slow else socket.send(message))

    page.route_web_socket("**/v1/connect", pass_on)
    page.reload()
    choose_game(page, "einstein")
    page.get_by_test_id("play-button").click()
    expect(page.get_by_test_id("board")).to_be_visible()
    is_slow = True
    page.get_by_test_id("open-account").click()
    page.get_by_test_id("new-login").fill("Quick fingers")
    expect(page.get_by_test_id("sign-out")).to_have_count(0)
    is_slow = False
    for socket, message in held:
        socket.send(message)
    expect(page.get_by_test_id("sign-out")).to_be_visible()
    expect(page.get_by_test_id("new-login")).to_have_value("Quick fingers")


@pytest.mark.nightly
@pytest.mark.parametrize("scheme", ["light", at_night("dark")])
def test_a_phone_reads_the_link_of_a_table_off_the_screen(open_page, scheme) -> None:
    one = open_page(color_scheme=scheme)
    choose_game(one, "einstein")
    new_table_for_two(one)
    code = one.get_by_test_id("qr-code")
    expect(code).to_have_accessible_name("QR code of the link to this table")
    assert read_code(code) == one.get_by_test_id("invite-link").input_value()


def test_the_account_page_has_a_title_and_says_where_passkeys_are_not_possible(open_page):
    page = open_page("/account")
    expect(page).to_have_title("Your account – Brettwerk")
    expect(page.get_by_test_id("no-passkeys")).to_contain_text("secure address")


def test_the_account_page_has_cards_with_the_wisest_way_back_first(open_page):
    page = open_page("/account", viewport={"width": 1440, "height": 900})
    wanted = ["make-phrase", "set-password", "make-link", "sign-in"]
    expect(page.get_by_test_id(wanted[-1])).to_be_visible()
    found = page.locator(".ways [data-testid]").evaluate_all("(all) => all.map(({ dataset }) => dataset.testid)")
    assert [one for one in found if one in wanted] == wanted
    columns = {round(card.bounding_box()["x"]) for card in page.locator(".ways > section").all()}
    assert len(columns) > 1, "cards stand beside each other on a wide screen"
