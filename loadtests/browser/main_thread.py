"""Measures what a shown action costs the main thread of a browser: `python -m loadtests.browser.main_thread`.

It starts a deployment and a Chromium for each game, in which somebody plays a game to its end against computers: what they do is
what the server's hints advise, and the page shows it together with what the computers do, in the usual pace. From one action that
is shown to the next, everything that the page's main thread did counts for the first one: taking the update in, drawing it, its
film, the clocks. It prints milliseconds of that thread's CPU time: the median, the 95th percentile, the mean, and how the mean
is made up. With `--wall`, what passes by the clock of the wall.

Others who keep the machine busy make CPU time longer, too. So the same page does fixed work again and again in between, and what
an action costs is given as a share of that as well, by which two runs on machines that are differently busy can be compared.
"""

import argparse
import json
import statistics
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

from brettwerk.v1 import play_pb2, sessions_pb2
from brettwerk_client import Client, Seat, computer, me, refusals
from brettwerk_client.progress import OVER
from deploy.local import chromium, web
from deploy.local.deployment import Deployment
from loadtests import markdown

FIXED_WORK_EVERY = 5
"""After so many actions the page does the fixed work once."""
SEATS = {"einstein": 2, "emperado": 4, "plateau": 2, "wec": 2}
SCREENS = {"desktop": (1440, 900), "full-hd": (1920, 1080), "phone": (390, 844)}
WORK = {"script": "ScriptDuration", "style": "RecalcStyleDuration", "layout": "LayoutDuration"}
PAUSE_MS = 20.0
"""Between two looks at what the page has told."""
STUCK_S = 60.0
"""A page that shows nothing new for so long is a fault."""

TELL = """
const told = () => {
  const plies = document.querySelector("[data-testid=action-list]")?.dataset.plies;
  if (plies !== undefined) tellShown(`${plies} ${document.querySelector("[data-testid=result]") !== null}`);
};
new MutationObserver(told).observe(document, { subtree: true, attributeFilter: ["data-plies", "data-testid"] });
setInterval(() => document.querySelector("[data-testid=playback-go].main")?.click(), 250);
"""
"""Tells how many actions are shown, and whether the game is over; goes on wherever the page waits for a player to do so.

Whoever asked the page again and again would make it work for that.
"""
FIXED_WORK = """() => {
  const host = document.createElement("div");
  host.style.cssText = "position: fixed; inset: 0; contain: strict; visibility: hidden";
  document.body.append(host);
  let sum = 0;
  for (let round = 0; round < 3; round++) {
    host.replaceChildren(...Array.from({ length: 100 }, (_, each) => {
      const line = document.createElement("span");
      line.style.padding = "1px";
      line.textContent = `line ${each} of round ${round}`;
      return line;
    }));
    sum += host.lastElementChild.getBoundingClientRect().right;
    for (let each = 0; each < 50_000; each++) sum = (sum * 31 + each) % 65_521;
  }
  host.remove();
  return sum;
}"""
"""Work as a page has it, always the same: elements that are laid out, and a script."""
DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
"""Is kept when all that there was to draw is drawn."""


@dataclass(frozen=True)
class Cost:
    """The cost of one action, in milliseconds."""

    total: float
    kinds: dict[str, float]


@dataclass(frozen=True)
class Measured:
    """The costs of actions, and the times of the fixed work in between, in milliseconds."""

    costs: list[Cost] = field(default_factory=list)
    fixed: list[float] = field(default_factory=list)

    @property
    def share(self) -> float:
        """The median of the costs as a share of the fixed work.

        Of that the fastest counts: it is short, and others who come in between slow it down more than what takes longer.
        """
        return statistics.median(cost.total for cost in self.costs) / min(self.fixed)


class Watched:
    """A page that tells what it shows, and what its main thread has done for that."""

    def __init__(self, page: Page, *, wall: bool) -> None:
        self.page, self.shown, self.is_over = page, 0, False
        self._session: CDPSession = page.context.new_cdp_session(page)
        self._session.send("Performance.enable", {"timeDomain": "timeTicks" if wall else "threadTicks"})
        self._session.on("Runtime.bindingCalled", self._shown)
        self._session.send("Runtime.enable")
        self._session.send("Runtime.addBinding", {"name": "tellShown"})
        page.evaluate(f"() => {{ {TELL} told(); }}")

    def _shown(self, call: dict[str, str]) -> None:
        plies, over = call["payload"].split()
        self.shown, self.is_over = int(plies), over == "true"

    def fixed_work(self) -> float:
        """Return how many milliseconds of the thread the fixed work takes just now."""
        before = self.spent().total
        self.page.evaluate(FIXED_WORK)
        taken = self.spent().total - before
        self.page.evaluate(DRAWN)
        return taken

    def spent(self) -> Cost:
        """Return what its main thread has done since it was opened."""
        found = {each["name"]: each["value"] * 1000 for each in self._session.send("Performance.getMetrics")["metrics"]}
        return Cost(found["TaskDuration"], {kind: found[name] for kind, name in WORK.items()})


