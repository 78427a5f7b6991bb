"""How somebody plays each game in any browser, with nothing but presses on what its page shows."""

import random
import time
from collections.abc import Callable

from brettwerk_games.rules.emperado.world import NEIGHBOURS
from tests.browser import emperado, plateau, wec
from tests.browser.emperado import Seen
from tests.browser.engines import Tab
from tests.browser.play import TOUCHABLE

GAMES = ("einstein", "emperado", "plateau", "wec")
GAME_S = 500
PLIES = "() => document.querySelector('[data-testid=action-list]')?.dataset.plies"
OVER = "() => document.querySelector('[data-testid=result]')?.checkVisibility() ?? false"
MORE = f"(before) => ({PLIES})() !== before || ({OVER})()"
IDLE = "() => document.querySelector('[aria-busy=true]') === null"
OVERVIEW = f"""(country) => {{
  const overview = document.querySelector("[data-testid=overview]");
  if (!overview?.checkVisibility()) return null;
  const {{ left, top }} = overview.getBoundingClientRect();
  const {{ x, y }} = ({emperado.ON_OVERVIEW})(overview, country);
  return [left + x, top + y];
}}"""
"""Where to press the overview to see a country; null where the whole world is seen."""


def of_board(script: str) -> str:
    """Return a function without arguments for one that is given the board."""
    return f"() => ({script})(document.querySelector('[data-testid=board]'))"


def named(name: str) -> str:
    return f'[data-testid="{name}"]'


def begin(tab: Tab, site: str, game: str) -> None:
    """Sit down at a table against a computer, from the first page on."""
    tab.go(site)
    end = time.monotonic() + 20
    while not tab.run("(name) => document.querySelector(`[data-testid=${name}]`)?.checked ?? false", f"game-{game}"):
        assert time.monotonic() < end, "the game was not chosen"
        tab.press_if_possible(f"label:has({named(f'game-{game}')})")  # the page may have moved while it was still coming in
    if game == "wec":
        tab.press(named("start-usual"))
    tab.press(named("play-button"))
    tab.press(named("tour-skip"))
    tab.wait("() => document.querySelector('[data-testid=board-hint]').textContent !== ''")


def is_over(tab: Tab) -> bool:
    return bool(tab.run(OVER))


def play_einstein(tab: Tab) -> None:
    """Play until a move is made: a stone and where it goes, or what is asked first."""
    before = tab.run(PLIES)
    end = time.monotonic() + GAME_S
    while not tab.run(MORE, before):
        assert time.monotonic() < end, "it was never one's own turn"
        touchable = tab.run(of_board(TOUCHABLE))
        if touchable:
            tab.press_if_possible(named(f"square-{touchable[0]}"))


def play_emperado(tab: Tab) -> None:
    """Make a turn: place all armies, attack once where that is worth it, and end the turn."""
    mine = "([, marks, left]) => left > 0 && marks.includes('candidate')"
    tab.wait(f"() => ({mine})(({emperado.READ})()) || ({OVER})()", seconds=60)
    if is_over(tab):
        return
    seen, seat = _look(tab), "A"
    fronts = [c for c, owner in enumerate(seen.owners) if owner == seat and any(seen.owners[n] != seat for n in NEIGHBOURS[c])]
    tab.press(f"label:has({named('amount-all')})")
    _press_country(tab, max(fronts, key=lambda country: seen.armies[country]))
    seen = _changed(tab, seen)
    attacks = seen.attacks(seat)
    end = time.monotonic() + 40
    if attacks:
        source, target = attacks[0]
        if seen.marks[source] != "moving":
            _press_country(tab, source)
        tab.wait(f"(country) => ({emperado.READ})()[1][country] === 'capture'", target)
        before = _look(tab)
        while _look(tab).armies == before.armies:  # a finger is shown the odds first
            assert time.monotonic() < end, "the attack was not made"
            _press_country(tab, target)
            _settle(tab)
    if not is_over(tab):
        plies = tab.run(PLIES)
        while not tab.run(MORE, plies):  # what is said of the battle may have moved it from under the pointer
            assert time.monotonic() < end, "the turn was not ended"
            tab.press_if_possible(named("done"))
            _settle(tab)


