"""Looking ahead: each aim of a turn is played on from in short games, and the one that leaves the seat strongest is kept.

A seat that looks ahead knows no more than the sheet shows, and takes all others to play in one style. Aims go through rungs
(successive halving): all of them are played a little, the better ones more. Games of one number begin with the same chance, so
that aims differ by what they do; aims that have come out exactly alike in all games so far are one aim.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from brettwerk_games.players.emperado import battles
from brettwerk_games.players.emperado.aims import Aim, Aims
from brettwerk_games.players.emperado.kernels.playout import Playout
from brettwerk_games.players.emperado.mind import Mind
from brettwerk_games.players.emperado.sheet import Sheet, floats
from brettwerk_games.players.emperado.style import STRONG, Style
from brettwerk_games.players.interface import OutOfTime
from brettwerk_games.rules.emperado.world import MAX_COUNTRIES


class Rung(NamedTuple):
    """How many games to play of each of the best aims so far, and how many of these aims there are."""

    games: int
    aims: int


RUNGS = (Rung(8, 99), Rung(16, 5), Rung(32, 2))
FEWER = (Rung(2, 99), Rung(4, 3), Rung(4, 2))
"""Where more than two are left: a round has more turns then. So aims that play one turn alike are taken for one aim before."""
ROUNDS = 1
"""How deep it looks: the own turn, and an answer of all others."""
DECIDED = 0.5
"""How many games are taken to be decided as long as more than two are left, from 0 to 1.

The others count for all who are left in them alike, so that whoever puts a seat out has gained by it.
"""
_SEEDS = 2_147_483_647
_APART = 48_271
"""Seeds of games lie far apart: those of generators that begin side by side would look alike."""


class Foresight:
    """Chooses the aims of turns on one sheet, which it leaves as it was, with no favour for anything."""

    def __init__(self, seen: Sheet, style: Style, rungs: Sequence[Rung] = ()) -> None:
        """Look at a sheet; whoever owns it may change it between choices. `style` is that of the first aim.

        `rungs` are other ones than RUNGS and FEWER.
        """
        self._sheet = seen
        self._neutral = floats(MAX_COUNTRIES)
        self._aims = Aims(seen, style)
        self._others = Mind(seen, STRONG)
        self._playout = Playout(seen, seen.ground, battles)
        self._rungs = rungs
        self.games = 0
        """Games that the last choice took."""

    def choose(self, seed: int, is_late: Callable[[], bool]) -> Aim:
        """Return the aim for the rest of the turn of the seat to act; the same for the same sheet and seed.

        Unless `is_late` says before a game that there is no time for it: then it is the best so far.
        """
        playout = self._playout
        self._sheet.favour[:] = self._neutral
        aims = self._aims.of_turn()
        found = [0.0] * len(aims)
        alive: list[int] = list(range(len(aims)))
        playout.note()
        self.games = number = 0
        are_two = sum(self._sheet.alive) == 2
        try:
            alive = alive if are_two else self._apart(aims, seed)
            for rung in self._rungs or (RUNGS if are_two else FEWER):
                alive = _distinct(alive, found)[: rung.aims] if number else alive
                for _ in range(rung.games if len(alive) > 1 else 0):
                    number += 1
                    for aim, came in self._played(aims, alive, (seed + number) * _APART % _SEEDS, is_late):
                        found[aim] += came
        except OutOfTime:
            pass
        playout.restore()
        self._sheet.favour[:] = self._neutral
        return aims[max(alive, key=lambda aim: found[aim])]

    def _apart(self, aims: Sequence[Aim], seed: int) -> list[int]:
        """Return the aims whose turns come to different positions, of equal ones the first."""
        first: dict[tuple[bytes, bytes], int] = {}
        for number, aim in enumerate(aims):
            self._playout.play(aim.mind, self._others, aim.favour, seed * _APART % _SEEDS, False)
            first.setdefault((self._sheet.owners.tobytes(), self._sheet.armies.tobytes()), number)
        return list(first.values())

    def _played(
        self, aims: Sequence[Aim], alive: Sequence[int], seed: int, is_late: Callable[[], bool]
    ) -> list[tuple[int, float]]:
        """Return what one game of each aim came to: of all of them, so that their sums compare. Raises OutOfTime."""
        row = []
        for number in alive:
            if is_late():
                raise OutOfTime
            chance = self._playout.play(aims[number].mind, self._others, aims[number].favour, seed)
            row.append((number, worth(chance, sum(self._sheet.alive))))
            self.games += 1
        return row


def worth(chance: float, left: int) -> float:
    """Return what a seat may expect of a game that it wins with such a chance if anybody does, with that many seats left."""
    return DECIDED * chance + (1 - DECIDED) / left if chance and left > 2 else chance


def _distinct(aims: Sequence[int], found: Sequence[float]) -> list[int]:
    """Return the aims that came out differently, best first; of equal ones the first."""
    first = {found[aim]: aim for aim in reversed(aims)}
    return [first[came] for came in sorted(first, reverse=True)]
