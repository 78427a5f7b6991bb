"""The tables of battles, made once at the start: 15,000 sizes of battle, from the exact chances of the rules' dice.

Each holds those for all ways in which luck may count (EMP-ATTACK-15), one behind the other in the order of the option's numbers.
"""

import math
from array import array
from itertools import chain

from brettwerk_games.players.emperado.kernels.battles import battle_tables, needed
from brettwerk_games.rules.emperado.battle import MAX_DICE
from brettwerk_games.rules.emperado.chances import throw_chances
from brettwerk_games.rules.emperado.options import Luck

SAFE = 0.70
"""The chance that armies are placed for."""


def _chances(luck: Luck) -> "array[float]":
    dice = range(1, MAX_DICE + 1)
    return array("d", [p for a in dice for d in dice for p in (*throw_chances(a, d, luck), 0.0, 0.0, 0.0)[: MAX_DICE + 1]])


def _deviation(luck: Luck) -> float:
    """Return by how many pairs throws with all dice differ from their mean."""
    chances = throw_chances(MAX_DICE, MAX_DICE, luck)
    mean = sum(won * p for won, p in enumerate(chances))
    return math.sqrt(sum((won - mean) ** 2 * p for won, p in enumerate(chances)))


_OF_THROWS = [_chances(luck) for luck in Luck]
_OF_BATTLES = [battle_tables(chances) for chances in _OF_THROWS]

CHANCES = array("d", chain(*_OF_THROWS))
"""Of throws with 1 to 3 dice against 1 to 3: the chances to win 0 to 3 pairs, four for each."""
WIN, LOST, KILLED = (array("d", chain(*tables)) for tables in zip(*_OF_BATTLES, strict=True))
NEED = array("i", chain(*(needed(win, SAFE) for win, _, _ in _OF_BATTLES)))
RESERVE = array("d", [1.34 * _deviation(luck) / _deviation(Luck.FULL) for luck in Luck])
"""The attackers that a safe battle of very many takes beyond what it costs on average, for each root of the defenders."""
