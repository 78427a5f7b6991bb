"""Being told while no page is open: switched on at the account page, pushed and mailed; and what a lost network does."""

import base64
import contextlib
import json
import re
import threading
import time
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser as Chromium
from playwright.sync_api import Page, expect

from deploy.local import web
from deploy.local.deployment import Deployment
from deploy.local.processes import Processes
from tests.browser.axe import findings
from tests.browser.play import choose_game, look_again, play_by_mouse, sit_down, touchable
from tests.mail_server import PASSWORD, USER, MailServer
from tests.push_endpoint import Browser, PushEndpoint
from tests.surroundings import lacking

pytestmark = [pytest.mark.e2e, pytest.mark.browser, pytest.mark.service_worker]

# A headless browser has no push service and allows no notifications: the one of the test takes its place, and what the browser
# would make of its own keys comes from the test. All that is ours runs as it is.
SUBSCRIBING = """({ endpoint, key, secret }) => {
  let subscribed = null;
  const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  PushManager.prototype.subscribe = async ({ applicationServerKey, userVisibleOnly }) => {
    if (!userVisibleOnly) throw new Error("browsers insist on it");
    const text = applicationServerKey.replaceAll("-", "+").replaceAll("_", "/");
    subscribed = {
      endpoint,
      options: { applicationServerKey: bytes(text).buffer },
      toJSON: () => ({ endpoint, keys: { p256dh: key, auth: secret } }),
      unsubscribe: async () => ((subscribed = null), true),
    };
    return subscribed;
  };
  PushManager.prototype.getSubscription = async () => subscribed;
  Notification.requestPermission = async () => "granted";
}"""


@pytest.fixture(scope="module")
def endpoint(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PushEndpoint]:
    with PushEndpoint(tmp_path_factory.mktemp("push")) as running:
        yield running


@pytest.fixture(scope="module")
def mails(tmp_path_factory: pytest.TempPathFactory) -> Iterator[MailServer]:
    with MailServer(tmp_path_factory.mktemp("mail")) as running:
        yield running


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, endpoint: PushEndpoint, mails: MailServer) -> Iterator[Deployment]:
    """A deployment that can send both, and whose gateway a test takes away."""
    web.build(lambda line: print(line))
    folder = tmp_path_factory.mktemp("site")
    trusted = folder / "trusted.crt"
    trusted.write_bytes(endpoint.authority.file.read_bytes() + mails.authority.file.read_bytes())
    players = {
        "BRETTWERK_PUSH_HOSTS": endpoint.host,
        "BRETTWERK_PUSH_CONTACT": "mailto:a@example.org",
        "BRETTWERK_MAIL_SERVER": f"localhost:{mails.port}",
        "BRETTWERK_MAIL_USER": USER,
        "BRETTWERK_MAIL_PASSWORD": PASSWORD,
        "BRETTWERK_MAIL_FROM": "Brettwerk <noreply@example.org>",
        "SSL_CERT_FILE": str(trusted),
    }
    with Deployment(data=folder / "data", processes=Processes(own_environment={"players": players})) as started:
        yield started


def play_until_the_turn_goes(page: Page, other: Page) -> None:
    """Let `page` play until it is the other one's turn, who may have to play first."""
    for _ in range(200):
        if touchable(page):
            break
        play_by_mouse(other)
    for _ in range(200):
        if not touchable(page):
            return
        play_by_mouse(page)
    pytest.fail("the turn does not go on")


def subscribes_as(browser: Browser) -> dict[str, str]:
    """Return what SUBSCRIBING is told, for a page that has a browser's subscription."""
    key, secret = (base64.b64encode(each).decode() for each in (browser.key, browser.secret))
    return {"endpoint": browser.endpoint, "key": key, "secret": secret}


@pytest.mark.nightly
def test_a_device_that_is_switched_on_is_told_of_its_players_turn(open_page, site, endpoint) -> None:
    one, other = open_page(), open_page()
    browser = endpoint.browser("chromium")
    one.add_init_script(f"({SUBSCRIBING})({json.dumps(subscribes_as(browser))})")
    path = sit_down(one, other)
    one.goto(f"http://{site.web_address}/account")
    one.get_by_test_id("push-on").click()
    expect(one.get_by_test_id("push-standing")).to_contain_text("even while no page is open")
    expect(one.get_by_test_id("push-devices")).to_contain_text("Chrome on Linux (this device)")
    assert not findings(one)
    one.get_by_test_id("test-device").click()
    expect(one.get_by_test_id("notifications-said")).to_have_text("A test message is on its way.")
    assert endpoint.wait_for(browser, 1)[0]["body"] == "Messages reach this device."
    before = len(endpoint.messages(browser))
    play_until_the_turn_goes_to(one, other, path, site)
    shown = endpoint.wait_for(browser, before + 1)[-1]
    assert (shown["body"], shown["path"], shown["tag"]) == ("It is your turn.", path, path.removeprefix("/s/"))


