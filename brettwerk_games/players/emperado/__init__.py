"""The player of EMPERADO: goals and plans over a judgement of the whole world, worked out anew for every action.

    style.py      the levels' weights
    sheet.py      a view as arrays, with what is found out from them
    battles.py    tables of battles to the end
    kernels/      the inner loops: judgement, attacks, marches; short games to look ahead, dice and whole games for statistics
    mind.py       what a seat does next
    aims.py       what a seat that looks ahead may aim at in a turn
    foresight.py  which of them promises most
    continuation.py  whether a view belongs to the turn that an aim was chosen for
    chances.py    how likely a seat is to win
    contest.py    games of players among themselves; simulation.py counts them for runs

Strength is 1 for easy, 2 for normal, 3 for strong, 4 for expert. Nothing is remembered between two actions: the plan is found
again, since it is made from what lies on the table. Only expert keeps the aim of its turn, as long as it sees what came of its
actions.
"""

import time

from brettwerk_games.players.emperado.chances import win_chance
from brettwerk_games.players.emperado.continuation import goes_on
from brettwerk_games.players.emperado.foresight import ROUNDS, Foresight
from brettwerk_games.players.emperado.mind import Decision, Deed, Mind
from brettwerk_games.players.emperado.sheet import Sheet, fill, floats, ground_of
from brettwerk_games.players.emperado.simulation import play_game
from brettwerk_games.players.emperado.style import STRONG, STYLES
from brettwerk_games.players.interface import Advice, NothingToDo, PlayerMaker, Thought
from brettwerk_games.rules.emperado.actions import Action, Attack, Done, Enter, Exchange, Move, Place
from brettwerk_games.rules.emperado.cards import best_set
from brettwerk_games.rules.emperado.position import Position, View
from brettwerk_games.rules.emperado.world import MAX_COUNTRIES, USUAL, World
from brettwerk_games.rules.interface import AnyGame

__all__ = ["PLAYER", "EmperadoPlayer", "cheapest", "play_game"]

_DEPTH = 1


class EmperadoPlayer:
    """Plays EMPERADO from a seat's view."""

    def __init__(self, game: AnyGame, strength: int) -> None:
        """Make a player; strength is the number of a style."""
        self._game, self._style = game, STYLES[strength]
        self._sit_down(USUAL)

    def _sit_down(self, world: World) -> None:
        """Look at a world from here on."""
        self._world, self._sheet = world, Sheet(ground=ground_of(world))
        self._mind = self._default_mind = Mind(self._sheet, self._style)
        self._foresight = Foresight(self._sheet, self._style) if self._style.looks_ahead else None
        self._last: tuple[Position, Action] | None = None
        """The position and the action of the last call in which an aim was chosen."""

    def think(self, view: View, deadline: float, seed: int) -> Thought:
        """Return the action. Only expert needs time, and goes by the seed: at the first action that it sees of a turn."""
        position = self._see(view)
        if (exchange := self._exchange(position)) is not None:
            return Thought(exchange, win_chance(self._sheet), 1, _DEPTH)
        looked_at, depth = self._aim(position, deadline, seed)
        action = _action(self._mind.decide())
        if self._foresight is not None:
            self._last = (position, action)
        return Thought(action, win_chance(self._sheet), looked_at, depth)

    def review(self, view: View, deadline: float, seed: int) -> tuple[Advice, ...]:
        """Return what the seat may do, best first: its own choice, then the others by what they bring in armies."""
        position = self._see(view)
        own: Action | None = self._exchange(position)
        if own is None:
            self._last = None
            self._aim(position, deadline, seed)
            own = _action(self._mind.decide())
        best = win_chance(self._sheet)
        others = {action: self._gain(action) for action in self._game.actions(view) if action != own}
        weighed = sorted(others.items(), key=lambda item: -item[1])
        return (Advice(own, best), *(Advice(action, win_chance(self._sheet, min(0.0, gain))) for action, gain in weighed))

    def _see(self, view: View) -> Position:
        """Write the view to the sheet and return its position. Raises NothingToDo."""
        position = view.position
        if view.seat is None or position.end is not None or view.seat != position.to_move:
            raise NothingToDo
        if position.world is not self._world:
            self._sit_down(position.world)
        fill(self._sheet, position, view.seat)
        return position

    def _exchange(self, position: Position) -> Action | None:
        """Return the set that is turned in, if there is one; the sheet is judged then."""
        found = best_set(position.parties[position.to_move]) if position.exchanging else None
        if found is None:
            return None
        self._mind, self._last = self._default_mind, None
        self._sheet.favour[:] = floats(MAX_COUNTRIES)
        self._mind.look()
        return Exchange(found)

    def _aim(self, position: Position, deadline: float, seed: int) -> tuple[int, int]:
        """Have the aim of the turn, where there are aims; return how many positions were looked at, and how many rounds deep."""
        if self._foresight is None or (self._last is not None and goes_on(*self._last, position)):
            return 1, _DEPTH
        self._last = None
        aim = self._foresight.choose(seed, lambda: time.monotonic() > deadline)
        self._mind = aim.mind
        self._sheet.favour[:] = aim.favour
        return self._foresight.games, ROUNDS

    def _gain(self, action: Action) -> float:
        """Return what an action brings against the chosen one, in armies; 0 for as good."""
        mind, sheet = self._mind, self._sheet
        match action:
            case Attack(source=source, target=target):
                return (
                    float(mind.attacks.judged(source, target, sheet.me, mind.card, mind.turn, sheet.luck)) - self._best_attack()
                )
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
        return float(mind.attacks.score) if mind.attacks.best(self._sheet.me, mind.card, mind.turn, self._sheet.luck) else 0.0


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
    """Return what the player does anyway, without looking ahead: it takes a thirtieth of a millisecond."""
    same = STYLES[strength]._replace(looks_ahead=False, unity=STRONG.unity)
    plain = STYLES.index(same)
    action: Action = EmperadoPlayer(game, plain).think(view, 0.0, seed).action
    return action
