"""How somebody plays Empire Plateau in a browser: by touch, from what the board shows."""

import re
import time
from collections.abc import Callable

from playwright.sync_api import Page, expect

from brettwerk_games.rules.plateau.board import bits, setup
from brettwerk_games.rules.plateau.options import Shape, Size
from tests.browser.play import is_over, look_again, press_at

GAME_S = 700
"""How long a whole game may take where many programs share the machine; a minute is usual."""

# The marks that a player sees: where they can go from each army that they have chosen, and how far it is to an enemy base.
SEEN = """(board) => {
  const of = (mark) => [...board.querySelectorAll(`[role=row] [data-mark=${mark}]`)].map((cell) => cell.dataset.testid.slice(7));
  return { candidates: of("candidate"), moving: of("moving"), targets: of("target"), captures: of("capture") };
}"""


def start(page: Page, company: str, seats: int = 2, **options: str) -> None:
    set_up(page, company, seats, **options)
    expect(page.get_by_test_id("board")).to_be_visible()


def set_up(page: Page, company: str, seats: int = 2, **options: str) -> None:
    """Create a table, whose game begins when all have sat down."""
    page.get_by_test_id("game-plateau").check(force=True)
    page.get_by_test_id(f"company-{company}").click()
    page.get_by_test_id("more-settings").click()
    page.get_by_test_id("seat-count").select_option(str(seats))
    for key, value in options.items():
        field = page.get_by_test_id(f"option-{key}")
        expect(field).to_be_attached()
        field.evaluate(
            "field => { for (let each = field; each; each = each.parentElement) if ('open' in each) each.open = true; }"
        )
        if value == "on":
            field.locator("input").check()
        else:
            field.locator("select").select_option(label=value)
    page.get_by_test_id("play-button").click()


def seen(page: Page) -> dict[str, list[str]]:
    found: dict[str, list[str]] = page.get_by_test_id("board").evaluate(SEEN)
    return found


def touch(page: Page, node: str) -> None:
    page.get_by_test_id(f"square-{node}").dispatch_event("click")


def click(page: Page, node: str) -> None:
    """Do the same by mouse or finger, as people do, and scroll to the node where it is out of sight."""
    area = page.locator(f"[data-testid=square-{node}] .area")
    if "unrolled" in str(page.get_by_test_id("board").get_attribute("class")):
        area.evaluate("each => each.scrollIntoView({ block: 'center' })")
    box = area.bounding_box()
    assert box is not None
    press_at(page, box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


Hand = Callable[[Page, str], None]


def pick(page: Page, army: str, hand: Hand = touch) -> dict[str, list[str]]:
    """Touch an army that is not chosen and return what is seen once it is, and all that it can do is known."""
    hand(page, army)
    expect(page.get_by_test_id(f"square-{army}")).to_have_attribute("data-mark", "moving")
    expect(page.locator("[aria-busy=true]")).to_have_count(0)
    return seen(page)


def let_go(page: Page, army: str, hand: Hand = touch) -> None:
    """Touch the army that is chosen, so that none is any more."""
    hand(page, army)
    expect(page.get_by_test_id(f"square-{army}")).not_to_have_attribute("data-mark", "moving")


def to_move(page: Page) -> bool:
    return page.get_by_test_id("end-turn").or_(page.get_by_test_id("cancel")).first.is_visible()


def wait_for_move(page: Page, before: str) -> None:
    """Wait until something more has been played, or taken back, or the game is over."""
    page.wait_for_function(
        """before => document.querySelector("[data-testid=result]")?.checkVisibility()
            || document.querySelector("[data-testid=action-list]").dataset.plies !== before""",
        arg=before,
        timeout=60_000,
    )


def played(page: Page) -> str:
    return str(page.get_by_test_id("action-list").get_attribute("data-plies"))


def send(page: Page, target: str, steps: int | None = None, hand: Hand = touch) -> int:
    """Touch a target of the chosen army and, where there are several, the number of steps: the fewest when none is given."""
    cell = page.get_by_test_id(f"square-{target}")
    expect(cell).to_have_attribute("data-mark", re.compile("target|capture"))
    received = str(cell.get_attribute("aria-label")).rpartition(": ")[2]
    offered = [int(each) for each in received.split("/")]
    wanted = offered[0] if steps is None else steps
    assert wanted in offered, f"{target} can be reached in {offered} steps"
    hand(page, target)
    if len(offered) > 1:
        page.get_by_test_id(f"steps-{wanted}").click()
    return wanted


def move(page: Page, source: str, target: str, steps: int) -> None:
    """Move an army by touching it and where it goes."""
    before = played(page)
    touch(page, source)
    send(page, target, steps)
    wait_for_move(page, before)


def end_turn(page: Page) -> None:
    before = played(page)
    page.get_by_test_id("end-turn").click()
    wait_for_move(page, before)


def distances(seats: int) -> dict[str, int]:
    """Return how far each node is from the nearest base of another than the first seat."""
    there = setup(Size.FITTING, Shape.ROUND, seats)
    assert there is not None
    board = there.board
    far: dict[str, int] = {}
    layer = sum(1 << base for base in there.bases[1:])
    for steps in range(40):
        far.update({board.names[node]: steps for node in bits(layer) if board.names[node] not in far})
        layer |= board.spread(layer)
    return far


def best(page: Page, far: dict[str, int], candidates: list[str], hand: Hand) -> tuple[str, str] | None:
    """Return the army and the target that come nearest to an enemy base, of all that the board offers when it is asked."""
    found = []
    for army in candidates[:12]:
        if page.get_by_test_id(f"square-{army}").get_attribute("data-mark") != "candidate":
            continue  # all that can be done is known by now, and it can do nothing
        offered = pick(page, army, hand)
        for target in (*offered["targets"], *offered["captures"]):
            gain = far[army] - far[target] + (3 if target in offered["captures"] else 0) + (100 if far[target] == 0 else 0)
            found.append((gain, army, target))
        let_go(page, army, hand)
    if not found:
        return None
    _, army, target = max(found)
    return army, target


def play_to_the_end(page: Page, seats: int, *, by_mouse: bool = False) -> None:
    """Play the first seat: run for the bases, and end turns when they may end."""
    hand = click if by_mouse else touch
    far = distances(seats)
    page.get_by_test_id("playback-speed").select_option("8")
    end = time.monotonic() + GAME_S
    while time.monotonic() < end and not is_over(page):
        if not to_move(page):
            look_again(page)
            continue
        ending = page.get_by_test_id("end-turn")
        now = seen(page)
        if ending.is_visible() and ending.is_enabled():
            end_turn(page)
            continue
        chosen = best(page, far, sorted(now["candidates"], key=lambda army: far[army]), hand)
        if chosen is None:
            look_again(page)
            continue
        before = played(page)
        pick(page, chosen[0], hand)
        send(page, chosen[1], hand=hand)
        wait_for_move(page, before)
    assert is_over(page)


def march(page: Page, base: int) -> None:
    """Make a turn of six steps that leaves the base closed."""
    move(page, f"G{base}", f"K{base}", 4)
    move(page, f"F{base}", f"H{base}", 2)
    end_turn(page)


def open_up(page: Page, base: int) -> None:
    """Make a turn that opens the rim beside the base."""
    move(page, f"A{base - 1}", f"B{base - 2}", 2)
    move(page, f"G{base}", f"K{base}", 4)
    end_turn(page)
