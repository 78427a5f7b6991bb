# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The evaluation at the horizon, read from its weights (evaluation.py)."""

import cython

from brettwerk_games.players.einstein.evaluation import Evaluation
from brettwerk_games.players.einstein.kernels.places import Places


class Horizon:
    """The evaluations of positions."""

    def __init__(self, evaluation: Evaluation) -> None:
        """Take an evaluation."""
        self.places = Places()
        self.distance = self.places.distance
        self.take(evaluation)

    def take(self, evaluation: Evaluation) -> None:
        """Use this evaluation from now on."""
        self.matrix, self.races, self.curve = evaluation.matrix, evaluation.races, evaluation.curve

    def read_curve(self, logit: cython.int) -> cython.double:
        """Return the chance of an evaluation."""
        place: cython.int = 0 if logit < -49152 else 98303 if logit > 49151 else logit + 49152
        below: cython.double = self.curve[place >> 5]
        return below + (self.curve[(place >> 5) + 1] - below) * (place & 31) / 32

    def weigh(self, mover: cython.ulonglong, other: cython.ulonglong) -> cython.int:
        """Return the evaluation, straight."""
        columns = cython.declare(cython.int[12])
        races = cython.declare(cython.int[2])
        i: cython.int
        j: cython.int
        total: cython.int = 0
        self.places.read(mover, other, columns, races)
        for i in range(12):
            for j in range(i):
                total += self.matrix[columns[i] * 384 + columns[j]]
        return total + self.races[races[0]] + self.races[15625 + races[1]]
