"""The tables of battles, made once at the start: 15,000 sizes of battle, from the exact chances of the rules' dice."""

from array import array

from brettwerk_games.players.emperado.kernels.battles import battle_tables, needed
from brettwerk_games.rules.emperado.battle import MAX_DICE
from brettwerk_games.rules.emperado.chances import throw_chances

SAFE = 0.70
"""The chance that armies are placed for."""


def _chances() -> "array[float]":
    dice = range(1, MAX_DICE + 1)
    return array("d", [p for a in dice for d in dice for p in (*throw_chances(a, d), 0.0, 0.0, 0.0)[: MAX_DICE + 1]])


CHANCES = _chances()
"""Of throws with 1 to 3 dice against 1 to 3: the chances to win 0 to 3 pairs, four for each."""
WIN, LOST, KILLED = battle_tables(CHANCES)
NEED = needed(WIN, SAFE)
