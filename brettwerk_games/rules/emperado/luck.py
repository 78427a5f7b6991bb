"""How many pairs of a throw the attacker wins where luck decides less than dice would have it (EMP-ATTACK-15).

Everything is counted in whole numbers: a share of `of` throws, which is a power of six, so that further dice draw it exactly.
"""

from typing import NamedTuple

from brettwerk_games.rules.chance import Dice
from brettwerk_games.rules.emperado.options import Luck

WON = ((15, 55, 225), (125, 1010, 3939), (855, 8391, 51642))
"""By dice of attacker and defender: the pairs that the attacker wins in all ways in which these dice fall, one after another."""


class Share(NamedTuple):
    """Pairs that are won: so many whole ones, and one more in `part` of `of` throws."""

    whole: int
    part: int
    of: int


def share(luck: Luck, attacker: int, defender: int, won: int) -> Share:
    """Return what so many dice win that would win `won` pairs if they decided alone.

    A single pair is won or lost, so that dice decide it.

    >>> share(Luck.LITTLE, 3, 2, 0)
    Share(whole=1, part=3690, of=46656)
    >>> share(Luck.HALF, 3, 2, 0)
    Share(whole=0, part=25173, of=46656)
    """
    of: int = 6 ** (attacker + defender + 1)
    if luck == Luck.FULL or min(attacker, defender) == 1:
        return Share(won, 0, of)
    average = 6 * WON[attacker - 1][defender - 1]
    counted = average if luck == Luck.LITTLE else (average + won * of) // 2
    return Share(*divmod(counted, of), of)


def draw(found: Share, dice: Dice) -> int:
    """Return the pairs that are won after all: further dice are the digits of a number, to base six, that the part is held to."""
    whole, part, of = found
    while part:
        of //= 6
        digit, part = divmod(part, of)
        roll = dice.roll() - 1
        if roll != digit:
            return whole + (roll < digit)
    return whole
