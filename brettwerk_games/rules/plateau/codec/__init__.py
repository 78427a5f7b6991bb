"""The game's values as messages of plateau.proto and back: the only part of the game that knows generated code."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from brettwerk_games.rules.interface import Kind
from brettwerk_games.rules.messages import Form, MessageCodec
from brettwerk_games.rules.plateau.actions import Action, Event, Move
from brettwerk_games.rules.plateau.codec import move_list, pictures
from brettwerk_games.rules.plateau.codec.pairs import PAIRS
from brettwerk_games.rules.plateau.options import Options
from brettwerk_games.rules.plateau.position import Position, View

_FORMS = PAIRS.forms(Options, Position, View, Action, Event)


def _to_action(message: Any) -> Action:
    """Return an action; one step has one path, which is not kept."""
    action: Action = _FORMS[Kind.ACTION].read(message)
    return action._replace(path=()) if isinstance(action, Move) and action.steps == 1 and action.path else action


class PlateauCodec(MessageCodec):
    """Carries the game's values."""

    forms: ClassVar[Mapping[Kind, Form]] = {
        **_FORMS,
        Kind.VIEW: _FORMS[Kind.VIEW]._replace(write=pictures.view_bytes),
        Kind.ACTION: _FORMS[Kind.ACTION]._replace(read=_to_action),
    }

    def encode_views(self, views: Sequence[View], position: bytes) -> Sequence[Sequence[bytes]]:
        """Return each view in parts; all but what the seat to move is told is the same for everybody."""
        return pictures.views_in_parts(views, position)

    def encode_choices(self, view: View, actions: Sequence[Action], field: int) -> bytes:
        """Return listed actions of a view, each as the field of this number that holds an ActionChoice."""
        return move_list.encoded(view, actions, field)
