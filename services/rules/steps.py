"""A step of a game as a message: the position, and for each seat and last for a spectator what it may know of it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.v1 import games_pb2, rules_pb2
from services.games.interface import Choice, DrawVoices, Kind, Outcome, Step
from services.rules.anys import Carrier

if TYPE_CHECKING:
    from google.protobuf.internal.containers import RepeatedCompositeFieldContainer
from services.rules import texts

FirstActions: TypeAlias = Callable[[Any, int], Sequence[Any]]
ChoicesOf: TypeAlias = Callable[[Any, Sequence[Any]], Iterator[tuple[Choice, str]]]
Choices: TypeAlias = "RepeatedCompositeFieldContainer[games_pb2.ActionChoice]"

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


def fill_step(carrier: Carrier, step: Step[Any, Any], message: rules_pb2.Step, notation: Written = UNWRITTEN) -> None:
    """Set an empty message to a step that the rules made."""
    game, position = carrier.game, step.position
    to_act = game.to_act(position)
    carrier.put(Kind.POSITION, position, message.position)
    message.to_act.extend(to_act)
    message.reveals = step.reveals or step.final
    message.retractable = step.reveals and step.retractable and not step.final
    message.notation = notation.full
    if not to_act and (ended := game.outcome(position)) is not None:
        message.outcome.CopyFrom(outcome_message(ended))
    if to_act and (teller := getattr(game, "draw_voices", None)) is not None:
        voices: DrawVoices = teller(position)
        message.draw_voices.silent = sum(1 << seat for seat in voices.silent)
        message.draw_voices.agreeing = sum(1 << seat for seat in voices.agreeing)
    seats = (*range(game.seats(position)), None)
    for index, seat in enumerate(seats):
        perspective = message.perspectives.add()
        view = game.view(position, seat)
        carrier.put(Kind.VIEW, view, perspective.view)
        if notation.seen:
            perspective.notation = notation.seen[index]
        if seat in to_act:
            actions = _first_actions(carrier, view)
            fill_choices(carrier, view, actions[:ACTIONS], perspective.actions)
            perspective.more_actions = len(actions) > ACTIONS
    for event in step.events[:EVENTS]:
        _show(carrier, event, seats, message.perspectives)


def _show(carrier: Carrier, event: Any, seats: Sequence[int | None], perspectives: Sequence[rules_pb2.Perspective]) -> None:
    """Add an event to the perspectives of those who may see it; what most see alike is encoded once."""
    before, packed = None, AnyMessage()
    for seat, perspective in zip(seats, perspectives, strict=True):
        shown = carrier.game.show(event, seat)
        if shown is None:
            continue
        if shown is not before:
            before, packed = shown, carrier.pack(Kind.EVENT, shown)
        perspective.events.append(packed)


def _first_actions(carrier: Carrier, view: Any) -> Sequence[Any]:
    """Return the actions of a view; of more than ACTIONS at least one more."""
    teller: FirstActions | None = getattr(carrier.game, "first_actions", None)
    return teller(view, ACTIONS + 1) if teller else carrier.game.actions(view)


def fill_choices(carrier: Carrier, view: Any, actions: Sequence[Any], choices: Choices) -> None:
    """Add actions of a view as a client can show them."""
    game = carrier.game
    teller: ChoicesOf | None = getattr(game, "choices", None)
    told = teller(view, actions) if teller else ((game.choice(view, action), game.write(view, action)) for action in actions)
    for action, (choice, notation) in zip(actions, told, strict=True):
        message = choices.add()
        carrier.put(Kind.ACTION, action, message.action)
        message.notation = notation
        message.places.extend(choice.places)
        texts.put(choice.label, message.label)


def outcome_message(outcome: Outcome) -> games_pb2.Outcome:
    """Return an outcome."""
    return games_pb2.Outcome(scores=outcome.scores, reason=texts.text(outcome.reason), rule=outcome.rule)
