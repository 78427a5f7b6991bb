"""How the player finds a turn: a win if there is one, else the best turns of a beam, weighed by the answers of the others."""

import random
import time
from collections.abc import Sequence
from dataclasses import dataclass

from brettwerk_games.players.interface import OutOfTime
from brettwerk_games.players.plateau.field import Tools, load, tools_of
from brettwerk_games.players.plateau.kernels.worth import LEARNT, PRESET
from brettwerk_games.rules.plateau.actions import Action, EndTurn, Move
from brettwerk_games.rules.plateau.board import Army
from brettwerk_games.rules.plateau.play import army_to_move, play
from brettwerk_games.rules.plateau.position import Position, living, side
from brettwerk_games.rules.plateau.turns import digest, next_seat

WON = 1_000_000
"""Worth of a win; a later one is worth a little less."""
_ROOT, _FIRST, _ROOM = 0, 1, 11_720
_WIDTH = 272
_NEVER = -2_000_000_000
_CLOSE = 40
"""Turns that are worth so much less than the best are not weighed to the end."""
_AGAIN = 60
"""A position that has stood before is worth so much less to who is ahead."""


@dataclass(frozen=True, slots=True)
class Look:
    """How to weigh the best `turns`: turns ahead, and the width, branches and turns kept of each answer."""

    turns: int
    plan: tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Effort:
    """How hard to think: the beams, one after the other; turns kept; the looks, each at fewer turns; by how much to err.

    `many` are the looks where more than two sides play: all of them answer, each with the best for themselves.
    """

    beams: tuple[tuple[int, int], ...]
    keep: int
    looks: tuple[Look, ...]
    many: tuple[Look, ...]
    error: float
    win_nodes: int = 40_000
    """Most positions that are looked at for a win in the turn."""
    weights: tuple[int, ...] = PRESET
    """The weights of the features by which a position is weighed."""


