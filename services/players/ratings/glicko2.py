"""Glicko-2, as Mark E. Glickman describes it in "Example of the Glicko-2 system" (http://www.glicko.net/glicko/glicko2.pdf).

The names are the paper's: a rating r, its deviation RD and the volatility sigma; mu and phi are r and RD on the Glicko-2 scale.
The numbers of its steps stand beside what carries them out. Two things are added. A result has a weight, 1 in the paper: by how
much it counts as a game of its own (seats.py says why). And RD grows with a fraction of rating periods, since time passes between
games.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

SCALE = 173.7178
"""Rating points of one unit of the Glicko-2 scale."""
MEAN = 1500.0
"""The rating of whom nothing is known."""
MAX_DEVIATION = 350.0
"""The deviation of whom nothing is known."""
MIN_DEVIATION = 45.0
"""Deviations fall no further: who plays a lot must still be able to get better."""
FIRST_VOLATILITY = 0.06
TAU = 0.5
"""How far volatility may change, the paper's system constant (0.3 to 1.2)."""
PROVISIONAL = 110.0
"""A rating with a larger deviation is provisional."""
_EXACT = 0.000001


@dataclass(frozen=True, slots=True)
class Rating:
    """The belief about a player's strength: with a chance of 95 % it is within two deviations of the rating."""

    rating: float = MEAN
    deviation: float = MAX_DEVIATION
    volatility: float = FIRST_VOLATILITY

    @property
    def is_provisional(self) -> bool:
        """Whether too little is known to compare it with others."""
        return self.deviation > PROVISIONAL


@dataclass(frozen=True, slots=True)
class Score:
    """The score of a player against an opponent: 1 for a win, 0.5 for a draw, 0 for a loss."""

    opponent: Rating
    score: float
    weight: float = 1.0


def expected(player: Rating, opponent: Rating) -> float:
    """Return the score, 0 to 1, that a player is expected to get against an opponent (E of step 3)."""
    return _expected((player.rating - MEAN) / SCALE, (opponent.rating - MEAN) / SCALE, _g(opponent.deviation / SCALE))


def aged(rating: Rating, periods: float) -> Rating:
    """Return a rating after so many rating periods without a game: less is known of it (step 6)."""
    phi = math.hypot(rating.deviation / SCALE, rating.volatility * math.sqrt(max(0.0, periods)))
    return Rating(rating.rating, min(MAX_DEVIATION, phi * SCALE), rating.volatility)


def rate(player: Rating, scores: Sequence[Score], periods: float = 1.0) -> Rating:
    """Return a player's rating after some results, `periods` rating periods after the one before; without results it ages."""
    if not scores:
        return aged(player, periods)
    mu, phi = (player.rating - MEAN) / SCALE, player.deviation / SCALE
    information, surprise = 0.0, 0.0
    for one in scores:
        g = _g(one.opponent.deviation / SCALE)
        hoped = _expected(mu, (one.opponent.rating - MEAN) / SCALE, g)
        information += one.weight * g * g * hoped * (1.0 - hoped)  # step 3: 1 / v
        surprise += one.weight * g * (one.score - hoped)  # step 4: delta / v
    v = 1.0 / information
    volatility = _volatility(player.volatility, phi, v, v * surprise)
    before = phi * phi + volatility * volatility * max(0.0, periods)  # step 6
    phi = 1.0 / math.sqrt(1.0 / before + information)  # step 7
    deviation = min(MAX_DEVIATION, max(MIN_DEVIATION, phi * SCALE))
    return Rating(MEAN + SCALE * (mu + phi * phi * surprise), deviation, volatility)  # step 8


def _g(phi: float) -> float:
    return 1.0 / math.sqrt(1.0 + 3.0 * phi * phi / (math.pi * math.pi))


def _expected(mu: float, opponent: float, g: float) -> float:
    # a chance of exactly 0 or 1 would be no information at all, and the inverse of that has no value
    return min(1.0 - 1e-9, max(1e-9, 1.0 / (1.0 + math.exp(min(700.0, -g * (mu - opponent))))))


def _volatility(sigma: float, phi: float, v: float, delta: float) -> float:
    """Return the new volatility, by the Illinois algorithm (step 5)."""
    a = math.log(sigma * sigma)

    def f(x: float) -> float:
        spread = phi * phi + v + math.exp(x)
        return math.exp(x) * (delta * delta - spread) / (2.0 * spread * spread) - (x - a) / (TAU * TAU)

    low = a
    if delta * delta > phi * phi + v:
        high = math.log(delta * delta - phi * phi - v)
    else:
        steps = 1
        while f(a - steps * TAU) < 0.0:
            steps += 1
        high = a - steps * TAU
    at_low, at_high = f(low), f(high)
    while abs(high - low) > _EXACT:
        middle = low + (low - high) * at_low / (at_high - at_low)
        at_middle = f(middle)
        if at_middle * at_high <= 0.0:
            low, at_low = high, at_high
        else:
            at_low /= 2.0
        high, at_high = middle, at_middle
    return math.exp(low / 2.0)
