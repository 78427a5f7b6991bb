"""The player of Empire Plateau: it thinks in whole turns, and plays the first action of the best.

    field.py       a position of the game as numbers of the kernels
    turn_search.py  the search: a win at once, else turns from a beam, with the answers to them
    chances.py     what a worth means as a chance to win
    kernels/       the inner loops: ground (movement), cover (who can go where), conquest (wins in a turn), worth, turns (the
                   beam), lookahead

A session asks for one action at a time. A player object that was asked for the one before goes on with the turn that it
thought of then (plan.py). Any other plans the rest of the turn from the view alone, so it does not matter which process is asked,
and taking back does no harm; a turn that has begun leaves less to choose, and costs less.
Strength is 1 to 4; see turn_search.py.
"""

import math
import random
from dataclasses import replace

from brettwerk_games.players.interface import Advice, NothingToDo, PlayerMaker, Thought
from brettwerk_games.players.plan import Plan
from brettwerk_games.players.plateau.chances import chance
from brettwerk_games.players.plateau.turn_search import CHEAPEST, EFFORTS, Effort, Thinking, Weighed
from brettwerk_games.rules.interface import AnyGame
from brettwerk_games.rules.plateau.actions import Action
from brettwerk_games.rules.plateau.position import View


class PlateauPlayer:
    """Plays Empire Plateau for two, three and four, also in an alliance."""

    def __init__(self, game: AnyGame, strength: int, *, effort: Effort | None = None) -> None:
        """Make a player; strength is a number of EFFORTS, 0 the greatest, if it has no effort of its own."""
        self._game = game
        self._effort = effort or effort_of(strength)
        self._plan = Plan(game)
        self._thought: Thought | None = None

    def think(self, view: View, deadline: float, seed: int) -> Thought:
        """Return the next action of the turn that was thought of, or the first of the best one."""
        planned = self._planned(view)
        if planned is None:
            weighed = self._weigh(view, deadline, seed)
            planned = Thought(weighed.actions[0], chance(view.position, weighed.worths[0]), weighed.nodes, weighed.depth)
            self._plan.keep(view.position, view.position.to_move, weighed.turn)
        self._thought = planned
        return planned

    def review(self, view: View, deadline: float, seed: int) -> tuple[Advice, ...]:
        """Return the first actions of the turns that were looked at, best first, each with what its best turn promises."""
        weighed = self._weigh(view, deadline, seed)
        pairs = zip(weighed.actions, weighed.worths, strict=True)
        return tuple(Advice(action, chance(view.position, worth)) for action, worth in pairs)

    def _planned(self, view: View) -> Thought | None:
        """Return what the plan says, which costs nothing; None when there is none for this view."""
        expected = self._plan.go_on(view)
        if expected is None or self._thought is None:
            return None
        position, actions = expected
        if actions[0] not in self._game.actions(view):
            return None
        self._plan.keep(position, position.to_move, actions)
        return replace(self._thought, action=actions[0], nodes=0)

    def _weigh(self, view: View, deadline: float, seed: int) -> Weighed:
        actions: tuple[Action, ...] = tuple(self._game.actions(view))
        if not actions:
            raise NothingToDo
        return Thinking(view.position, self._effort, actions, deadline, random.Random(seed)).weigh()


PLAYER: PlayerMaker = PlateauPlayer


def effort_of(strength: int) -> Effort:
    """Return the effort of a strength, the greatest for 0 and for all beyond it."""
    return EFFORTS[min(strength or len(EFFORTS), len(EFFORTS)) - 1]


def cheapest(game: AnyGame, strength: int, view: View, seed: int) -> Action:
    """Return the first action of a turn from a narrow beam, as it stands, or of a win that is soon found."""
    own = effort_of(strength)
    shallow = replace(CHEAPEST, error=own.error, weights=own.weights)
    action: Action = PlateauPlayer(game, strength, effort=shallow).think(view, math.inf, seed).action
    return action
