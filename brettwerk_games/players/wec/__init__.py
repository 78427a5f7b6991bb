"""The player of Weaponized Chess: it looks at its own Turns and at the answers to them, on a small and fast picture of its view.

    values.py     what pieces, articles and squares are worth
    layout.py     how a position and those tables lie in rows of integers
    tables.py     how pieces go and what they can do and are worth
    picture.py    a position as the kernel has it
    kernels/      Moves, Fires, the end of a Turn, and the search, compiled at set-up
    turns.py      which Move with which Fires
    staleness.py  Moves that lead to where the game has been
    holdings.py   what articles are worth in whose hands
    long_wins.py  wins that need more than a Move and Fires
    safety.py     what keeps the primary beside a Move and Fires
    articles.py   the rest of a Turn: articles, transports, reinforcements, long shots

It knows what its view tells; for what is hidden it takes positions that the game's `sample` guesses from the view. A Turn is
planned whole, up to its Move: a player object that is asked for the action after goes on with it unless something came to light
(plan.py), any other plans anew. The actions after the Move are found one by one. The same view, seed and strength give the same
plan.
"""

import math
from collections.abc import Sequence
from dataclasses import replace

from brettwerk_games.players.interface import Advice, NothingToDo, PlayerMaker, Thought
from brettwerk_games.players.plan import Plan
from brettwerk_games.players.wec import safety
from brettwerk_games.players.wec.articles import ArticleWishes
from brettwerk_games.players.wec.long_wins import finish
from brettwerk_games.players.wec.picture import Picture
from brettwerk_games.players.wec.staleness import Staleness
from brettwerk_games.players.wec.turns import ANSWERED, WIN, Look, Planner, Strength, Turn, chance
from brettwerk_games.rules.chance import SEED_BYTES
from brettwerk_games.rules.interface import AnyGame
from brettwerk_games.rules.refusals import Illegal
from brettwerk_games.rules.wec import doze_push, move_execution, rules, turn_end
from brettwerk_games.rules.wec.actions import Action, Drop, EndTurn, Exchange, Move
from brettwerk_games.rules.wec.perspective import Perspective
from brettwerk_games.rules.wec.position import End, Position, View

EASY, NORMAL, STRONG = 1, 2, 3
STRENGTHS = {
    EASY: Strength(noise=110.0),
    NORMAL: Strength(width=400, takes=1, noise=15.0, finishes=True),
    STRONG: Strength(width=400, takes=2, looks=(Look(24, 2, 2), Look(10, 3, 2)), samples=2, threats=True, finishes=True),
}
"""The meaning of the levels' strengths; 0 is the strongest."""


