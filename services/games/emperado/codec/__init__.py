"""The game's values as messages of emperado.proto and back: the only part of the game that knows generated code."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from brettwerk.v1 import emperado_pb2 as pb
from services.games.emperado.codec import pictures
from services.games.emperado.codec.reading import to_action, to_event, to_options, to_view, to_whole
from services.games.emperado.codec.writing import action_message, event_message, options_message
from services.games.emperado.position import View
from services.games.interface import Kind
from services.games.messages import Form, MessageCodec


class EmperadoCodec(MessageCodec):
    """Carries the game's values."""

    forms: ClassVar[Mapping[Kind, Form]] = {
        Kind.OPTIONS: Form(pb.EmperadoOptions, options_message, to_options),
        Kind.POSITION: Form(pb.EmperadoPosition, pictures.position_bytes, to_whole),
        Kind.VIEW: Form(pb.EmperadoView, pictures.view_bytes, to_view),
        Kind.ACTION: Form(pb.EmperadoAction, action_message, to_action),
        Kind.EVENT: Form(pb.EmperadoEvent, event_message, to_event),
    }

    def encode_views(self, views: Sequence[View], position: bytes) -> Sequence[Sequence[bytes]]:
        """Return each view in parts; all but the cards, and what the seat to act is told, is the same for everybody."""
        return pictures.views_in_parts(views, position)
