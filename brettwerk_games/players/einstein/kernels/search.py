# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Expectimax over stones with Star1, Star2 and a memory of positions met, above an evaluation and the exact endgame tables.

A side is six lanes of five bits, one for each stone from 1 to 6: its square as its own player counts them, 0 their corner and 24
the enemy's, 31 when it is gone. So both sides move alike, and giving the turn away is exchanging the two. A chance is that
of the side to move, before its roll: the mean over the rolls of the better of at most two stones. The bounds of Star1 and
Star2 (Ballard 1983) are taken for each stone, by inverting that piecewise linear sum.
"""

from collections.abc import Callable, Mapping

import cython

from brettwerk_games.players.einstein.evaluation import Evaluation
from brettwerk_games.players.einstein.kernels.horizon import Horizon
from brettwerk_games.players.einstein.kernels.known import Known
from brettwerk_games.players.einstein.kernels.met import Met
from brettwerk_games.players.einstein.kernels.moves import Moves
from brettwerk_games.players.einstein.kernels.rolls import Rolls
from brettwerk_games.players.einstein.layout import Layout

_SOLVED = cython.declare(cython.int, 63)
"""The depth of what never met the horizon: it is exact, however deep one looks."""
_DEEPEST = cython.declare(cython.int, 62)
_SAME = cython.declare(cython.double, 1e-8)
"""Chances that differ by less are told apart by nothing but the order of additions."""


class Engine:
    """Searches positions; what it has met serves all searches until `forget`."""

    def __init__(
        self,
        layout: Layout,
        evaluation: Evaluation,
        tables: Mapping[int, memoryview],
        slots_log2: int = 17,
        star: cython.int = 2,
    ) -> None:
        """Take the layout of the tables, an evaluation (evaluation.py), tables by number of stones, and the memory's size.

        `star` is what of Star1 (1) and Star2 (2) is used; it changes how many positions are looked at, never a chance.
        """
        self.horizon, self.known = Horizon(evaluation), Known(layout, tables)
        self.rolls, self.met = Rolls(layout), Met(slots_log2)
        self.moves = Moves(self.horizon, self.known)
        self.star = star
        self.nodes = self.unsure = 0
        self.limit = self.look = 0
        self.pace = 1000
        self.stopped = False
        self.ask: Callable[[], bool] | None = None
        self.failure: BaseException | None = None

    def take_evaluation(self, evaluation: Evaluation) -> None:
        """Use this evaluation from now on; what was met with another is forgotten."""
        self.horizon.take(evaluation)
        self.met.forget()

    def take_tables(self, tables: Mapping[int, memoryview]) -> None:
        """Use these tables from now on; what was met with others is forgotten."""
        self.known.take(tables)
        self.met.forget()

    def forget(self) -> None:
        """Forget all positions met."""
        self.met.forget()

    def begin(self, limit: cython.longlong, pace: cython.longlong, ask: Callable[[], bool]) -> None:
        """Begin to count: look at `limit` positions at most, and call `ask` after every `pace` of them; when it says so, stop."""
        self.nodes = 0
        self.limit, self.pace, self.ask = limit, pace, ask
        self.look = min(limit, pace)
        self.stopped = False
        self.failure = None

    def looked_at(self) -> int:
        """Return how many positions have been looked at since `begin`."""
        return int(self.nodes)

    def met_horizon(self) -> int:
        """Return how many chances did not come from the end of the game or a table: none more, and all is exact."""
        return int(self.unsure)

    def chance(self, mover: cython.ulonglong, other: cython.ulonglong, depth: cython.int) -> float:
        """Return the mover's chance looking `depth` plies ahead, exactly; -1 when it was stopped. Both sides have stones."""
        return self.search(mover, other, depth, 0.0, 1.0)

    def search(
        self, mover: cython.ulonglong, other: cython.ulonglong, depth: cython.int, least: cython.double, most: cython.double
    ) -> float:
        """Return the mover's chance, or a bound of it where it is not between `least` and `most`; -1 when it was stopped.

        Raises what `ask` raised.
        """
        found: cython.double
        with cython.nogil:
            found = self.known.known(mover, other)
            if found < 0:
                if depth <= 0:
                    self.unsure += 1
                    found = self.think(mover, other)
                else:
                    found = self.value(mover, other, depth if depth < _DEEPEST else _DEEPEST, least, most)
        if self.failure is not None:
            failure, self.failure = self.failure, None
            raise failure
        return -1.0 if self.stopped else found

    def logit(self, mover: cython.ulonglong, other: cython.ulonglong) -> int:
        """Return the evaluation of a position in its own units."""
        return int(self.horizon.weigh(mover, other))

    def think(self, mover: cython.ulonglong, other: cython.ulonglong) -> cython.double:
        """Return what is thought of a position's chance, straight."""
        return self.horizon.read_curve(self.horizon.weigh(mover, other))

    def tick(self) -> cython.void:
        """Look whether it is time to stop."""
        self.look = min(self.limit, self.nodes + self.pace)
        with cython.gil:
            try:
                self.stopped = self.nodes >= self.limit or (self.ask is not None and bool(self.ask()))
            except BaseException as error:  # noqa: BLE001 - raised by `search`, when the search has been unwound
                self.stopped = True
                self.failure = error

    def value(
        self, mover: cython.ulonglong, other: cython.ulonglong, depth: cython.int, alpha: cython.double, beta: cython.double
    ) -> cython.double:
        """Return the mover's chance, or a bound of it outside of alpha and beta; no table reaches this position."""
        low = cython.declare(cython.double[6])
        high = cython.declare(cython.double[6])
        open_ = cython.declare(cython.int[6])
        movers = cython.declare(cython.ulonglong[18])
        others = cython.declare(cython.ulonglong[18])
        chances = cython.declare(cython.double[18])
        mask: cython.int
        i: cython.int
        place: cython.int
        least: cython.double
        most: cython.double
        best: cython.double
        chance: cython.double
        unsure: cython.longlong
        self.nodes += 1
        if self.nodes >= self.look:
            self.tick()
        if self.stopped:
            return 0
        chance = self.met.recall(mover, other, depth, alpha, beta)
        if chance >= 0:
            if not self.met.solved:
                self.unsure += 1
            return chance
        unsure = self.unsure
        mask = self.moves.stand(mover, other)
        for i in range(6):
            low[i] = 0
            high[i] = 1
            open_[i] = 0
        for i in range(6):
            if not mask >> i & 1:
                continue
            open_[i] = self.moves.list(i, movers, others, chances)
            self.nodes += self.moves.looked
            best = self.moves.best
            if open_[i] == 0:
                low[i] = best
                high[i] = best
                continue
            low[i] = best if best > 0 else 0
            if depth > 1:
                self.moves.order(3 * i, open_[i], movers, others, chances)
            else:
                self.unsure += 1
                chance = chances[3 * i]
                for place in range(3 * i + 1, 3 * i + open_[i]):
                    if chances[place] < chance:
                        chance = chances[place]
                chance = 1 - self.horizon.read_curve(cython.cast(cython.int, chance))
                if chance > best:
                    best = chance
                low[i] = best
                high[i] = best
                if self.star:
                    chance = self.rolls.rolled(mask, low)
                    if chance >= beta:
                        self.met.keep(mover, other, 1, chance, 1)
                        return chance
                    chance = self.rolls.rolled(mask, high)
                    if chance <= alpha:
                        self.met.keep(mover, other, 1, 0, chance)
                        return chance
        if depth > 1:
            if self.star == 2 and depth > 2:
                for i in range(6):
                    if open_[i]:
                        most = self.rolls.inverse(mask, i, low, 6 * beta)
                        if low[i] < most - _SAME:
                            chance = 1 - self.value(
                                movers[3 * i], others[3 * i], depth - 1, 1 - most if most < 1 else 0, 1 - low[i]
                            )
                            if self.stopped:
                                return 0
                            if chance > low[i]:
                                low[i] = chance
                        chance = self.rolls.rolled(mask, low)
                        if chance >= beta:
                            self.met.keep(mover, other, depth if self.unsure != unsure else _SOLVED, chance, 1)
                            return chance
            for i in range(6):
                if open_[i] == 0:
                    continue
                least = self.rolls.inverse(mask, i, high, 6 * alpha) if self.star else 0
                most = self.rolls.inverse(mask, i, low, 6 * beta) if self.star else 1
                best = low[i]
                for place in range(3 * i, 3 * i + open_[i]):
                    chance = least if least > best else best
                    chance = 1 - self.value(
                        movers[place], others[place], depth - 1, 1 - most if most < 1 else 0, 1 - chance if chance > 0 else 1
                    )
                    if self.stopped:
                        return 0
                    if chance > best:
                        best = chance
                    if best >= most - _SAME:
                        break
                low[i] = best
                if self.star and best >= most - _SAME:
                    chance = self.rolls.rolled(mask, low)
                    chance = chance if chance > beta else beta
                    self.met.keep(mover, other, depth if self.unsure != unsure else _SOLVED, chance, 1)
                    return chance
                high[i] = best
                if self.star and best <= least + _SAME:
                    chance = self.rolls.rolled(mask, high)
                    chance = chance if chance < alpha else alpha
                    self.met.keep(mover, other, depth if self.unsure != unsure else _SOLVED, 0, chance)
                    return chance
        chance = self.rolls.rolled(mask, low)
        self.met.keep(mover, other, depth if self.unsure != unsure else _SOLVED, chance, chance)
        return chance
