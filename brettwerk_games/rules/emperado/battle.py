"""Battles: dice against dice (EMP-ATTACK-4 to EMP-ATTACK-8)."""

from collections import deque
from typing import NamedTuple

from brettwerk_games.rules.chance import Dice
from brettwerk_games.rules.emperado.actions import MAX_THROWS, TO_THE_END, Throw
from brettwerk_games.rules.emperado.luck import draw, share
from brettwerk_games.rules.emperado.options import Luck

MAX_DICE = 3
"""Dice of a side at most (EMP-ATTACK-5)."""
REMEMBERED = 20
"""Throws of a battle that are told of."""
_BLOCKS = 2
"""Blocks of words for the dice of a throw: six words and up to seven for what luck leaves open, and as good as never more."""


class Battle(NamedTuple):
    """How a series of throws ended: the armies of both countries after it, and the last throws."""

    attackers: int
    defenders: int
    throws: int
    last: tuple[Throw, ...]


def attacker_dice(armies: int) -> int:
    """Return how many dice a country attacks with: the army that stays behind gets none (EMP-ATTACK-5).

    >>> [attacker_dice(armies) for armies in (1, 2, 3, 9)]
    [0, 1, 2, 3]
    """
    return min(MAX_DICE, armies - 1)


def defender_dice(armies: int) -> int:
    """Return how many dice a country defends itself with (EMP-ATTACK-5).

    >>> [defender_dice(armies) for armies in (1, 2, 3, 9)]
    [1, 2, 3, 3]
    """
    return min(MAX_DICE, armies)


def losses(throw: Throw) -> tuple[int, int]:
    """Return what attacker and defender lose: pairs from the top, and a tie goes to the defender (EMP-ATTACK-6).

    Where luck counts less, the throw says how many pairs are won.

    >>> losses(Throw((6, 4, 1), (5, 4)))
    (1, 1)
    """
    pairs = min(len(throw.attacker), len(throw.defender))
    won = throw.won
    if won is None:
        won = sum([ours > theirs for ours, theirs in zip(throw.attacker, throw.defender, strict=False)])
    return pairs - won, won


def throw(attackers: int, defenders: int, dice: Dice, luck: Luck = Luck.FULL) -> Throw:
    """Return a throw of countries with that many armies, the attacker's dice first.

    >>> throw(4, 2, Dice(SEED, "throws"))
    Throw(attacker=(4, 3, 3), defender=(5, 2), won=None)
    """
    ours = sorted([dice.roll() for _ in range(attacker_dice(attackers))], reverse=True)
    theirs = sorted([dice.roll() for _ in range(defender_dice(defenders))], reverse=True)
    return _evened(Throw(tuple(ours), tuple(theirs)), luck, dice)


def _evened(thrown: Throw, luck: Luck, dice: Dice) -> Throw:
    """Return the throw with what it wins by the option: where that is not for the dice of it alone to say (EMP-ATTACK-15)."""
    ours, theirs = len(thrown.attacker), len(thrown.defender)
    if luck == Luck.FULL or min(ours, theirs) == 1:
        return thrown
    return thrown._replace(won=draw(share(luck, ours, theirs, losses(thrown)[1]), dice))


class HeldDice:
    """The dice of a seed that is held: three lie ready for either side in each throw, by its number (EMP-UNDO-3).

    So what a throw shows hangs on its number alone, however many dice were thrown before and whatever else was done.
    """

    def __init__(self, seed: bytes, thrown: int) -> None:
        """Begin after so many throws."""
        self._dice = Dice(seed, "throws")
        self._thrown = thrown

    def throw(self, attackers: int, defenders: int, luck: Luck = Luck.FULL) -> Throw:
        """Return the next throw of countries with that many armies. What luck leaves open is drawn behind these dice."""
        self._dice.go_to(_BLOCKS * self._thrown)
        self._thrown += 1
        ours, theirs = ([self._dice.roll() for _ in range(MAX_DICE)] for _ in range(2))
        ours, theirs = ours[: attacker_dice(attackers)], theirs[: defender_dice(defenders)]
        return _evened(Throw(tuple(sorted(ours, reverse=True)), tuple(sorted(theirs, reverse=True))), luck, self._dice)


def fight(attackers: int, defenders: int, throws: int, dice: Dice | HeldDice, luck: Luck = Luck.FULL) -> Battle:
    """Return what comes of so many throws, or TO_THE_END: the target has no army or the attacker one left (EMP-ATTACK-4).

    >>> battle = fight(4, 2, TO_THE_END, Dice(SEED, "throws"))
    >>> battle.attackers, battle.defenders, battle.throws
    (1, 1, 3)
    """
    last: deque[Throw] = deque(maxlen=REMEMBERED)
    count, most = 0, MAX_THROWS if throws == TO_THE_END else throws
    while count < most and defenders and attackers > 1:
        thrown = dice.throw(attackers, defenders, luck) if isinstance(dice, HeldDice) else throw(attackers, defenders, dice, luck)
        ours, theirs = losses(thrown)
        attackers, defenders, count = attackers - ours, defenders - theirs, count + 1
        last.append(thrown)
    return Battle(attackers, defenders, count, tuple(last))


def max_throws(attackers: int, defenders: int) -> int:
    """Return how many throws a battle to the end takes at most: every throw costs one side an army or more.

    >>> max_throws(4, 2)
    4
    """
    return attackers - 1 + defenders - 1
