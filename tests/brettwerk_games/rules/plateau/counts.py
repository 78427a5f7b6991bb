"""Views of Empire Plateau from before 1.1, whose counts promised steps to armies that had nowhere to go."""

from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.v1 import plateau_pb2


def without_counts(view: AnyMessage) -> AnyMessage:
    """Return a view without its counts of free steps; one of another game as it is."""
    message = plateau_pb2.PlateauView()
    if not view.Unpack(message):
        return view
    message.guide.tally.ClearField("small_left")
    message.guide.tally.ClearField("emblem_left")
    message.guide.tally.ClearField("emblem_closes")
    return AnyMessage(type_url=view.type_url, value=message.SerializeToString(deterministic=True))
