"""The main thing of a Turn: which Move, with which Fires before and after it, weighed by the answers of the other side."""

import math
import random
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from brettwerk_games.players.interface import OutOfTime
from brettwerk_games.players.wec.articles import ArticleWishes
from brettwerk_games.players.wec.kernels.skirmish import Skirmish
from brettwerk_games.players.wec.picture import Picture
from brettwerk_games.rules.wec import move_execution
from brettwerk_games.rules.wec.actions import Action, Fire, Move, Strike
from brettwerk_games.rules.wec.board import SQUARES
from brettwerk_games.rules.wec.kinds import Article
from brettwerk_games.rules.wec.perspective import Perspective
from brettwerk_games.rules.wec.position import Position
from brettwerk_games.rules.wec.view import view

WIN = 1_000_000
NEVER = -2 * WIN
_STRIKE = 8
ANSWERED = 2
"""The depth of a Turn that was weighed by the answers to it, and no further."""
BOTH = 2
"""Fires of a Turn that may come before its Move."""
_SLACK = 120
"""How much a Turn may be behind another one in a guess at what is hidden and still overtake it by the next guess."""
_STALKED = 6
"""A piece that a projectile can home on loses this share of its worth: it can still come down, but nothing else is done then."""
_THREAT = 400
"""Most that a threat counts for, before its weight."""


@dataclass(frozen=True, slots=True)
class Look:
    """A further look at the `turns` best Turns: `depth` Turns beyond each, and then so many `takes`."""

    turns: int
    depth: int
    takes: int


@dataclass(frozen=True, slots=True)
class Strength:
    """How hard a level looks.

    It looks at the answers to the `width` most promising Turns, and at `takes` takes after them; then it `looks` further at the
    best of those, until it has seen `most` positions. `samples` are its guesses at what is hidden, `nodes` bounds what it looks
    at for one Turn, and `noise` is the standard deviation of its carelessness, in hundredths of a Pawn.
    `finishes` says whether it looks for wins by what can be picked up or handed over.
    """

    width: int = 0
    takes: int = 0
    looks: tuple[Look, ...] = ()
    samples: int = 1
    nodes: int = 100_000
    most: int = 100_000
    noise: float = 0.0
    threats: bool = False
    finishes: bool = False


@dataclass(slots=True)
class Turn:
    """A Turn that is thought of: its actions in order, and what it is worth."""

    actions: tuple[Action, ...]
    move: Move
    early: int
    bonus: float
    at_once: float
    value: float = field(default=float(NEVER))
    is_weighed: bool = False
    depth: int = 1


