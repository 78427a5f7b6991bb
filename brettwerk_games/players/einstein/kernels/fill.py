# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Fills the endgame tables: every position of two classes of sides, from the last ones back to the first.

Every step raises a placement's number, so two loops that go down meet each position after all that can follow it; a pair of
classes is filled together with the same pair the other way round, since moves lead from one to the other. A capture leads to the
table of one stone less, which is finished.
"""

from array import array

import cython

from brettwerk_games.players.einstein.layout import Layout


def round_off(chances: cython.float[::1], stored: cython.ushort[::1]) -> cython.void:
    """Store chances in steps of 1/65535."""
    index: cython.longlong
    for index in range(chances.shape[0]):
        stored[index] = cython.cast(cython.ushort, chances[index] * 65535.0 + 0.5)


class Filler:
    """Fills the chances of (first, second) and of (second, first), before the roll of the mover, as 32-bit floats."""

    def __init__(
        self,
        layout: Layout,
        first: cython.int,
        second: cython.int,
        ours: "array[float] | memoryview",
        theirs: "array[float] | memoryview",
        fine: "array[float] | None",
        coarse: memoryview | None,
    ) -> None:
        """Take two classes of the layout, their tables, and that of one stone less: in floats, or in steps of 1/65535."""
        self.ours, self.theirs = ours, theirs
        self.is_coarse = fine is None
        self.fine = array("f") if fine is None else fine
        self.coarse = memoryview(array("H")) if coarse is None else coarse
        self.full, self.canon, self.bases = layout.full, layout.canon, layout.bases
        self.class_of, self.turned = layout.class_of, layout.turned
        self.offsets, self.full_size = layout.offsets, layout.full_size
        self.alone, self.between = layout.alone, layout.between
        self.classes, self.first, self.second = len(layout.classes), first, second
        self.first_mask, self.second_mask = layout.classes[first].mask, layout.classes[second].mask
        self.first_count, self.second_count = layout.classes[first].stones, layout.classes[second].stones
        count = layout.full_size[second]
        self.squares = array("B", bytes(count * self.second_count))
        self.boards = array("i", bytes(4 * count))
        self.canons = array("i", bytes(4 * count))
        self.is_listed = layout.bases[second] >= 0
        self.images = array("i", bytes(0 if self.is_listed else 4 * count))
        placements = layout.placements(second)
        self.look_at(placements, count)

    def look_at(self, placements: cython.int[::1], count: cython.int) -> cython.void:
        """Keep the second side's squares, boards and numbers (4 * canonical + 2 when it is its own mirror image + mirrored).

        A side that is not listed is not taken up to symmetry: for it the mirror images are kept, too.
        """
        number: cython.int
        i: cython.int
        left: cython.int
        square: cython.int
        mirrored: cython.int
        power: cython.int
        board: cython.int
        rank: cython.int
        for number in range(count):
            left = placements[number]
            mirrored = 0
            power = 1
            board = 0
            for i in range(self.second_count):
                square = left % 24
                left //= 24
                self.squares[number * self.second_count + i] = square
                if board >> square & 1:
                    board = 1 << 30
                board |= 1 << square
                mirrored += (square % 5 * 5 + square // 5) * power
                power *= 24
            self.boards[number] = board
            rank = self.canonical(self.second, placements[number])
            self.canons[number] = 2 * (rank - (rank & 1)) + (rank & 1)
            if self.number(self.second, mirrored) == number:
                self.canons[number] += 2
            if not self.is_listed:
                self.images[number] = mirrored

    def number(self, of: cython.int, placement: cython.int) -> cython.int:
        """Return a placement's number up to reversal."""
        base: cython.longlong = self.bases[of]
        return placement if base < 0 else self.full[base + placement]

    def canonical(self, of: cython.int, placement: cython.int) -> cython.int:
        """Return twice a placement's number up to both symmetries, plus 1 when the board must be mirrored for it."""
        base: cython.longlong = self.bases[of]
        return 2 * placement if base < 0 else self.canon[base + placement]

    def placement(self, mask: cython.int, squares: cython.p_int, mirror: cython.int) -> cython.int:
        """Return the placement of a side with the stones of `mask`; `squares` are by number, from 0."""
        placement: cython.int = 0
        power: cython.int = 1
        i: cython.int
        number: cython.int
        square: cython.int
        for i in range(6):
            number = 5 - i if self.turned[mask] else i
            if mask >> number & 1:
                square = squares[number]
                if mirror:
                    square = square % 5 * 5 + square // 5
                placement += square * power
                power *= 24
        return placement

    def smaller(
        self, mask: cython.int, squares: cython.p_int, other_mask: cython.int, other_squares: cython.p_int
    ) -> cython.double:
        """Return the chance of the side to move in a position with one stone less."""
        mover: cython.int = self.class_of[mask]
        other: cython.int = self.class_of[other_mask]
        rank: cython.int = self.canonical(mover, self.placement(mask, squares, 0))
        index: cython.longlong = self.offsets[mover * self.classes + other]
        placement: cython.int = self.placement(other_mask, other_squares, rank & 1)
        index += cython.cast(cython.longlong, rank >> 1) * self.full_size[other] + self.number(other, placement)
        if self.is_coarse:
            return self.coarse[index] / 65535.0
        return self.fine[index]

    def rolled(self, mask: cython.int, best: cython.p_double) -> cython.double:
        """Return the mean over the rolls of the better stone, from the chances of the stones by number."""
        total: cython.double = 0
        last: cython.int = -1
        number: cython.int
        for number in range(6):
            if mask >> number & 1:
                total += self.alone[mask * 6 + number] * best[number]
                if last >= 0:
                    total += self.between[mask * 6 + last] * (best[last] if best[last] > best[number] else best[number])
                last = number
        return total / 6

    def fill(self, high: cython.int, low: cython.int, placements: cython.int[::1]) -> None:
        """Fill for the first side's canonical placements (the layout's list of them) from number `high` - 1 down to `low`."""
        number: cython.int
        with cython.nogil:
            for number in range(high - 1, low - 1, -1):
                self.fill_one(number, placements[number])

    def fill_one(self, canonical: cython.int, placement: cython.int) -> cython.void:
        """Fill for one placement of the first side and all of the second."""
        first_squares = cython.declare(cython.int[6])
        second_squares = cython.declare(cython.int[6])
        second_powers = cython.declare(cython.int[6])
        best = cython.declare(cython.double[6])
        move_stone = cython.declare(cython.int[18])
        move_target = cython.declare(cython.int[18])
        move_base = cython.declare(cython.longlong[18])
        move_size = cython.declare(cython.longlong[18])
        move_number = cython.declare(cython.int[18])
        move_mirrored = cython.declare(cython.int[18])
        first_mask: cython.int = self.first_mask
        second_mask: cython.int = self.second_mask
        first_size: cython.longlong = self.full_size[self.first]
        second_size: cython.longlong = self.full_size[self.second]
        left: cython.int = placement
        power: cython.int = 1
        mask: cython.int = 0
        of: cython.int
        number: cython.int
        other: cython.int
        way: cython.int
        square: cython.int
        target: cython.int
        board: cython.int = 0
        facing: cython.int = 0
        moves: cython.int = 0
        move: cython.int
        mirrored: cython.int = 0
        second: cython.int
        rank: cython.int
        place: cython.int
        value: cython.double
        index: cython.longlong
        own: cython.int
        own_mirrored: cython.int
        for number in range(6):
            first_squares[number] = -1
            second_squares[number] = -1
            if first_mask >> number & 1:
                square = left % 24
                left //= 24
                first_squares[number] = square
                mirrored += (square % 5 * 5 + square // 5) * power
                power *= 24
                if board >> square & 1:
                    return
                board |= 1 << square
                facing |= 1 << (24 - square)
        own = self.number(self.first, placement)
        own_mirrored = self.number(self.first, mirrored)
        for number in range(6):
            if not first_mask >> number & 1:
                continue
            square = first_squares[number]
            for way in range(3):
                if (way != 2 and square >= 20) or (way != 1 and square % 5 == 4):
                    continue
                target = square + (6 if way == 0 else 5 if way == 1 else 1)
                move_stone[moves] = number
                move_target[moves] = 24 - target
                move_base[moves] = -1
                mask = first_mask
                if target < 24 and board >> target & 1:
                    for other in range(6):
                        if first_mask >> other & 1 and first_squares[other] == target:
                            mask = first_mask & ~(1 << other)
                    of = self.class_of[mask]
                    move_base[moves] = self.offsets[self.second * self.classes + of]
                    move_size[moves] = self.full_size[of]
                if target < 24:
                    of = self.class_of[mask]
                    first_squares[number] = target
                    move_number[moves] = self.number(of, self.placement(mask, first_squares, 0))
                    move_mirrored[moves] = self.number(of, self.placement(mask, first_squares, 1))
                    first_squares[number] = square
                moves += 1
        power = 1
        for number in range(6):
            if second_mask >> number & 1:
                second_powers[number] = power
                power *= 24
        for second in range(cython.cast(cython.int, second_size) - 1, -1, -1):
            if self.boards[second] & (facing | 1 << 30):
                continue
            rank = self.canons[second]
            place = 0
            left = 0
            for number in range(6):
                if second_mask >> number & 1:
                    second_squares[number] = self.squares[second * self.second_count + place]
                    left += second_squares[number] * second_powers[number]
                    place += 1
            # The first side moves.
            for number in range(6):
                best[number] = -1
            for move in range(moves):
                target = move_target[move]
                number = move_stone[move]
                if target == 0:
                    value = 1
                elif self.boards[second] >> target & 1:
                    value = 1
                    if self.second_count > 1:
                        mask = second_mask
                        for other in range(6):
                            if second_mask >> other & 1 and second_squares[other] == target:
                                mask = second_mask & ~(1 << other)
                        square = first_squares[number]
                        first_squares[number] = 24 - target
                        value = 1 - self.smaller(mask, second_squares, first_mask, first_squares)
                        first_squares[number] = square
                else:
                    place = move_mirrored[move] if rank & 1 else move_number[move]
                    if move_base[move] >= 0:
                        index = move_base[move] + (rank >> 2) * move_size[move] + place
                        value = 1 - (self.coarse[index] / 65535.0 if self.is_coarse else self.fine[index])
                    else:
                        value = 1 - self.theirs[(rank >> 2) * first_size + place]
                if value > best[number]:
                    best[number] = value
            self.ours[canonical * second_size + second] = self.rolled(first_mask, best)
            # The second side moves.
            for number in range(6):
                if not second_mask >> number & 1:
                    continue
                square = second_squares[number]
                best[number] = -1
                for way in range(3):
                    if (way != 2 and square >= 20) or (way != 1 and square % 5 == 4):
                        continue
                    target = square + (6 if way == 0 else 5 if way == 1 else 1)
                    if target == 24:
                        value = 1
                    elif facing >> target & 1:
                        value = 1
                        if self.first_count > 1:
                            for other in range(6):
                                if first_mask >> other & 1 and first_squares[other] == 24 - target:
                                    mask = first_mask & ~(1 << other)
                            second_squares[number] = target
                            value = 1 - self.smaller(mask, first_squares, second_mask, second_squares)
                            second_squares[number] = square
                    elif self.boards[second] >> target & 1:
                        for other in range(6):
                            if second_mask >> other & 1 and second_squares[other] == target:
                                mask = second_mask & ~(1 << other)
                        second_squares[number] = target
                        value = 1 - self.smaller(first_mask, first_squares, mask, second_squares)
                        second_squares[number] = square
                    else:
                        place = self.number(self.second, left + (target - square) * second_powers[number])
                        value = 1 - self.ours[canonical * second_size + place]
                    if value > best[number]:
                        best[number] = value
            value = self.rolled(second_mask, best)
            self.theirs[(rank >> 2) * first_size + (own_mirrored if rank & 1 else own)] = value
            if not self.is_listed:
                self.theirs[self.images[second] * first_size + own_mirrored] = value
            elif rank & 2 and not rank & 1:
                self.theirs[(rank >> 2) * first_size + own_mirrored] = value
