"""Random games played fast: the kind of action is drawn first, so that only that kind is listed."""

import random
from collections import Counter
from collections.abc import Iterator

from brettwerk_games.rules.wec import doze_push, items, move_execution, reinforcement, rules, transits, turn_end, weapon_fire
from brettwerk_games.rules.wec.actions import Action, Doze, EndTurn, Move
from brettwerk_games.rules.wec.kinds import Article
from brettwerk_games.rules.wec.options import Actions, Options
from brettwerk_games.rules.wec.perspective import Perspective
from brettwerk_games.rules.wec.position import End, Position
from brettwerk_games.rules.wec.start import new, standard_articles
from brettwerk_games.rules.wec.view import view
from tests.brettwerk_games.rules.wec.boards import SEED


def kind_of_action(perspective: Perspective, rng: random.Random) -> list[Action]:
    """Return the actions of one kind, drawn by lot."""
    pieces = perspective.own()
    free = (
        [piece for piece in pieces if not perspective.idle_reason(piece)]
        if perspective.turn.fires < weapon_fire.MAX_FIRES
        else []
    )
    match rng.randrange(8):
        case 0 | 1:
            return list(move_execution.moves(perspective))
        case 2:
            return list(doze_push.dozes(perspective))
        case 3:
            return [action for piece in free for action in weapon_fire.fires(perspective, piece)]
        case 4:
            return [action for piece in free for action in transits.travels(perspective, piece)]
        case 5:
            return [*items.pick_ups(perspective), *items.drops(perspective)]
        case 6:
            return [*items.exchanges(perspective), *reinforcement.reinforcements(perspective)]
    return [EndTurn()] if turn_end.may_end(perspective) else []


def play(number: int, options: Options, most: int = 600) -> Iterator[Position]:
    """Yield the positions of a random game, at most so many Turns."""
    yield from play_from(new(options, 2, None, SEED).position, number, most)


def play_from(start: Position, number: int, most: int = 600) -> Iterator[Position]:
    """Yield the positions of a random game from a position on, until so many Turns are over."""
    rng, now, options = random.Random(number), start, start.options
    yield now
    while now.end == End.ON and now.ply < most:
        perspective = Perspective(view(now, now.active))
        found = kind_of_action(perspective, rng)
        if options.actions == Actions.MOVES_ONLY:
            found = [action for action in found if isinstance(action, (Move, Doze, EndTurn))]
        if not found:
            found = (
                [*move_execution.moves(perspective), *doze_push.dozes(perspective)]
                if not turn_end.may_end(perspective)
                else [EndTurn()]
            )
        now = rules.apply(now, now.active, rng.choice(found), SEED).position
        yield now


def articles(position: Position) -> Counter[Article]:
    """Return how many articles of each kind there are, carried and lying."""
    found = Counter(article.kind for piece in position.pieces for article in piece.articles)
    found.update(article.kind for lying in position.ground for article in lying)
    return found


def stock(options: Options) -> Counter[Article]:
    """Return how many articles of each kind a game starts with."""
    return Counter(article.kind for lying in standard_articles(options) for article in lying)
