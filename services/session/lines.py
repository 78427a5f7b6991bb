"""The line of play that a log amounts to: everything that the rules need to play it again."""

from collections.abc import Iterable
from dataclasses import dataclass

from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.v1 import record_pb2


@dataclass(frozen=True, slots=True)
class Line:
    """A line: the options and start position it began with, and its plies; the first is the set-up. Empty before the start."""

    options: AnyMessage | None
    start_position: AnyMessage | None
    plies: tuple[record_pb2.Ply, ...]


def line_of(entries: Iterable[record_pb2.Entry]) -> Line:
    """Return the line that the entries, from the first on, lead to."""
    options: AnyMessage | None = None
    start: AnyMessage | None = None
    given: list[record_pb2.Ply] = []
    line: list[record_pb2.Ply] = []
    for entry in entries:
        match entry.WhichOneof("change"):
            case "created":
                options, start = options_and_start(entry.created)
                given = list(entry.created.line)
            case "settled":
                options, start = options_and_start(entry.settled)
                given = list(entry.settled.line)
            case "dealt" if entry.dealt.HasField("options"):
                options = entry.dealt.options
            case "started":
                line = given or [record_pb2.Ply(seed=entry.started.seed)]
            case "acted":
                line.append(entry.acted.ply)
            case "undone":
                del line[entry.undone.plies + 1 :]
            case "loaded":
                options, start = options_and_start(entry.loaded)
                line = list(entry.loaded.line)
    return Line(options, start, tuple(line))


def options_and_start(
    change: record_pb2.Created | record_pb2.Loaded | record_pb2.Settled,
) -> tuple[AnyMessage | None, AnyMessage | None]:
    """Return the options and the start position of an entry, None for each that it does not have."""
    return (
        change.options if change.HasField("options") else None,
        change.start_position if change.HasField("start_position") else None,
    )
