# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The inner loop of learning: brings the evaluation of positions nearer to chances that were found by looking ahead."""

from array import array

import cython
from cython.cimports.libc.math import exp

from brettwerk_games.players.einstein.kernels.places import Places


class Pupil:
    """Weights as real numbers. Places that a symmetry of the game makes equal share one weight."""

    @cython.annotation_typing(False)  # Cython takes a quoted type for one of its own
    def __init__(self, weights: "array[float]", shared: "array[int]", races: "array[int]") -> None:
        """Take the weights, and which of them each pair of places (as in the evaluation's matrix) and each race has."""
        self.weights, self.shared, self.races = weights, shared, races
        self.places = Places()

    def learn(
        self, positions: cython.ulonglong[::1], chances: cython.float[::1], count: cython.int, rate: cython.double
    ) -> float:
        """Learn `count` positions (mover, other) and their chances in order; return the sum of squares of the errors."""
        index: cython.int
        total: cython.double = 0
        error: cython.double
        with cython.nogil:
            for index in range(count):
                error = self.learn_one(positions[2 * index], positions[2 * index + 1], chances[index], rate)
                total += error * error
        return float(total)

    def learn_one(
        self, mover: cython.ulonglong, other: cython.ulonglong, chance: cython.double, rate: cython.double
    ) -> cython.double:
        """Learn one position and return the error."""
        columns = cython.declare(cython.int[12])
        used = cython.declare(cython.int[68])
        races = cython.declare(cython.int[2])
        i: cython.int
        j: cython.int
        count: cython.int = 0
        logit: cython.double = 0
        error: cython.double
        self.places.read(mover, other, columns, races)
        for i in range(12):
            for j in range(i):
                used[count] = self.shared[columns[i] * 384 + columns[j]]
                count += 1
        used[66] = self.races[races[0]]
        used[67] = self.races[15625 + races[1]]
        for i in range(68):
            logit += self.weights[used[i]]
        error = chance - 1 / (1 + exp(-logit))
        for i in range(68):
            self.weights[used[i]] += rate * error
        return error
