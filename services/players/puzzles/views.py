"""Views of puzzles as clients receive them. A stored view is as it was made, since its bytes give the puzzle its id."""

import importlib

from google.protobuf import descriptor_pool, message_factory
from google.protobuf.any_pb2 import Any as AnyMessage

from services.runtime.seats import complete


def shown_view(game: str, view: AnyMessage) -> AnyMessage:
    """Return the view of a puzzle with both fields of each seat that it has; that of an installed game as it is."""
    if not view.TypeName().startswith("brettwerk.v1."):
        return view
    importlib.import_module(f"brettwerk.v1.{game}_pb2")
    descriptor = descriptor_pool.Default().FindMessageTypeByName(view.TypeName())
    message = message_factory.GetMessageClass(descriptor).FromString(view.value)
    complete(message)
    return AnyMessage(type_url=view.type_url, value=message.SerializeToString(deterministic=True))
