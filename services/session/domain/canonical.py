"""What clients give as `Any` is kept as the rules write it, so that all logs, records and answers have it in one form.

Clients are free to choose what precedes the last slash of a type URL, the order of fields, and whether options that are at
their defaults are given at all. A rules service of an earlier release does not say how it writes them: then they stay as given.
"""

from typing import TypeAlias

from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.internal.v1 import rules_pb2
from brettwerk.v1 import record_pb2

_Beginning: TypeAlias = record_pb2.Created | record_pb2.Settled | record_pb2.Loaded | record_pb2.Setup


def written_by_rules(beginning: _Beginning, said: rules_pb2.NewPositionResponse | rules_pb2.PlayVariationResponse) -> None:
    """Let a game begin with its options and its start position as the rules wrote them."""
    if said.HasField("options"):
        beginning.options.CopyFrom(said.options)
    if said.HasField("start_position") and beginning.HasField("start_position"):
        beginning.start_position.CopyFrom(said.start_position)


def as_played(ply: record_pb2.Ply, step: rules_pb2.Step) -> None:
    """Let a ply say what it did as the rules wrote it, and be noted as they do."""
    ply.notation = step.notation
    if step.HasField("canonical"):
        rewrite(ply, step.canonical)


def rewrite(ply: record_pb2.Ply, content: AnyMessage) -> None:
    """Replace what a ply did by the same in another form."""
    if ply.WhichOneof("kind") == "action":
        ply.action.CopyFrom(content)
    else:
        ply.system_action.options.CopyFrom(content)
