"""What a player thinks of an action, in the words of the contract."""

from brettwerk.v1 import games_pb2, play_pb2
from services.ai.players.interface import Advice
from services.ai.thought.assignment import Assignment, packed_action


def hint(assignment: Assignment, advice: Advice) -> play_pb2.Hint:
    """Return the hint for an action of the assignment's view."""
    game, view = assignment.game, assignment.view
    choice = game.choice(view, advice.action)
    described = games_pb2.ActionChoice(
        action=packed_action(game, advice.action),
        notation=game.write(view, advice.action),
        places=choice.places,
        label=games_pb2.Text(key=choice.label.key, args=choice.label.args),
        effects=map(games_pb2.Effect.ValueType, choice.effects),
    )
    return play_pb2.Hint(action=described, win_chance=advice.win_chance)
