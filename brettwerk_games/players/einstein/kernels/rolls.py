# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The mean over the rolls, and its inverse: the bounds of Star1 and Star2 for one stone (Ballard 1983)."""

import cython

from brettwerk_games.players.einstein.layout import Layout


class Rolls:
    """How many rolls leave a stone no choice, and how many the choice between two neighbours."""

    def __init__(self, layout: Layout) -> None:
        """Take both from the layout, by the stones there are."""
        self.alone, self.between = layout.alone, layout.between

    def rolled(self, mask: cython.int, chances: cython.p_double) -> cython.double:
        """Return the mean over the rolls of the better stone's chance."""
        total: cython.double = 0
        last: cython.int = -1
        number: cython.int
        for number in range(6):
            if mask >> number & 1:
                total += self.alone[mask * 6 + number] * chances[number]
                if last >= 0:
                    total += self.between[mask * 6 + last] * (
                        chances[last] if chances[last] > chances[number] else chances[number]
                    )
                last = number
        return total / 6

    def inverse(self, mask: cython.int, stone: cython.int, chances: cython.p_double, total: cython.double) -> cython.double:
        """Return which chance of one stone makes the sum over the rolls `total`, the others having `chances`."""
        rest: cython.double = 0
        left: cython.double = 0
        right: cython.double = 0
        left_weight: cython.int = 0
        right_weight: cython.int = 0
        own: cython.int = self.alone[mask * 6 + stone]
        last: cython.int = -1
        number: cython.int
        swap: cython.double
        for number in range(6):
            if mask >> number & 1:
                if number != stone:
                    rest += self.alone[mask * 6 + number] * chances[number]
                if last == stone:
                    right, right_weight = chances[number], self.between[mask * 6 + last]
                elif number == stone:
                    if last >= 0:
                        left, left_weight = chances[last], self.between[mask * 6 + last]
                elif last >= 0:
                    rest += self.between[mask * 6 + last] * (
                        chances[last] if chances[last] > chances[number] else chances[number]
                    )
                last = number
        if left > right:
            swap, left = left, right
            right = swap
            number, left_weight = left_weight, right_weight
            right_weight = number
        rest += left_weight * left + right_weight * right
        swap = (total - rest) / own
        if swap <= left:
            return swap
        rest += own * left
        swap = left + (total - rest) / (own + left_weight)
        if swap <= right:
            return swap
        rest += (own + left_weight) * (right - left)
        return right + (total - rest) / (own + left_weight + right_weight)
