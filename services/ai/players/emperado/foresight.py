"""Looking ahead: each aim of a turn is played on from in short games, and the one that leaves the seat strongest is kept.

Whoever looks knows no more than the sheet shows, and takes all others to play in one style. Aims go through rungs (successive
halving): all of them are played a little, the better ones more. Games of one number begin with the same chance, so that aims
differ by what they do; aims that have come out exactly alike in all games so far are one aim.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from services.ai.players.emperado import battles, sheet
from services.ai.players.emperado.aims import Aim, Aims
from services.ai.players.emperado.kernels.playout import Playout
from services.ai.players.emperado.mind import Mind
from services.ai.players.emperado.sheet import Sheet, floats
from services.ai.players.emperado.style import STRONG, Style
from services.ai.players.interface import OutOfTime
from services.games.emperado.world import WORLD


class Rung(NamedTuple):
    """So many games of each of the best aims so far, and how many of these there are."""

    games: int
    aims: int


RUNGS = (Rung(1, 99), Rung(7, 99), Rung(16, 5), Rung(32, 2))
"""One game tells which aims are alike: nearly half of them."""
FEWER = (Rung(1, 99), Rung(4, 99), Rung(8, 4), Rung(12, 2))
"""Where more than two are left: a round has more turns then."""
ROUNDS = 1
"""How deep it looks: the own turn, and an answer of all others."""
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
        self._neutral = floats(WORLD)
        self._aims = Aims(seen, style)
        self._others = Mind(seen, STRONG)
        self._playout = Playout(seen, sheet, battles)
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
        try:
            for rung in self._rungs or (RUNGS if sum(self._sheet.standing) == 2 else FEWER):
                alive = _distinct(alive, found)[: rung.aims] if number else alive
                for _ in range(rung.games if len(alive) > 1 else 0):
                    number += 1
                    for aim, worth in self._played(aims, alive, (seed + number) * _APART % _SEEDS, is_late):
                        found[aim] += worth
        except OutOfTime:
            pass
        playout.restore()
        self._sheet.favour[:] = self._neutral
        return aims[max(alive, key=lambda aim: found[aim])]

    def _played(
        self, aims: Sequence[Aim], alive: Sequence[int], seed: int, is_late: Callable[[], bool]
    ) -> list[tuple[int, float]]:
        """Return what one game of each aim came to: of all of them, so that their sums compare. Raises OutOfTime."""
        row = []
        for number in alive:
            if is_late():
                raise OutOfTime
            row.append((number, self._playout.play(aims[number].mind, self._others, aims[number].favour, seed)))
            self.games += 1
        return row


def _distinct(aims: Sequence[int], found: Sequence[float]) -> list[int]:
    """Return the aims that came out differently, best first; of equal ones the first."""
    first = {found[aim]: aim for aim in reversed(aims)}
    return [first[worth] for worth in sorted(first, reverse=True)]
