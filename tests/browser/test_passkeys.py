"""Passkeys in Chromium, with its virtual authenticator: two devices, and what is refused there."""

from typing import Any

import grpc
import pytest
from playwright.sync_api import CDPSession, Page, expect

from brettwerk.v1 import accounts_pb2
from deploy.local.deployment import Deployment
from tests.browser.axe import findings
from tests.browser.play import choose_game
from tests.e2e.stranger import Stranger

pytestmark = [pytest.mark.e2e, pytest.mark.browser]


SIGN_IN = accounts_pb2.StartPasskeyRequest.PURPOSE_SIGN_IN
_ANSWER = """async (options) => {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(JSON.parse(options));
    return JSON.stringify((await navigator.credentials.get({ publicKey })).toJSON());
}"""


class Device:
    """A browser with an authenticator of its own, at a name: browsers make no passkeys for addresses."""

    def __init__(self, page: Page, site: Deployment) -> None:
        self.page = page
        self.origin = f"http://localhost:{site.plan.ports.web}"
        self._cdp: CDPSession = page.context.new_cdp_session(page)
        self._cdp.send("WebAuthn.enable")
        options = {"protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True}
        options |= {"isUserVerified": True, "automaticPresenceSimulation": True}
        self._id = self._cdp.send("WebAuthn.addVirtualAuthenticator", {"options": options})["authenticatorId"]

    def credentials(self) -> list[dict[str, Any]]:
        """Return the passkeys on the device."""
        found: list[dict[str, Any]] = self._cdp.send("WebAuthn.getCredentials", {"authenticatorId": self._id})["credentials"]
        return found

    def take(self, other: "Device") -> None:
        """Take over the passkeys of another device, as password managers do."""
        for credential in other.credentials():
            self._cdp.send("WebAuthn.addCredential", {"authenticatorId": self._id, "credential": credential})

    def add(self, label: str) -> None:
        """Add a passkey on the account page."""
        self.page.get_by_test_id("new-passkey-label").fill(label)
        self.page.get_by_test_id("add-passkey").click()
        expect(self.page.get_by_role("button", name=f"Remove the passkey “{label}”")).to_be_visible()

    def answer(self, options: str) -> str:
        """Return what the device answers to a challenge at the page where it is."""
        answered: str = self.page.evaluate(_ANSWER, options)
        return answered

    def account(self) -> None:
        """Open the account page."""
        self.page.goto(f"{self.origin}/account")
        expect(self.page.get_by_test_id("sign-in-passkey")).to_be_visible()


@pytest.fixture
def open_device(open_page, site):
    def open_one(**context: object) -> Device:
        return Device(open_page(**context), site)

    return open_one


@pytest.mark.nightly
def test_a_passkey_lets_a_second_device_play_on(open_device) -> None:
    one, other = open_device(), open_device(locale="de-DE")
    one.page.goto(one.origin)
    choose_game(one.page, "einstein")
    one.page.get_by_test_id("play-button").click()
    expect(one.page.get_by_test_id("board")).to_be_visible()
    table = one.page.url
    one.account()
    one.add("Laptop")
    expect(one.page.get_by_test_id("account-status")).not_to_contain_text("guest")
    assert findings(one.page) == []
    one.page.get_by_test_id("make-phrase").click()
    one.page.get_by_test_id("prove-passkey").click()
    expect(one.page.get_by_test_id("phrase")).not_to_be_empty()
    other.take(one)
    other.account()
    other.page.get_by_test_id("sign-in-passkey").click()
    expect(other.page.get_by_test_id("account-said")).to_contain_text("angemeldet")
    expect(other.page.get_by_test_id("passkey-label")).to_have_value("Laptop")
    other.page.goto(table)
    expect(other.page.get_by_test_id("board").locator("[data-testid^=square-]:not([disabled])").first).to_be_visible()
    expect(other.page.get_by_test_id("resign")).to_be_visible()


@pytest.mark.nightly
def test_a_removed_passkey_lets_nobody_in(open_device) -> None:
    one, other = open_device(), open_device(locale="de-DE")
    one.account()
    one.add("Lost")
    other.take(one)
    one.page.get_by_test_id("passkey-label").fill("Found")
    one.page.get_by_test_id("passkey-label").press("Enter")
    expect(one.page.get_by_role("button", name="Remove the passkey “Found”")).to_be_visible()
    one.page.get_by_test_id("remove-passkey").click()
    one.page.get_by_test_id("prove-passkey").click()
    expect(one.page.get_by_test_id("passkey-label")).to_have_count(0)
    other.account()
    other.page.get_by_test_id("sign-in-passkey").click()
    expect(other.page.get_by_test_id("refusal")).to_contain_text("nicht bekannt")


@pytest.mark.nightly
def test_an_answer_that_was_used_is_refused_when_it_is_sent_again(open_device, site) -> None:
    device = open_device()
    device.account()
    device.add("Phone")
    program = Stranger(site.grpc_address, "Program")
    asked = accounts_pb2.StartPasskeyRequest(purpose=SIGN_IN, origin=device.origin)
    started = program.stub.StartPasskey(asked, timeout=20)
    proof = accounts_pb2.PasskeyProof(challenge_id=started.challenge_id, credential=device.answer(started.options))
    signing_in = accounts_pb2.SignInRequest(passkey=proof)
    assert program.stub.SignIn(signing_in, timeout=20).player_id
    with pytest.raises(grpc.RpcError) as caught:
        program.stub.SignIn(signing_in, timeout=20)
    assert (caught.value.code(), caught.value.details()) == (grpc.StatusCode.NOT_FOUND, "this challenge was answered already")
    program.close()


@pytest.mark.nightly
def test_an_answer_that_was_given_to_another_page_proves_nobody(open_device, site) -> None:
    device = open_device()
    device.account()
    device.add("Phone")
    program = Stranger(site.grpc_address, "Program")
    asked = accounts_pb2.StartPasskeyRequest(purpose=SIGN_IN, origin=device.origin)
    started = program.stub.StartPasskey(asked, timeout=20)
    # Of the same host and thus with the same passkeys, but of another port.
    device.page.route(
        "http://localhost:1/", lambda route: route.fulfill(body="<title>Elsewhere</title>", content_type="text/html")
    )
    device.page.goto("http://localhost:1/")
    proof = accounts_pb2.PasskeyProof(challenge_id=started.challenge_id, credential=device.answer(started.options))
    with pytest.raises(grpc.RpcError) as caught:
        program.stub.SignIn(accounts_pb2.SignInRequest(passkey=proof), timeout=20)
    assert caught.value.details() == "this passkey proves nobody here"
    program.close()


@pytest.mark.nightly
def test_pages_of_other_origins_get_no_challenge_and_addresses_no_passkeys(open_device, site) -> None:
    device = open_device()
    device.page.goto(f"http://{site.web_address}/account")
    expect(device.page.get_by_test_id("sign-in")).to_be_visible()
    ways = device.page.get_by_test_id("sign-in-passkey")
    expect(device.page.get_by_test_id("account-status")).to_contain_text("guest")
    expect(ways).to_have_count(0)
    program = Stranger(site.grpc_address, "Program")
    for origin in ("https://evil.example", f"http://{site.web_address}"):
        with pytest.raises(grpc.RpcError) as caught:
            program.stub.StartPasskey(accounts_pb2.StartPasskeyRequest(purpose=SIGN_IN, origin=origin), timeout=20)
        assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    program.close()