ALLOWED = "Object.defineProperty(Notification, 'permission', { get: () => 'granted' })"


@pytest.mark.nightly
def test_a_device_whose_browser_has_lost_its_subscription_gets_another_one(open_page, site, endpoint) -> None:
    one, other = open_page(), open_page()
    before, after = endpoint.browser("before"), endpoint.browser("after")
    one.add_init_script(ALLOWED)
    one.add_init_script(f"({SUBSCRIBING})({json.dumps(subscribes_as(before))})")
    path = sit_down(one, other)
    one.goto(f"http://{site.web_address}/account")
    one.get_by_test_id("push-on").click()
    expect(one.get_by_test_id("push-standing")).to_contain_text("even while no page is open")
    one.add_init_script(f"({SUBSCRIBING})({json.dumps(subscribes_as(after))})")  # with no subscription at first
    play_until_the_turn_goes_to(one, other, path, site)
    assert endpoint.wait_for(after, 1)[-1]["body"] == "It is your turn."


def play_until_the_turn_goes_to(one: Page, other: Page, path: str, site: Deployment) -> None:
    """Let `one` move at the table and leave, and the other one move after that."""
    one.goto(f"http://{site.web_address}{path}")
    expect(one.get_by_test_id("board")).to_be_visible()
    play_until_the_turn_goes(one, other)
    one.goto("about:blank")
    expect(other.get_by_test_id("presence-0")).to_have_text("offline")
    play_until_the_turn_goes(other, other)


@pytest.mark.nightly
def test_a_mail_address_is_confirmed_by_its_link_and_ended_by_another(open_page, site, mails) -> None:
    one, other, phone = open_page(), open_page(), open_page(locale="de-DE")
    sit_down(one, other)
    one.goto(f"http://{site.web_address}/account")
    one.get_by_test_id("mail-address").fill("ada@example.org")
    one.get_by_test_id("start-mail").click()
    expect(one.get_by_test_id("notifications-said")).to_contain_text("A link was sent to ada@example.org")
    expect(one.get_by_test_id("mail-standing")).to_contain_text("not confirmed yet")
    (asked,) = mails.wait_for("ada@example.org", 1)
    link = re.search(r"http://\S+/confirm-mail#\S+", asked.get_body(("plain",)).get_content())
    assert link is not None
    phone.goto(link[0].replace("localhost", "127.0.0.1"))
    expect(phone.get_by_role("heading", name="E-Mail-Adresse bestätigen")).to_be_visible()
    assert not findings(phone)
    phone.get_by_test_id("mail-confirm").click()
    expect(phone.get_by_test_id("mail-done")).to_contain_text("ada@example.org")
    one.reload()
    expect(one.get_by_test_id("mail-standing")).to_have_text("Emails go to ada@example.org.")
    one.get_by_test_id("quiet").check()
    expect(one.get_by_test_id("quiet-from")).to_have_value("22:00")
    one.get_by_test_id("mail-2").uncheck()
    expect(one.get_by_test_id("notifications-said")).to_have_text("Saved.")
    one.get_by_test_id("mail-wait").select_option("60")
    one.reload()
    expect(one.get_by_test_id("mail-wait")).to_have_value("60")
    expect(one.get_by_test_id("mail-2")).not_to_be_checked()
    expect(one.get_by_test_id("quiet")).to_be_checked()
    assert not findings(one)
    one.get_by_test_id("test-mail").click()
    test = mails.wait_for("ada@example.org", 2)[-1]
    ending = test["List-Unsubscribe"].strip(" <>").replace("localhost", "127.0.0.1")
    phone.goto(ending)
    phone.get_by_test_id("mail-confirm").click()
    expect(phone.get_by_test_id("mail-done")).to_contain_text("Es kommen keine E-Mails mehr")
    one.reload()
    expect(one.get_by_test_id("mail-address")).to_be_visible()
    expect(one.get_by_test_id("mail-standing")).to_have_count(0)


@pytest.mark.nightly
def test_while_the_mail_server_is_down_the_page_says_so(open_page, site, mails) -> None:
    page, other = open_page(locale="de-DE"), open_page()
    sit_down(page, other)
    mails.stop()
    try:
        page.goto(f"http://{site.web_address}/account")
        page.get_by_test_id("mail-address").fill("bob@example.org")
        page.get_by_test_id("start-mail").click()
        expect(page.get_by_test_id("refusal")).to_contain_text("Der Mailserver ist gerade nicht erreichbar")
    finally:
        mails.start()
    page.get_by_test_id("start-mail").click()
    expect(page.get_by_test_id("mail-standing")).to_contain_text("bob@example.org")


