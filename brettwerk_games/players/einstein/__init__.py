"""The player of EinStein würfelt nicht: expectimax above exact endgame tables.

    kernels/        the inner loops: search, filling tables, learning, random games; compiled where there is a compiler
    sides.py        a position as two numbers
    evaluation.py   what is thought of a position at the horizon; weights.bin, learnt by training.py
    layout.py       the order of the endgame tables; tables/ makes them, opens them and looks into them
    engine.py       the engine of a process and its tables
    stock.py        the tables of a machine, as a worker has them built
    search.py       one turn: deepening, time, choosing
    setups.py       arranging the stones

Strength 0 plays by lot, but takes a win that lies before it. From 1 to 60 it is the depth in plies. 99 thinks as long as it may.
From 101 on it looks one ply ahead and is careless: a move that gives away (strength - 100) thousandths of the game more than
another is chosen e times less often.
"""

import math
import random
import time
from collections.abc import Callable, Sequence

from brettwerk_games.players.einstein.engine import Opened, opened
from brettwerk_games.players.einstein.search import DEEPEST, Search
from brettwerk_games.players.einstein.setups import ALL, GOOD
from brettwerk_games.players.einstein.sides import NOBODY, Pair, after_move, own, pair_of
from brettwerk_games.players.einstein.stock import Stock
from brettwerk_games.players.interface import Advice, NothingToDo, PlayerMaker, Thought
from brettwerk_games.rules.einstein.actions import Action, Arrange, Move
from brettwerk_games.rules.einstein.position import Position, View
from brettwerk_games.rules.interface import AnyGame

BY_LOT = 0
BEST = 99
CARELESS = 100
"""Strengths above it are careless."""
NODE_LIMIT = 10**12
_FORCED_DEPTH = 3
"""How deep to look when there is nothing to decide: enough to say how it stands."""
_SETUP_DEPTH = 4
"""How deep the arrangements that are left are compared."""
_SETUPS = 12
"""How many arrangements are compared so."""
_FEW_SLOTS = 8
"""How many positions are remembered for a look of one ply, as a power of two."""