class Planner:
    """Plans the Turn of the seat to act from some positions that look like its view."""

    def __init__(
        self,
        guesses: Sequence[Position],
        wishes: ArticleWishes,
        strength: Strength,
        deadline: float,
        seed: int,
        stale: Callable[[Move], float] = lambda _: 0.0,
    ) -> None:
        """Draw the pictures. `stale` says what it costs that a Move with nothing else leads to where the game has been."""
        self._stale = stale
        self.guess = guesses[0]
        self._pictures = [Picture(guess) for guess in guesses]
        self._wishes = wishes
        self._strength = strength
        self._deadline = deadline
        self._random = random.Random(seed)
        self._seat = guesses[0].active
        self._all: list[Turn] = []

    @property
    def nodes(self) -> int:
        """How many positions were looked at."""
        return sum(picture.kernel.looked_at() for picture in self._pictures)

    @property
    def kernel(self) -> Skirmish:
        """The kernel with the first guess."""
        return self._pictures[0].kernel

    def can_hold(self, position: Position) -> bool:
        """Tell whether the seat has a Turn in a position of its own that does not lose at once or by the best answer."""
        perspective = Perspective(view(position, position.active))
        moves = move_execution.moves(perspective)
        turns = Planner([position], ArticleWishes(perspective), Strength(self._strength.width), self._deadline, 0).turns(moves)
        return bool(turns) and turns[0].is_weighed and turns[0].value > -WIN / 2

    def fires(self) -> tuple[Action, ...]:
        """Return the Fires that bring something in the position as it is."""
        picture = self._pictures[0]
        _, codes, _ = picture.kernel.try_turn(self._seat, BOTH, -1, 0, 0)
        return tuple(_fire(picture, code) for code in codes)

    def evaluation(self) -> float:
        """Return what the position is worth as it is, after the Fires that bring something and the end of the Turn."""
        return self._pictures[0].kernel.try_turn(self._seat, BOTH, -1, 0, 0)[0]

    def turns(self, moves: Iterable[Move]) -> list[Turn]:
        """Return all Turns thought of, best first; whatever time allows is weighed by the other side's answers."""
        found: list[Turn] = []
        _, _, most = self.kernel.try_turn(self._seat, BOTH, -1, 0, 0)
        try:
            for move in moves:
                found += self._tried(move, most)
                if found and time.monotonic() >= self._deadline:
                    break
            found.sort(key=lambda turn: -turn.at_once)
            self._all = found
            self._weigh(found)
        except OutOfTime:
            pass
        found.sort(key=lambda turn: (-turn.is_weighed, -turn.value, -turn.at_once))
        return found

    def _tried(self, move: Move, most: int) -> list[Turn]:
        """Return the Turns with a Move: with each number of Fires before it, of which `most` bring something."""
        picture = self._pictures[0]
        number = picture.index.get(move.piece)
        if number is None:
            return []
        bonus = self._wishes.of_move(move) + (self._random.gauss(0, self._strength.noise) if self._strength.noise else 0.0)
        found = []
        known: set[tuple[int, tuple[int, ...]]] = set()
        for early in range(most, -1, -1):
            value, codes, before = picture.kernel.try_turn(self._seat, early, number, move.place, move.carry)
            if before < early or (value, tuple(sorted(codes))) in known:
                continue
            known.add((value, tuple(sorted(codes))))
            shots = [_fire(picture, code, move if at >= before else None) for at, code in enumerate(codes)]
            actions = (*shots[:before], move, *shots[before:])
            gain = bonus if codes else bonus - self._stale(move)
            gain -= picture.kernel.exposed(self._seat) / _STALKED
            found.append(Turn(actions, move, early, gain, value + gain))
        return found

    def _weigh(self, turns: Sequence[Turn]) -> None:
        strength = self._strength
        best = float(NEVER)
        for turn in turns[: strength.width]:
            if time.monotonic() >= self._deadline and best > NEVER:
                return
            value = self._answered(self._pictures[0], turn, 1, strength.takes, best)
            if value is not None:
                turn.value, turn.is_weighed, turn.depth = value, True, ANSWERED
                best = max(best, value)
            if turn.at_once >= WIN:
                return
        weighed = sorted((turn for turn in turns if turn.is_weighed), key=lambda turn: -turn.value)
        if weighed and abs(weighed[0].value) < WIN / 2:
            self._look_deeper(weighed)

    def _look_deeper(self, turns: list[Turn]) -> None:
        """Look further at the best Turns, and at what is hidden elsewhere; the others stay behind them."""
        for look in self._strength.looks:
            turns = turns[: look.turns]
            found = self._looked(turns, look)
            if len(found) < min(2, len(turns)):
                return  # nothing to compare it with
            floor = min(value for value, _ in found)
            for value, turn in found:
                turn.value, turn.depth = value, look.depth + 1
            deepened = {id(turn) for _, turn in found}
            for turn in self._all:
                if turn.is_weighed and id(turn) not in deepened:
                    turn.value = min(turn.value, floor - 1)
            is_whole = len(found) == len(turns)
            turns = sorted((turn for _, turn in found), key=lambda turn: -turn.value)
            if not is_whole or abs(turns[0].value) >= WIN / 2 or self.nodes >= self._strength.most:
                return

    def _looked(self, turns: Sequence[Turn], look: Look) -> list[tuple[float, Turn]]:
        """Return what Turns are worth, as far as time allows; of what is no better than one before it at most that is known."""
        best = float(NEVER)
        found: list[tuple[float, Turn]] = []
        count = len(self._pictures)
        for turn in turns:
            total, seen = 0.0, 0
            for number, picture in enumerate(self._pictures):
                if time.monotonic() >= self._deadline and found:
                    return found
                # The last guess must make up for what the others lack; before it, what is far behind does not come back.
                left = best * (number + 1) - total if number == count - 1 else best - _SLACK
                value = self._answered(picture, turn, look.depth, look.takes, float(NEVER) if best <= NEVER else left)
                if value is None:
                    return found  # what was looked at less far cannot be compared with it
                total, seen = total + value, seen + 1
                if number < count - 1 and best > NEVER and value <= left:
                    break
            found.append((total / seen, turn))
            best = max(best, found[-1][0])
        return found

    def _answered(self, picture: Picture, turn: Turn, depth: int, takes: int, best: float) -> float | None:
        """Return what a Turn is worth after the best answer (at most `best` where it is no better); None if that is too much."""
        kernel, strength, move = picture.kernel, self._strength, turn.move
        number = picture.index.get(move.piece)
        if number is None:
            return float(NEVER)
        value, _, _ = kernel.try_turn(self._seat, turn.early, number, move.place, move.carry)
        if abs(value) >= WIN:
            return value + turn.bonus
        threat = 0.0
        if strength.threats:
            threat = 0.12 * min(_THREAT, max(0, kernel.threat(self._seat) - value))
        bonus = turn.bonus + threat
        # A value that the kernel returns at or below alpha is a bound only, so alpha is put a little lower than asked.
        alpha = NEVER if best <= NEVER else int(best - bonus) - 1
        answer = kernel.answer(self._seat, depth, takes, alpha, strength.nodes)
        return None if answer is None else answer + bonus


def chance(value: float) -> float:
    """Return the chance to win that a value stands for."""
    return 1 / (1 + math.exp(-max(-12.0, min(12.0, value / 450))))


def _fire(picture: Picture, code: int, moved: Move | None = None) -> Fire | Strike:
    number, weapon, direction = picture.ids[code & 127], Article(code >> 8 & 7), (code >> 12) - 1
    if direction == _STRIKE:
        here = moved is not None and moved.piece == number
        return Strike(number, moved.place % SQUARES if moved and here else picture.squares[code & 127])
    return Fire(number, weapon, direction)