@contextlib.contextmanager
def without_gateway(site: Deployment) -> Iterator[Callable[[], None]]:
    """Have nobody answer at the page's address; yields what brings the gateway back."""
    gone, back = threading.Event(), threading.Event()

    def between() -> None:
        gone.set()
        back.wait(120)

    restarting = threading.Thread(target=lambda: site.restart("gateway", between))
    restarting.start()
    try:
        assert gone.wait(60)
        yield back.set
    finally:
        back.set()
        restarting.join(60)
        site.wait("gateway")


@pytest.mark.nightly
def test_a_move_made_without_a_network_is_made_when_it_is_back_and_a_reload_meanwhile_says_so(
    chromium: Chromium, site: Deployment
) -> None:
    context = chromium.new_context(locale="de-DE", viewport={"width": 390, "height": 844})
    context.set_default_timeout(20_000)
    page = context.new_page()
    page.goto(f"http://{site.web_address}/")
    choose_game(page, "einstein")
    page.get_by_test_id("company-here").click()
    page.get_by_test_id("play-button").click()
    expect(page.get_by_test_id("board")).to_be_visible()
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    table = page.url
    with without_gateway(site) as bring_back:
        expect(page.get_by_test_id("connection-banner")).to_contain_text("nichts von dir geht verloren")
        for _ in range(3):
            play_by_mouse(page)
        kept = page.evaluate("sessionStorage.getItem('brettwerk.outbox')")
        assert kept is not None, "the move is kept"
        page.reload()
        expect(page.get_by_role("heading", name="Keine Verbindung")).to_be_visible()
        assert page.url == table
        bring_back()
        expect(page.get_by_test_id("board")).to_be_visible(timeout=60_000)
    page.wait_for_function("() => sessionStorage.getItem('brettwerk.outbox') === null")
    context.close()


@pytest.mark.nightly
def test_the_page_can_be_installed_and_its_worker_belongs_to_this_build(open_page, site) -> None:
    page = open_page()
    manifest = page.evaluate("fetch('/manifest.webmanifest').then((response) => response.json())")
    sizes = {icon["src"]: icon["sizes"] for icon in manifest["icons"]}
    for source, size in sizes.items():
        if size == "any":
            continue
        found = page.evaluate(
            "(source) => new Promise((done) => { const image = new Image(); image.onload = () => done(`${image.width}x${image.height}`); image.src = source; })",  # noqa: E501
            source,
        )
        assert found == size
    worker = page.evaluate("fetch('/service-worker.js').then((response) => response.text())")
    files = json.loads(re.search(r"const FILES = (\[.*?\]);", worker)[1])  # type: ignore[index]
    assert "development" not in worker
    assert "/offline.html" in files
    statuses = page.evaluate(
        "(files) => Promise.all(files.map((file) => fetch(file).then((response) => response.status)))", files
    )
    assert set(statuses) == {200}
    page.evaluate(
        "() => { const offered = new Event('beforeinstallprompt'); offered.prompt = async () => (window.asked = true); dispatchEvent(offered); }"  # noqa: E501
    )
    page.get_by_test_id("open-settings").click()
    page.get_by_test_id("install").click()
    expect(page.get_by_test_id("install")).to_have_count(0)
    assert page.evaluate("window.asked") is True


@pytest.mark.nightly
def test_a_push_message_is_shown_and_leads_to_its_table(open_page) -> None:
    one, other = open_page(), open_page()
    one.context.grant_permissions(["notifications"])
    if one.evaluate("Notification.permission") != "granted":
        lacking("chromium-headless-shell shows no notifications", "remove it, and apt install chromium", optional=True)
    path = sit_down(one, other)
    one.evaluate("navigator.serviceWorker.ready.then(() => true)")
    devtools = one.context.new_cdp_session(one)
    registered: list[str] = []
    event = "ServiceWorker.workerRegistrationUpdated"
    devtools.on(event, lambda shown: registered.extend(each["registrationId"] for each in shown["registrations"]))
    devtools.send("ServiceWorker.enable")
    end = time.monotonic() + 20
    while not registered and time.monotonic() < end:
        look_again(one)
    message = {"title": "Friday night", "body": "It is your turn.", "tag": path.removeprefix("/s/"), "path": path}
    origin = one.url.partition("/s/")[0]
    pushed = {"origin": origin, "registrationId": registered[-1], "data": json.dumps(message)}
    devtools.send("ServiceWorker.deliverPushMessage", pushed)
    shown = one.evaluate(
        """async () => {
          const worker = await navigator.serviceWorker.ready;
          for (;;) {
            const found = await worker.getNotifications();
            if (found.length > 0) return found.map(({ title, body, tag }) => ({ title, body, tag }));
            await new Promise((done) => setTimeout(done, 50));
          }
        }"""
    )
    assert shown == [{"title": "Friday night", "body": "It is your turn.", "tag": message["tag"]}]