class WecPlayer:
    """Plays Weaponized Chess at one of the three strengths."""

    def __init__(self, game: AnyGame, strength: int, *, shallow: bool = False) -> None:
        """Make a player; a shallow one looks neither at answers nor for hidden wins, whatever its strength."""
        self._game = game
        own = STRENGTHS[strength or STRONG]
        self._strength = Strength(noise=own.noise) if shallow else own
        self._plan = Plan(game)
        self._thought: Thought | None = None

    def think(self, view: View, deadline: float, seed: int) -> Thought:
        """Return the next action of the best Turn."""
        expected = self._plan.go_on(view)
        # An expected action may still forbid the Move: a Counter-Stealth that was picked up for it shows who is in the way.
        if expected is not None and self._thought is not None and _is_legal(Perspective(view), expected[1][-1]):
            return self._next(Perspective(view), *expected, replace(self._thought, nodes=0))
        perspective, planner = self._begin(view, deadline, seed)
        wishes = ArticleWishes(perspective)
        won = finish(perspective, planner.guess) if self._strength.finishes else None
        if won is not None:
            return Thought(won, chance(WIN), planner.nodes, 1)
        if view.turn.mover:
            action, value = self._after_the_move(perspective, planner, wishes)
            return Thought(action, chance(value), planner.nodes, 1)
        turns = planner.turns(move_execution.moves(perspective))
        if turns and (saved := self._saved(perspective, planner, turns)) is not None:
            return saved
        if turns:
            best = turns[0]
            to_the_move = best.actions[: best.actions.index(best.move) + 1]
            thought = Thought(best.move, chance(_value(best)), planner.nodes, best.depth)
            return self._next(perspective, planner.guess, to_the_move, thought)
        doze = next(doze_push.dozes(perspective), None)
        if doze is not None:
            return Thought(doze, 0.5, planner.nodes, 1)
        action, value = self._after_the_move(perspective, planner, wishes)
        return Thought(action, chance(value), planner.nodes, 1)

    def _next(self, perspective: Perspective, guess: Position, actions: tuple[Action, ...], thought: Thought) -> Thought:
        """Return what comes first of the actions up to a Move: what is not legal is left out, what the mover picks up put in."""
        move = actions[-1]
        left = next(actions[at:] for at, action in enumerate(actions) if action == move or _is_legal(perspective, action))
        if len(left) == 1 and isinstance(move, Move) and (picked := ArticleWishes(perspective).before(move)) is not None:
            left = (picked, move)
        self._plan.keep(guess, guess.active, left)
        self._thought = replace(thought, action=left[0])
        return self._thought

    def review(self, view: View, deadline: float, seed: int) -> tuple[Advice, ...]:
        """Return the Turns thought of by their first action, best first; when the Move is made, what is left to do."""
        perspective, planner = self._begin(view, deadline, seed)
        if view.turn.mover or not turn_end.may_end(perspective):
            turns = [] if view.turn.mover else planner.turns(move_execution.moves(perspective))
            best: dict[Action, float] = {}
            for turn in turns:
                first = next(action for action in turn.actions if action == turn.move or _is_legal(perspective, action))
                best.setdefault(first, chance(_value(turn)))
            if best:
                return tuple(Advice(action, best[action]) for action in sorted(best, key=lambda action: -best[action]))
        thought = self.think(view, deadline, seed)
        advice = [Advice(thought.action, thought.win_chance)]
        if turn_end.may_end(perspective) and thought.action != EndTurn():
            advice.append(Advice(EndTurn(), thought.win_chance))
        return tuple(advice)

    def _begin(self, view: View, deadline: float, seed: int) -> tuple[Perspective, Planner]:
        if view.eye != view.active or view.end != End.ON:
            raise NothingToDo
        perspective = Perspective(view)
        samples = 1 if view.turn.mover else self._strength.samples
        # The guesses are the same during a whole Turn, so that a plan is kept.
        seeds: Sequence[int] = [(view.ply * 64 + number) for number in range(samples)]
        guesses = [self._game.sample(view, number.to_bytes(SEED_BYTES, "big")) for number in seeds]
        if len(guesses) > 1 and all(guess.pieces == guesses[0].pieces for guess in guesses):
            guesses = guesses[:1]
        return perspective, Planner(
            guesses, ArticleWishes(perspective), self._strength, deadline, seed, Staleness(perspective).of
        )

    def _after_the_move(self, perspective: Perspective, planner: Planner, wishes: ArticleWishes) -> tuple[Action, float]:
        fires = [fire for fire in planner.fires() if _is_legal(perspective, fire)]
        value = planner.evaluation()
        if fires:
            return fires[0], value
        if not self._strength.finishes or not safety.can_be_shielded(perspective):
            return wishes.next() or _rest(perspective), value
        is_lost = safety.loses(planner.kernel, perspective.seat)
        if is_lost and (saved := safety.rescue(planner.guess, _keeps)) is not None:
            return saved, value
        for action in wishes.wanted():
            if is_lost or not isinstance(action, (Drop, Exchange)) or _keeps(safety.after(planner.guess, action)):
                return action, value
        return _rest(perspective), value

    def _saved(self, perspective: Perspective, planner: Planner, turns: Sequence[Turn]) -> Thought | None:
        """Return what must be done before any Move, where all Turns lose without it by the next answer."""
        best = turns[0]
        if not self._strength.finishes or not best.is_weighed or best.value > -WIN / 2:
            return None
        # A rescue is tried against one answer only: where it takes more of them to lose, any would seem to do.
        if best.depth > ANSWERED:
            return None
        if not safety.can_be_shielded(perspective):
            return None
        saved = safety.rescue(planner.guess, planner.can_hold)
        return None if saved is None else Thought(saved, 0.5, planner.nodes, best.depth)


def _rest(perspective: Perspective) -> Action:
    """Return what ends a Turn in which nothing else is wanted."""
    return EndTurn() if turn_end.may_end(perspective) else next(doze_push.dozes(perspective))


def _keeps(position: Position | None) -> bool:
    """Tell whether the side to act keeps its primary if it ends its Turn now."""
    return position is not None and not safety.loses(Picture(position).kernel, position.active)


def _is_legal(perspective: Perspective, action: Action) -> bool:
    """Tell whether an action is legal; a Fire at a piece that is only guessed may not be."""
    try:
        rules.require_legal(perspective, action)
    except Illegal:
        return False
    return True


def _value(turn: Turn) -> float:
    # An answer that was not looked at may still save the other side: such a Turn never ranks as a win.
    return turn.value if turn.is_weighed else min(turn.at_once, WIN / 2)


PLAYER: PlayerMaker = WecPlayer


def cheapest(game: AnyGame, strength: int, view: View, seed: int) -> Action:
    """Return the next action of the Turn that looks best as it stands, without a look at answers."""
    action: Action = WecPlayer(game, strength, shallow=True).think(view, math.inf, seed).action
    return action
