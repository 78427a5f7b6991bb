"""A step of a game as a message: the position, and for each seat and last for a spectator what it may know of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from brettwerk.v1 import games_pb2, rules_pb2
from services.games.interface import Kind, Outcome, Step
from services.rules.anys import Carrier
from services.rules.texts import text

ACTIONS = 256
"""Actions that a perspective lists; LegalActions has them all."""
EVENTS = 256
"""Events that a perspective shows. A view is a whole picture, so what a longer step did is never lost."""


@dataclass(frozen=True, slots=True)
class Written:
    """An action in notation: in full, and as each seat and last a spectator may know it."""

    full: str = ""
    seen: Sequence[str] = ()


UNWRITTEN = Written()
"""Where no seat acted."""


def written(carrier: Carrier, position: Any, seat: int, action: Any) -> Written:
    """Return what is written of an action in the position before it. In full means: as the seat that acts knows it."""
    game = carrier.game
    full = game.write(game.view(position, seat), action)
    seats = game.seats(position)
    if not game.facts.hidden:
        return Written(full, (full,) * (seats + 1))
    others = (*range(seats), None)
    return Written(full, tuple(full if s == seat else game.write(game.view(position, s), action) for s in others))


def step_message(carrier: Carrier, step: Step[Any, Any], notation: Written = UNWRITTEN) -> rules_pb2.Step:
    """Return a step that the rules made."""
    game, position = carrier.game, step.position
    to_act = game.to_act(position)
    message = rules_pb2.Step(
        position=carrier.pack(Kind.POSITION, position),
        to_act=to_act,
        reveals=step.reveals or step.final,
        notation=notation.full,
    )
    if not to_act and (ended := game.outcome(position)) is not None:
        message.outcome.CopyFrom(outcome_message(ended))
    packed: dict[int, Any] = {}
    for index, seat in enumerate((*range(game.seats(position)), None)):
        view = game.view(position, seat)
        perspective = message.perspectives.add(
            view=carrier.pack(Kind.VIEW, view), notation=notation.seen[index] if notation.seen else ""
        )
        for event in step.events[:EVENTS]:
            shown = game.show(event, seat)
            if shown is not None:
                if id(shown) not in packed:
                    packed[id(shown)] = (carrier.pack(Kind.EVENT, shown), shown)
                perspective.events.append(packed[id(shown)][0])
        if seat in to_act:
            _list_actions(carrier, view, perspective)
    return message


def _list_actions(carrier: Carrier, view: Any, perspective: rules_pb2.Perspective) -> None:
    actions = carrier.game.actions(view)
    perspective.actions.extend(choices(carrier, view, actions[:ACTIONS]))
    perspective.more_actions = len(actions) > ACTIONS


def choices(carrier: Carrier, view: Any, actions: Sequence[Any]) -> list[games_pb2.ActionChoice]:
    """Return actions of a view as a client can show them."""
    game = carrier.game
    listed = []
    for action in actions:
        choice = game.choice(view, action)
        listed.append(
            games_pb2.ActionChoice(
                action=carrier.pack_action(action),
                notation=game.write(view, action),
                places=choice.places,
                label=text(choice.label),
            )
        )
    return listed


def outcome_message(outcome: Outcome) -> games_pb2.Outcome:
    """Return an outcome."""
    return games_pb2.Outcome(scores=outcome.scores, reason=text(outcome.reason), rule=outcome.rule)
