"""The orders of Empire Plateau: an army marches until it is there."""

from brettwerk_games.rules.chance import SEED_BYTES
from brettwerk_games.rules.interface import Kind
from brettwerk_games.rules.orders import DONE, IMPOSSIBLE, Order, completed_order
from brettwerk_games.rules.plateau import GAME
from brettwerk_games.rules.plateau.actions import EndTurn, Move
from brettwerk_games.rules.plateau.orders import next_action
from brettwerk_games.rules.plateau.position import Position, all_of
from brettwerk_games.rules.presets import preset_options


def begun() -> Position:
    options = GAME.codec.decode(Kind.OPTIONS, preset_options(GAME, 2))
    return GAME.new(options, 2, None, bytes(SEED_BYTES)).position


def march(source: int, target: int, steps: int = 12) -> Order:
    return completed_order(Order("march", {"source": (source,), "target": (target,), "steps": (steps,)}), GAME.facts.orders)


def test_an_army_marches_over_turns_until_it_is_there() -> None:
    position = begun()
    seat = position.to_move
    last = [action for action in GAME.actions(GAME.view(position, seat)) if isinstance(action, Move)][-1]
    left: Order | None = march(last.source, last.target, 1)
    marched = []
    for number in range(200):
        if left is None:
            break
        view, action = GAME.view(position, position.to_move), None
        if position.to_move == seat:
            found = next_action(left, view)
            action, left = found.action, found.left
            marched += [action] if action else []
        if action is None:
            legal = GAME.actions(view)
            others = [each for each in legal if isinstance(each, Move) and (not left or each.source != left.number("source"))]
            action = EndTurn() if EndTurn() in legal else others[number % len(others)]
        position = GAME.apply(position, position.to_move, action, bytes(SEED_BYTES)).position
    assert left is None
    assert [move.steps for move in marched] == [1] * len(marched)
    assert (marched[0].source, marched[-1].target) == (last.source, last.target)


def test_an_army_that_is_not_there_does_not_march() -> None:
    position = begun()
    occupied = sum(all_of(armies) for armies in position.armies)
    empty = next(node for node in range(position.board.nodes) if not occupied >> node & 1)
    view = GAME.view(position, position.to_move)
    own = next(node for node in range(position.board.nodes) if all_of(position.armies[position.to_move]) >> node & 1)
    assert next_action(march(empty, own), view) == IMPOSSIBLE
    assert next_action(march(own, own), view) == DONE