EFFORTS = (
    Effort(((2, 6), (3, 10)), 8, (), (), 70.0),
    Effort(((2, 6), (6, 16)), 24, (Look(24, (1, 2, 8, 3)),), (Look(16, (3, 1, 6, 1)),), 12.0),
    Effort(
        ((2, 6), (8, 16), (16, 24)),
        64,
        (Look(64, (1, 3, 10, 5)), Look(8, (2, 5, 12, 7))),
        (Look(36, (3, 1, 6, 1)), Look(12, (3, 2, 8, 2)), Look(5, (3, 4, 12, 3))),
        3.0,
        weights=LEARNT,
    ),
    Effort(
        ((2, 6), (8, 16), (32, 28)),
        140,
        (Look(140, (1, 3, 10, 5)), Look(28, (2, 6, 14, 8)), Look(8, (2, 12, 24, 14))),
        (Look(48, (3, 1, 6, 1)), Look(20, (3, 2, 8, 2)), Look(9, (3, 4, 12, 3)), Look(3, (3, 6, 14, 5))),
        0.0,
        weights=LEARNT,
    ),
)
"""Easy, normal, strong and expert."""
CHEAPEST = Effort(((2, 6),), 8, (), (), 0.0, win_nodes=2_000)
"""Some milliseconds."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """First actions, best first, with their worth to the mover; positions looked at, and how many turns deep.

    `turn` is as much of the best turn as was thought of, the first action included.
    """

    actions: Sequence[Action]
    worths: Sequence[float]
    nodes: int
    depth: int
    turn: tuple[Action, ...]


@dataclass(slots=True)
class _Turn:
    """A whole turn: its moves, the slot it leads to, and what it is worth."""

    moves: list[tuple[int, int, int]]
    slot: int
    worth: float


class Thinking:
    """One look at one position. Positions of the kernels are shared, so a process thinks of one thing at a time."""

    def __init__(
        self, position: Position, effort: Effort, actions: tuple[Action, ...], deadline: float, dice: random.Random
    ) -> None:
        """Look at a position in which these actions are legal."""
        self._position, self._effort, self._deadline, self._dice = position, effort, deadline, dice
        self._legal = frozenset(actions)
        self._actions = actions
        self._tools: Tools = tools_of(position, effort.weights)
        self._depth = 0
        self._turns: list[_Turn] = []

    def weigh(self) -> Weighed:
        """Return the first actions of the turns looked at, best first; at least one."""
        tools = self._tools
        tools.turns.nodes = tools.lookahead.nodes = 0
        load(tools.ground, _ROOT, self._position)
        try:
            win = tools.conquest.found(_ROOT, _ROOM * _WIDTH, self._effort.win_nodes)
        except OutOfTime:
            win = None
        if win is not None and Move(*win[0]) in self._legal:
            return Weighed((Move(*win[0]),), (float(WON),), tools.conquest.nodes, 1, tuple(Move(*move) for move in win))
        try:
            self._beam()
            for look in self._looks():
                self._look(look)
        except OutOfTime:
            pass
        best = self._first_actions() or self._as_they_stand()
        nodes, actions = tools.turns.nodes + tools.lookahead.nodes, tuple(best)
        return Weighed(actions, tuple(best.values()), nodes, self._depth + 1, self._turn_of(actions[0]))

    def _beam(self) -> None:
        """Find turns, by their worth as they stand; wider beams take the place of narrow ones while there is time."""
        tools, took = self._tools, 0.0
        for width, branch in self._effort.beams:
            began = time.monotonic()
            if self._turns and began + 8 * took > self._deadline:
                break
            made = tools.turns.made(_ROOT, width, branch, self._effort.keep, _FIRST)
            turns = [_Turn(tools.turns.moves(slot, _ROOT), slot, float(worth)) for slot, worth in made]
            for turn in turns:
                turn.worth += self._dice.gauss(0, self._effort.error) - self._repeated(turn)
            self._turns = sorted(turns, key=lambda turn: -turn.worth)
            took = time.monotonic() - began

    def _looks(self) -> tuple[Look, ...]:
        """Return the looks for as many sides as there are, fewer turns in a turn that has begun."""
        position = self._position
        sides = len({side(position, seat) for seat in living(position)})
        share = (3 if position.turn.total else 1) * (2 if len(position.armies) > sides else 1)
        looks = self._effort.looks if sides == 2 else self._effort.many
        return tuple(Look(max(4, look.turns // share), (min(look.plan[0], self._plies(sides)), *look.plan[1:])) for look in looks)

    def _plies(self, sides: int) -> int:
        """Return how many turns are looked ahead at most: with many, until the mover's next."""
        return 3 if sides == 2 else len(living(self._position)) - 1

    def _look(self, look: Look) -> None:
        """Weigh the best turns by the answers to them; the others are dropped."""
        tools, mover, best = self._tools, self._position.to_move, _NEVER
        room = max((turn.slot for turn in self._turns), default=_FIRST) + 2
        looked: list[_Turn] = []
        for turn in self._turns[: look.turns]:
            if time.monotonic() >= self._deadline:
                break
            error = self._dice.gauss(0, self._effort.error) - self._repeated(turn)
            worth = tools.lookahead.after(turn.slot, mover, look.plan, room, best - _CLOSE if looked else _NEVER)
            looked.append(_Turn(turn.moves, turn.slot, worth + error))
            best = max(best, worth)
        if looked:
            self._turns = sorted(looked, key=lambda turn: -turn.worth)
            self._depth = look.plan[0]

    def _repeated(self, turn: _Turn) -> float:
        """Return by how much less a turn is worth because its end has stood before (EP-END-2)."""
        history = self._position.history
        if len(history) < 2 * len(self._position.armies):
            return 0.0
        after = self._position
        for source, target, steps in turn.moves:
            army = army_to_move(after, source)
            assert army is not None, "the mover's armies move"
            # Only where armies stand counts here: the nodes between are left out.
            after, _ = play(after, Army(army), (source, *(source,) * (steps - 1), target))
            if after.end is not None:
                return 0.0
        times = history.count(digest(after._replace(to_move=next_seat(after))))
        return _AGAIN * times * times if turn.worth > 0 else 0.0

    def _first_actions(self) -> dict[Action, float]:
        """Return the first actions of turns with the worth of the best; what the rules do not allow is left out."""
        found: dict[Action, float] = {}
        for turn in self._turns:
            action: Action = Move(*turn.moves[0]) if turn.moves else EndTurn()
            if action in self._legal:
                found.setdefault(action, turn.worth)
        return found

    def _turn_of(self, first: Action) -> tuple[Action, ...]:
        """Return the best turn that begins with an action."""
        for turn in self._turns:
            actions: tuple[Action, ...] = (*(Move(*move) for move in turn.moves), EndTurn())
            if actions[0] == first:
                return actions
        return (first,)

    def _as_they_stand(self) -> dict[Action, float]:
        """Return all actions with their worth as if the turn were over: where few are left, armies have to go round about."""
        ground, seat = self._tools.ground, self._position.to_move
        found: dict[Action, float] = {}
        for action in self._actions:
            row = _ROOT
            if isinstance(action, Move):
                row = _WIDTH
                ground.played(_ROOT, row, action.source, action.target, action.steps)
            ground.ended(row, 2 * _WIDTH)
            found[action] = float(self._tools.worth.of(2 * _WIDTH, seat))
        return dict(sorted(found.items(), key=lambda pair: -pair[1]))
