"""The player of EMPERADO: goals and plans over a judgement of the whole world, worked out anew for every action.

    style.py    the levels' weights
    sheet.py    a view as arrays, and what is found out from them
    look.py     a view as a sheet
    battles.py  tables of battles to the end
    kernels/    the inner loops: judgement, attacks, marches; dice and whole games for statistics
    mind.py     what a seat does next
    chances.py  how likely a seat is to win
    contest.py  games of players among themselves; simulation.py counts them for runs

Nothing is remembered between two actions: the plan is found again, since it is made from what lies on the table. Strength is
1 for easy, 2 for normal, 3 for strong.
"""

from services.ai.players.emperado.chances import win_chance
from services.ai.players.emperado.look import fill
from services.ai.players.emperado.mind import Decision, Deed, Mind
from services.ai.players.emperado.sheet import Sheet
from services.ai.players.emperado.simulation import play_game
from services.ai.players.emperado.style import STYLES
from services.ai.players.interface import Advice, NothingToDo, PlayerMaker, Thought
from services.games.emperado.actions import Action, Attack, Done, Enter, Exchange, Move, Place
from services.games.emperado.cards import sets
from services.games.emperado.position import View
from services.games.interface import AnyGame

__all__ = ["PLAYER", "EmperadoPlayer", "cheapest", "play_game"]

_DEPTH = 1


class EmperadoPlayer:
    """Plays EMPERADO from a seat's view."""

    def __init__(self, game: AnyGame, strength: int) -> None:
        """Make a player; strength is the number of a style."""
        self._game = game
        self._sheet = Sheet()
        self._mind = Mind(self._sheet, STYLES[strength])

    def think(self, view: View, deadline: float, seed: int) -> Thought:
        """Return the action; it does not depend on the seed. It takes far less time than any deadline gives."""
        action = self._choose(view)
        return Thought(action, win_chance(self._sheet), 1, _DEPTH)

    def review(self, view: View, deadline: float, seed: int) -> tuple[Advice, ...]:
        """Return what the seat may do, best first: its own choice, then the others by what they bring in armies."""
        own = self._choose(view)
        best = win_chance(self._sheet)
        others = {action: self._gain(action) for action in self._game.actions(view) if action != own}
        weighed = sorted(others.items(), key=lambda item: -item[1])
        return (Advice(own, best), *(Advice(action, win_chance(self._sheet, min(0.0, gain))) for action, gain in weighed))

    def _choose(self, view: View) -> Action:
        """Return the action of the view's seat; the sheet is judged then. Raises NothingToDo."""
        position = view.position
        if view.seat is None or position.end is not None or view.seat != position.to_move:
            raise NothingToDo
        fill(self._sheet, position, view.seat)
        if position.exchanging and (found := sets(position.parties[view.seat])):
            self._mind.look()
            return Exchange(found[0])
        return _action(self._mind.decide())

    def _gain(self, action: Action) -> float:
        """Return what an action brings against the chosen one, in armies; 0 for as good."""
        mind, sheet = self._mind, self._sheet
        match action:
            case Attack(source=source, target=target):
                return float(mind.attacks.judged(source, target, sheet.me, mind.card, mind.turn)) - self._best_attack()
            case Place(country=country, armies=armies):
                mind.marches.weigh(sheet.me)
                most = max(sheet.importance)
                return -0.5 * armies * (1 - sheet.importance[country] / most) if most else 0.0
            case Move(source=source, target=target, armies=armies):
                mind.marches.weigh(sheet.me)
                most = max(sheet.potential)
                better = (sheet.potential[target] - sheet.potential[source]) / most if most else 0.0
                return 0.5 * armies * min(0.0, better - 0.1) - self._best_attack()
            case Enter(armies=armies):
                return -0.2 * abs(armies - mind.decide().amount)
            case Done():
                return -self._best_attack()
            case Exchange():
                return -0.5

    def _best_attack(self) -> float:
        mind = self._mind
        return float(mind.attacks.score) if mind.attacks.best(self._sheet.me, mind.card, mind.turn) else 0.0


def _action(decision: Decision) -> Action:
    deed, source, target, amount = decision
    match deed:
        case Deed.PLACE:
            return Place(target, amount)
        case Deed.ATTACK:
            return Attack(source, target, amount)
        case Deed.MOVE:
            return Move(source, target, amount)
        case Deed.ENTER:
            return Enter(amount)
        case _:
            return Done()


PLAYER: PlayerMaker = EmperadoPlayer


def cheapest(game: AnyGame, strength: int, view: View, seed: int) -> Action:
    """Return what the player does anyway: it takes a thirtieth of a millisecond."""
    action: Action = EmperadoPlayer(game, strength).think(view, 0.0, seed).action
    return action
