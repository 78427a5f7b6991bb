"""How likely a seat is to win: its strength against the others', as games of computers among themselves have shown.

The chance is s^f over the sum of all seats' s^f, where s is the judgement's strength. The firmness f depends on how many seats
are left, since others join against the strongest: it was fitted to the outcomes of such games (least squares) by
`python -m brettwerk_games.players.emperado.measure.statistics calibration`, where a game without a winner counts for all seats
that are left in it alike.
"""

from collections.abc import Sequence

from brettwerk_games.players.emperado.sheet import Sheet

FIRMNESS = (1.0, 1.0, 2.4, 0.35, 0.4, 0.25, 0.25)
"""By number of seats that are left, at the preset Koalitionsneigung of 40; without a coalition it would be firmer."""
MIN_CHANCE = 0.001
"""No chance is told that is nearer to 0 or 1."""


def chance_of(mine: float, others: Sequence[float], firmness: float = 0.0) -> float:
    """Return the chance of a seat of strength `mine` against seats of such strengths, 0 to 1."""
    firmness = firmness or FIRMNESS[len(others) + 1]
    own = max(1.0, mine) ** firmness
    chance = own / (own + sum(max(0.0, other) ** firmness for other in others))
    return float(min(1 - MIN_CHANCE, max(MIN_CHANCE, chance)))


def rivals(sheet: Sheet) -> list[float]:
    """Return the strengths of all others in the game."""
    return [sheet.strength[seat] for seat in range(sheet.seats) if seat != sheet.me and sheet.alive[seat]]


def win_chance(sheet: Sheet, armies: float = 0.0) -> float:
    """Return the chance of the seat that looks, 0 to 1, with that many armies more; the sheet must have been judged."""
    return chance_of(sheet.strength[sheet.me] + armies, rivals(sheet))
