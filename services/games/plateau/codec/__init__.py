"""The game's values as messages of plateau.proto and back: the only part of the game that knows generated code."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from brettwerk.v1 import plateau_pb2 as pb
from services.games.interface import Kind
from services.games.messages import Form, MessageCodec
from services.games.plateau.actions import Action
from services.games.plateau.codec import listing, pictures
from services.games.plateau.codec.reading import to_action, to_event, to_options, to_position, to_view
from services.games.plateau.codec.writing import action_message, event_message, options_message
from services.games.plateau.position import View


class PlateauCodec(MessageCodec):
    """Carries the game's values."""

    forms: ClassVar[Mapping[Kind, Form]] = {
        Kind.OPTIONS: Form(pb.PlateauOptions, options_message, to_options),
        Kind.POSITION: Form(pb.PlateauPosition, pictures.position_bytes, to_position),
        Kind.VIEW: Form(pb.PlateauView, pictures.view_bytes, to_view),
        Kind.ACTION: Form(pb.PlateauAction, action_message, to_action),
        Kind.EVENT: Form(pb.PlateauEvent, event_message, to_event),
    }

    def encode_views(self, views: Sequence[View], position: bytes) -> Sequence[Sequence[bytes]]:
        """Return each view in parts; all but what the seat to move is told is the same for everybody."""
        return pictures.views_in_parts(views, position)

    def encode_choices(self, view: View, actions: Sequence[Action], field: int) -> bytes:
        """Return listed actions of a view, each as the field of this number that holds an ActionChoice."""
        return listing.encoded(view, actions, field)
