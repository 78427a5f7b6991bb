"""The evaluation at the horizon: what each pair of stones is worth where it stands, and how the two races stand.

The logarithm of the odds of the side to move is the sum of 66 weights, one for each pair of the twelve stones and the places
they are on (26, one of them off the board), and two more, for the distances of each side's stones to the corner. The weights
were learnt by playing against itself (training.py).
"""

import math
import sys
from array import array
from dataclasses import dataclass
from functools import cache
from pathlib import Path

STONES = 12
"""The mover's six, then the other's."""
PLACES = 26
"""25 squares as their owner counts them, and off the board."""
PAIRS = tuple((a, b) for b in range(STONES) for a in range(b))
RACES = 5**6
"""Distances of six stones to the corner, 0 for one that is gone."""
UNIT = 4096
"""Weights are whole numbers; so many of them are 1."""
WEIGHTS = len(PAIRS) * PLACES * PLACES + 2 * RACES
PATH = Path(__file__).with_name("weights.bin")
_WIDTH = 32
_COLUMNS = STONES * _WIDTH
_STEPS = 3072
"""Of the curve from odds to chances, which goes from -12 to 12."""


@dataclass(frozen=True)
class Evaluation:
    """Weights as the kernels read them."""

    matrix: "array[int]"
    """Place of one stone (stone * 32 + square, 31 off the board) * 384 + place of another: the pair's weight."""
    races: "array[int]"
    """The mover's, then the other's, by the sum of distance * 5**stone."""
    curve: "array[float]"


def expanded(weights: "array[int]") -> Evaluation:
    """Return the evaluation of `WEIGHTS` whole numbers: by pair, place of the first and place of the second; then the races."""
    matrix = array("h", bytes(2 * _COLUMNS * _COLUMNS))
    columns = [square if square < PLACES - 1 else _WIDTH - 1 for square in range(PLACES)]
    begin = 0
    for a, b in PAIRS:
        for p in columns:
            for q in columns:
                weight = weights[begin]
                matrix[(a * _WIDTH + p) * _COLUMNS + b * _WIDTH + q] = weight
                matrix[(b * _WIDTH + q) * _COLUMNS + a * _WIDTH + p] = weight
                begin += 1
    curve = array("f", [1 / (1 + math.exp(-(step * 24 / _STEPS - 12))) for step in range(_STEPS + 1)])
    return Evaluation(matrix, weights[begin:], curve)


def read_weights(path: Path = PATH) -> "array[int]":
    """Return the weights of a file: 16-bit numbers, the low byte first. Raises ValueError for a file of another size."""
    weights = array("h", path.read_bytes())
    if sys.byteorder == "big":
        weights.byteswap()
    if len(weights) != WEIGHTS:
        raise ValueError(f"{path} holds {len(weights)} weights, not {WEIGHTS}")
    return weights


@cache
def evaluation() -> Evaluation:
    """Return the evaluation of the package, read once in a process."""
    return expanded(read_weights())
