"""A step of a game as a message: the position, and what the requested audiences may know of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.internal.v1 import rules_pb2
from brettwerk.v1 import games_pb2
from brettwerk_games.rules.interface import AnyGame, Kind, Outcome, Step
from brettwerk_games.rules.optional import NO_VOTES
from services.rules import texts
from services.rules.any_codec import AnyCodec
from services.rules.pieces import audiences_of, fill_pieces, seats_of

if TYPE_CHECKING:
    from google.protobuf.internal.containers import RepeatedCompositeFieldContainer

Choices: TypeAlias = "RepeatedCompositeFieldContainer[games_pb2.ActionChoice]"


@dataclass(frozen=True, slots=True)
class Written:
    """An action in notation: in full, and where others read it otherwise, as they do; None are spectators."""

    full: str = ""
    seen: Mapping[int | None, str] = field(default_factory=dict)
    listed: Any = None
    """The action as it is listed, where it was given otherwise."""
    notation: str = ""
    """That in notation."""

    def read_by(self, seat: int | None) -> str:
        """Return the action as a seat or a spectator may know it."""
        return self.seen.get(seat, self.full)


UNWRITTEN = Written()
"""Where no seat acted."""


def written(any_codec: AnyCodec, position: Any, seat: int, action: Any, step: Step[Any, Any], audiences: int) -> Written:
    """Return what is written of an action that made a step from a position, for these audiences.

    In full means: as the seat that acts knows it.
    """
    game = any_codec.game
    full = game.write(game.view(position, seat), action)
    if not game.facts.hidden:
        if (listed := game.listed(action)) != action:
            return Written(full, listed=listed, notation=game.write(game.view(position, seat), listed))
        return Written(full)
    others = [other for other in seats_of(audiences, game.seats(position)) if other != seat]
    return Written(full, {other: _read(game, position, action, step, other) for other in others})


def _read(game: AnyGame, position: Any, action: Any, step: Step[Any, Any], seat: int | None) -> str:
    """Return what a seat that did not act reads of an action that made a step from a position."""
    text = game.read_by(step, seat)
    return game.write(game.view(position, seat), action) if text is None else text


def unaware(any_codec: AnyCodec, before: Any, step: Step[Any, Any]) -> int:
    """Return the audiences that perceive nothing of a step from a position, as bits; nobody where actions are never hidden."""
    game = any_codec.game
    return audiences_of(game.unaware(before, step)) if game.facts.hides_actions else 0


def can_have_conditional_moves(any_codec: AnyCodec, position: Any) -> bool:
    """Return whether seats can say in advance what they answer to what others play from a position on."""
    game = any_codec.game
    return game.facts.conditional_moves and game.is_open(position)


def fill_step(
    any_codec: AnyCodec,
    step: Step[Any, Any],
    message: rules_pb2.Step,
    notation: Written = UNWRITTEN,
    audiences: int = 0,
    *,
    has_position: bool = True,
    unaware: int = 0,
    canonical: AnyMessage | None = None,
) -> None:
    """Set an empty message to a step that the rules made, with pieces for the audiences.

    `has_position`: whether it gets its position, which whoever is shown something needs. `unaware`: who perceives nothing of it.
    `canonical`: what was done, where it was given in another form.
    """
    game, position = any_codec.game, step.position
    to_act = game.to_act(position)
    if has_position:
        any_codec.put(Kind.POSITION, position, message.position)
    message.to_act.extend(to_act)
    message.reveals = step.reveals or step.final
    message.retractable = step.reveals and step.retractable and not step.final
    message.notation = notation.full
    if canonical is not None:
        message.canonical.CopyFrom(canonical)
    if notation.listed is not None:
        any_codec.put(Kind.ACTION, notation.listed, message.listed.action)
        message.listed.notation = notation.notation
    message.unaware = unaware
    message.can_hide = game.facts.hides_actions and game.can_hide(position)
    message.conditional_moves = can_have_conditional_moves(any_codec, position)
    if not to_act and (ended := game.outcome(position)) is not None:
        message.outcome.CopyFrom(outcome_message(ended))
    if to_act and (votes := game.draw_votes(position)) is not NO_VOTES:
        message.draw_votes.silent = sum(1 << seat for seat in votes.silent)
        message.draw_votes.agreeing = sum(1 << seat for seat in votes.agreeing)
        message.draw_votes.offering = sum(1 << seat for seat in votes.offering)
    fill_pieces(any_codec, step, message, to_act, audiences, notation.read_by)


def fill_choices(any_codec: AnyCodec, view: Any, actions: Sequence[Any], into: Choices) -> None:
    """Add actions of a view as a client can show them."""
    for action, (choice, notation) in zip(actions, any_codec.game.choices(view, actions), strict=True):
        message = into.add()
        any_codec.put(Kind.ACTION, action, message.action)
        message.notation = notation
        message.places.extend(choice.places)
        texts.put(choice.label, message.label)
        message.effects.extend(map(games_pb2.Effect.ValueType, choice.effects))


def outcome_message(outcome: Outcome) -> games_pb2.Outcome:
    """Return an outcome."""
    return games_pb2.Outcome(
        winners=outcome.winners,
        places=outcome.places,
        scores=outcome.scores,
        sides=outcome.sides,
        reason=texts.text(outcome.reason),
        rule=outcome.rule,
    )
