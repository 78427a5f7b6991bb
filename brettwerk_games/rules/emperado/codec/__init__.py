"""The game's values as messages of emperado.proto and back: the only part of the game that knows generated code."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from brettwerk_games.rules.emperado.actions import Action, Event
from brettwerk_games.rules.emperado.codec import pictures
from brettwerk_games.rules.emperado.codec.pairs import PAIRS
from brettwerk_games.rules.emperado.options import Options
from brettwerk_games.rules.emperado.position import Position, View
from brettwerk_games.rules.interface import Kind
from brettwerk_games.rules.messages import Form, MessageCodec
from brettwerk_games.rules.refusals import Malformed

_FORMS = PAIRS.forms(Options, Position, View, Action, Event)


def _to_whole(message: Any) -> Position:
    position: Position = _FORMS[Kind.POSITION].read(message)
    if any(party.hidden for party in position.parties):
        raise Malformed("nothing is hidden in a position", field="parties")
    return position


class EmperadoCodec(MessageCodec):
    """Carries the game's values."""

    forms: ClassVar[Mapping[Kind, Form]] = {
        **_FORMS,
        Kind.POSITION: _FORMS[Kind.POSITION]._replace(read=_to_whole),
        Kind.VIEW: _FORMS[Kind.VIEW]._replace(write=pictures.view_bytes),
    }

    def encode_views(self, views: Sequence[View], position: bytes) -> Sequence[Sequence[bytes]]:
        """Return each view in parts; all but the cards, and what the seat to act is told, is the same for everybody."""
        return pictures.views_in_parts(views, position)
