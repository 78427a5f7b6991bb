"""How a level plays: the weights of the judgement, in armies unless said otherwise."""

from typing import NamedTuple


class Style(NamedTuple):
    """The weights of a level. A country is worth `land`, one near or above the threshold of the country bonus `rich_land`."""

    land: float = 0.8
    rich_land: float = 2.0
    exposure: float = 0.8
    """The cost of an army that is left standing in a country outside of the continents that are wanted."""
    garrison: float = 0.5
    """Armies wanted in a border country for each one that threatens it; 1 / 1.71 = 0.58 would be even."""
    ending: float = 1.0
    """How much a seat cares for putting another out of the game, 0 to 1."""
    least_chance: float = 0.4
    """Chance below which it does not attack, and the same before the first capture of a turn, which brings a card."""
    least_chance_for_card: float = 0.25
    unity: float = 39.0
    """How little a Koalitionsneigung counts: the wish to hurt a seat is its strength, in means, to the power of it / `unity`."""
    heed: float = 0.8
    """How much of a country's worth depends on the wish to hurt its owner, 0 to 1."""
    duel_hurry: float = 4.5
    """Turns less that a continent is to pay for in a game of two: of 6 where at most two countries are missing, else of 4.5.

    Such a game lasts a dozen rounds, so it finishes continents and begins none."""
    duel_rich_land: float = 0.44
    """In a game of two, `rich_land`."""
    chains: bool = True
    """Whether it plans captures from countries that it has yet to capture."""
    subtle: bool = True
    """Whether moves follow the importance of fronts, and borders of held continents are filled."""
    noise: float = 0.0
    """Greatest error of its judgement of an attack."""
    looks_ahead: bool = False
    """Whether it tries several styles and aims for a turn before it plays it (foresight.py)."""


EASY = Style(
    land=2.5,
    rich_land=2.5,
    exposure=0.0,
    garrison=0.1,
    ending=0.0,
    least_chance=0.2,
    least_chance_for_card=0.2,
    duel_hurry=0.0,
    duel_rich_land=2.5,
    chains=False,
    subtle=False,
    noise=5.0,
)
NORMAL = Style(
    land=1.2,
    exposure=0.35,
    garrison=0.58,
    ending=0.4,
    least_chance=0.38,
    duel_hurry=0.0,
    duel_rich_land=2.0,
    chains=False,
)
STRONG = Style()
EXPERT = Style(looks_ahead=True, unity=250.0)
"""A player that looks ahead sees by itself the gain of attacking the strong; a firmer coalition lets experts wait for ever."""
STYLES = (STRONG, EASY, NORMAL, STRONG, EXPERT)
"""By strength: 0 is the preset."""