class EinsteinPlayer:
    """Plays EinStein würfelt nicht; what `strength` means is said above."""

    def __init__(
        self,
        game: AnyGame,
        strength: int,
        node_limit: int = NODE_LIMIT,
        engine: Opened | None = None,
        clock: Callable[[], float] | None = None,
    ) -> None:
        """Make a player; `node_limit` bounds its search whatever the clock says, `engine` is that of the process at first.

        Deadlines are in seconds of `clock`, `time.monotonic` at first; a measurement takes that of the CPU.
        """
        self._game = game
        self._depth = strength if strength < BEST else DEEPEST if strength == BEST else 1
        self._temperature = (strength - CARELESS) / 1000 if strength > CARELESS else 0.0
        self._node_limit = node_limit
        self._engine = engine
        self._clock = clock or time.monotonic

    def think(self, view: View, deadline: float, seed: int) -> Thought:
        """Return the best action, or for the weaker strengths another; the seed chooses among equal ones."""
        actions, dice = self._actions(view), random.Random(seed)
        order = dice.sample(range(len(actions)), len(actions))
        if view.position.arranging:
            advice, nodes = self._arrange(actions, view, deadline)
            one = dice.choice(advice) if self._depth == BY_LOT else advice[0]
            return Thought(one.action, one.win_chance, nodes, 1)
        roots = _roots(actions, view.position)
        thinking = self._thinking(roots, deadline)
        wins = [i for i in order if roots[i] is None]
        if wins or self._depth == BY_LOT or self._temperature:
            thinking.weigh(1)
            choice = wins[0] if wins else order[0] if self._depth == BY_LOT else self._careless(thinking.chances, dice)
        else:
            choice = thinking.choose(min(self._depth, _FORCED_DEPTH) if len(actions) == 1 else self._depth, order)
        return Thought(actions[choice], _chance(thinking.chances[choice]), thinking.nodes, thinking.depth)

    def review(self, view: View, deadline: float, seed: int) -> tuple[Advice, ...]:
        """Return all moves, or the arrangements that are worth it, best first; exact where the tables reach."""
        actions = self._actions(view)
        if view.position.arranging:
            return tuple(self._arrange(actions, view, deadline)[0])
        roots = _roots(actions, view.position)
        thinking = self._thinking(roots, deadline)
        thinking.weigh(max(1, self._depth))
        chances = thinking.chances
        order = sorted(range(len(actions)), key=lambda i: (-chances[i], roots[i] is not None))
        return tuple(Advice(actions[i], _chance(chances[i])) for i in order)

    def _actions(self, view: View) -> Sequence[Action]:
        actions: Sequence[Action] = self._game.actions(view)
        if not actions or view.seat is None:
            raise NothingToDo
        return actions

    def _thinking(self, roots: Sequence[Pair | None], deadline: float) -> Search:
        return Search(self._engine or opened(), roots, deadline, self._node_limit, self._clock)

    def _careless(self, chances: Sequence[float], dice: random.Random) -> int:
        best = max(chances)
        weights = [math.exp((chance - best) / self._temperature) for chance in chances]
        return dice.choices(range(len(chances)), weights)[0]

    def _arrange(self, actions: Sequence[Action], view: View, deadline: float) -> tuple[Sequence[Advice], int]:
        """Weigh arrangements against the enemy's stones; before they stand, good ones against the same."""
        position, seat = view.position, view.position.to_move
        if self._depth == BY_LOT:
            return [Advice(action, 0.5) for action in actions], 0
        enemy = own(position.stones[1 - seat], 1 - seat)
        is_first = position.first == seat
        setups = list(GOOD if enemy == NOBODY else ALL)
        nodes = 0
        for depth in (2, min(self._depth, _SETUP_DEPTH) + 1):
            pairs = [(ALL[numbers], ALL[numbers] if enemy == NOBODY else enemy) for numbers in setups]
            # A position's chance is the mover's; Thinking has the enemy move next, so whoever is second is looked at straight.
            thinking = self._thinking([pair[::-1] if not is_first else pair for pair in pairs], deadline)
            thinking.weigh(depth)
            nodes += thinking.nodes
            chances = [1 - chance if is_first else chance for chance in thinking.chances]
            order = sorted(range(len(setups)), key=lambda i: -chances[i])[:_SETUPS]
            advice = [Advice(Arrange(setups[i]), _chance(chances[i])) for i in order]
            setups = [setups[i] for i in order]
        return advice, nodes


def _roots(actions: Sequence[Action], position: Position) -> list[Pair | None]:
    pair = pair_of(position)
    return [after_move(pair, position.to_move, action) for action in actions if isinstance(action, Move)]


def _chance(chance: float) -> float:
    """Return a chance without what rounding has added."""
    return min(1.0, max(0.0, chance))


PLAYER: PlayerMaker = EinsteinPlayer
TABLES = Stock()
_steady: list[Opened] = []


def STEADY(game: AnyGame, strength: int) -> EinsteinPlayer:
    """Return the player without endgame tables, which not every machine has (brettwerk_games/players/registry.py)."""
    if not _steady:
        _steady.append(Opened(None, _FEW_SLOTS))
    return EinsteinPlayer(game, strength, engine=_steady[0])


def cheapest(game: AnyGame, strength: int, view: View, seed: int) -> Action:
    """Return what a strength does when it looks one ply ahead, without tables; of set-ups, one of the good ones."""
    if view.position.arranging and strength != BY_LOT and game.actions(view):
        return Arrange(random.Random(seed).choice(GOOD))
    shallow = min(strength, 1) if strength <= BEST else strength
    action: Action = EinsteinPlayer(game, shallow, engine=Opened(None, _FEW_SLOTS)).think(view, math.inf, seed).action
    return action


def warm_up() -> None:
    """Read the evaluation and map the tables."""
    opened()


def provide() -> None:
    """Have tables built that are missing."""
    TABLES.provide()