def between(earlier: Cost, later: Cost, actions: int) -> Cost:
    """Return what each of so many actions cost that were shown in between."""
    kinds = {kind: (later.kinds[kind] - earlier.kinds[kind]) / actions for kind in WORK}
    return Cost((later.total - earlier.total) / actions, kinds)


def act(client: Client, seat: Seat, update: sessions_pb2.Update) -> None:
    """Do what a computer would do, or the last thing that can be done."""
    asked = play_pb2.GetHintRequest(session_id=seat.session_id, seat_token=seat.token, level="easy")
    try:
        seat.act(update, client.call(client.service.GetHint, asked).hints[0].action)
    except (refusals.Refused, IndexError):
        seat.act(update, update.actions[-1])


def open_table(browser: Browser, address: str, client: Client, game: str, screen: tuple[int, int]) -> tuple[Page, Seat]:
    """Create a table and open it in a browser; return the page and the seat that plays in it."""
    player = client.sign_in(play_pb2.CreatePlayerRequest(name="Ada"))
    seat = client.create_session(game, [me(), *[computer("normal")] * (SEATS[game] - 1)]).seat
    stored = {
        "brettwerk.settings": {"tours": list(SEATS), "sound": False},
        "brettwerk.player": {"id": player.id, "token": player.token, "name": player.name},
        f"brettwerk.seats.{seat.session_id}": {"at": 0, "tokens": {str(seat.number): seat.token}},
    }
    width, height = screen
    page = browser.new_page(viewport={"width": width, "height": height}, locale="en-GB")
    keep = "([key, value]) => localStorage.setItem(key, JSON.stringify(value))"
    page.add_init_script(f"Object.entries({json.dumps(stored)}).forEach({keep})")
    page.goto(f"http://{address}/s/{seat.session_id}")
    page.get_by_test_id("board").first.wait_for()
    return page, seat


def measure(watched: Watched, client: Client, seat: Seat, most: int) -> Measured:
    """Play to the end, or until so many actions have been shown; return what each of them cost."""
    measured = Measured()
    shown, before, changed_at = watched.shown, watched.spent(), time.monotonic()
    counts = True
    while not watched.is_over and len(measured.costs) < most:
        update = seat.update()
        # Not before the page shows all that was done: its player chooses from that.
        if update.actions and update.session.plies == shown:
            act(client, seat, update)
        watched.page.wait_for_timeout(PAUSE_MS)
        now = watched.shown
        if now > shown:
            spent = watched.spent()
            if counts:
                measured.costs.extend([between(before, spent, now - shown)] * (now - shown))
            # The action during which the fixed work is done does not count.
            counts = len(measured.costs) < FIXED_WORK_EVERY * (len(measured.fixed) + 1)
            if not counts:
                measured.fixed.append(watched.fixed_work())
            shown, before, changed_at = now, spent, time.monotonic()
        elif update.session.state in OVER:
            break
        elif time.monotonic() - changed_at > STUCK_S:
            raise TimeoutError(f"nothing new is shown after {shown} actions")
    return measured


def row(game: str, measured: Measured) -> str:
    """Return a line of the table."""
    totals = [cost.total for cost in measured.costs]
    worst = statistics.quantiles(totals, n=20)[-1]
    kinds = [statistics.fmean(cost.kinds[kind] for cost in measured.costs) for kind in WORK]
    milliseconds = [statistics.median(totals), worst, statistics.fmean(totals), *kinds, min(measured.fixed)]
    numbers = [*(f"{number:.1f}" for number in milliseconds), f"{measured.share:.2f}"]
    return markdown.row((game, len(totals), *numbers))


def main() -> None:
    """Play the games and print the table."""
    parser = argparse.ArgumentParser(prog="python -m loadtests.browser.main_thread", description=__doc__)
    parser.add_argument("--game", choices=SEATS, action="append", help="only this game; can be given several times")
    parser.add_argument("--screen", choices=SCREENS, default="desktop")
    parser.add_argument("--actions", type=int, default=400, help="how many actions are shown at most (400)")
    parser.add_argument("--speed", choices=("0.5", "1", "2", "4", "8"), help="shows what computers do so many times as fast")
    parser.add_argument("--wall", action="store_true", help="measure what passes by the clock, not CPU time")
    args = parser.parse_args()
    web.build(print)
    print(markdown.head(("game", "actions", "median", "95 %", "mean", "of it script", "style", "layout", "fixed work", "share")))
    with tempfile.TemporaryDirectory() as data, Deployment(data=Path(data)) as deployment, sync_playwright() as playwright:
        for game in args.game or SEATS:
            browser = playwright.chromium.launch(executable_path=chromium.find(), args=chromium.ARGUMENTS)
            with Client(deployment.grpc_address, name="Ada") as client:
                screen = SCREENS[args.screen]
                page, seat = open_table(browser, deployment.web_address, client, game, screen)
                if args.speed and page.get_by_test_id("playback-speed").count():
                    page.get_by_test_id("playback-speed").select_option(args.speed)
                measured = measure(Watched(page, wall=args.wall), client, seat, args.actions)
                print(row(game, measured), flush=True)
            browser.close()


if __name__ == "__main__":
    main()