def _look(tab: Tab) -> Seen:
    pills, marks, to_place, can_end = tab.run(emperado.READ)
    return Seen([owner for owner, _ in pills], [armies for _, armies in pills], marks, to_place, can_end)


def _settle(tab: Tab) -> None:
    """Return once the film of an action is over and all that can be done is known."""
    tab.wait(f"() => ({IDLE})() && document.querySelector('{emperado.ROLLING}') === null", seconds=30)


def _changed(tab: Tab, before: Seen) -> Seen:
    end = time.monotonic() + 20
    while _look(tab) == before:
        assert time.monotonic() < end, "nothing has happened"
    _settle(tab)
    return _look(tab)


def _press_country(tab: Tab, country: int) -> None:
    for _ in range(5):
        if tab.run(emperado.IN_SIGHT, country):
            break
        if (place := tab.run(OVERVIEW, country)) is not None:
            tab.press_at(*place)
            tab.wait(emperado.RESTS, country)
        if not tab.run(emperado.IN_SIGHT, country):
            tab.press(named("zoom-in"))
    tab.wait(emperado.RESTS, country)
    tab.press_at(*tab.run(emperado.MIDDLE, country))


def play_plateau(tab: Tab) -> None:
    """Make a turn: run for the enemy's base, and end the turn as soon as it may end."""
    far = plateau.distances(2)
    tab.wait(f"() => document.querySelector('[data-testid=board] [data-mark=candidate]') !== null || ({OVER})()", seconds=60)
    while not is_over(tab) and not tab.press_if_possible(named("end-turn")):
        armies = sorted(tab.run(of_board(plateau.SEEN))["candidates"], key=lambda army: far[army])
        before = tab.run(PLIES)
        if any(_advance(tab, army, far) for army in armies[:12]):
            tab.wait(MORE, before)
        tab.wait(IDLE)


def _advance(tab: Tab, army: str, far: dict[str, int]) -> bool:
    """Choose an army and send it where it comes nearest to the base; returns whether it could go anywhere."""
    tab.press(f"{named(f'square-{army}')} .area")
    tab.wait("(name) => document.querySelector(`[data-testid=${name}]`)?.dataset.mark === 'moving'", f"square-{army}")
    tab.wait(IDLE)
    seen = tab.run(of_board(plateau.SEEN))
    targets = [*seen["captures"], *seen["targets"]]
    if not targets:
        tab.press(f"{named(f'square-{army}')} .area")
        return False
    before = tab.run(PLIES)
    tab.press(f"{named(f'square-{min(targets, key=lambda node: far[node])}')} .area")
    steps = "[data-testid^=steps-]"
    tab.wait(f"(before, steps) => ({MORE})(before) || document.querySelector(steps) !== null", before, steps)
    tab.press_if_possible(steps)
    return True


def play_wec(tab: Tab) -> None:
    """Make a Turn: touch what it takes until the Turn has ended."""
    chance = random.Random(1)
    tab.wait(f"() => ({wec.STATE})().candidates.length > 0 || ({OVER})()", seconds=60)
    end = time.monotonic() + GAME_S
    while not is_over(tab):
        assert time.monotonic() < end, "the Turn did not end"
        name = wec.next_touch(tab.run(wec.STATE), chance)
        if name is not None and tab.press_if_possible(named(name)) and name == "mode-end":
            return


PLAY: dict[str, Callable[[Tab], None]] = {
    "einstein": play_einstein,
    "emperado": play_emperado,
    "plateau": play_plateau,
    "wec": play_wec,
}
"""How a move or a turn of each game is made, from when it is one's own."""


def play_to_the_end(tab: Tab, game: str) -> None:
    end = time.monotonic() + GAME_S
    while not is_over(tab):
        assert time.monotonic() < end, f"the game was not over after {GAME_S} s"
        PLAY[game](tab)
