"""The variation that a log results in: everything that the rules need to play it again."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.v1 import record_pb2
from services.runtime.refusal import damaged


@dataclass(frozen=True, slots=True)
class Variation:
    """The options and start position that a game began with, and its plies; the first is the set-up. Empty before the start."""

    options: AnyMessage | None
    start_position: AnyMessage | None
    plies: tuple[record_pb2.Ply, ...]


def variation_of(entries: Iterable[record_pb2.Entry]) -> Variation:
    """Return the variation that the entries, from the first on, lead to."""
    options: AnyMessage | None = None
    start: AnyMessage | None = None
    revision = ""
    given: list[record_pb2.Ply] = []
    variation: list[record_pb2.Ply] = []
    for entry in entries:
        match entry.WhichOneof("change"):
            case "created":
                options, start = options_and_start(entry.created)
                revision = entry.created.rules_version
                given = list(entry.created.variation)
            case "settled":
                options, start = options_and_start(entry.settled)
                given = list(entry.settled.variation)
            case "dealt" if entry.dealt.HasField("options"):
                options = entry.dealt.options
            case "started":
                variation = given or [record_pb2.Ply(seed=entry.started.seed, rules_version=revision)]
            case "acted":
                variation.append(entry.acted.ply)
            case "undone":
                # The set-up is never taken back.
                del variation[entry.undone.plies + 1 :]
            case "loaded":
                options, start = options_and_start(entry.loaded)
                variation = list(entry.loaded.variation)
    return Variation(options, start, tuple(variation))


def check_variation(plies: Sequence[record_pb2.Ply], seats: int) -> None:
    """Return if plies can be a variation of a game with that many seats, as far as that can be decided without the rules.

    Raises Refused (RECORD_DAMAGED) that names the field of the first ply that cannot.
    """
    for number, ply in enumerate(plies):
        field, kind = f"variation[{number}]", ply.WhichOneof("kind")
        if not number:
            if ply.actor or kind is not None or ply.notation:
                raise damaged("the first ply of a variation is the set-up, and nobody's action", field)
        elif kind is None:
            raise damaged("the ply does not say what was done", f"{field}.kind")
        elif kind == "system_action" and ply.actor:
            raise damaged("a system action names no seat", f"{field}.actor_seat")
        elif kind == "action" and not 1 <= ply.actor <= seats:
            raise damaged(f"an action names its seat, and there are {seats} seats", f"{field}.actor_seat")


def options_and_start(
    change: record_pb2.Created | record_pb2.Loaded | record_pb2.Settled | record_pb2.Setup,
) -> tuple[AnyMessage | None, AnyMessage | None]:
    """Return the options and the start position of an entry, None for either that it lacks."""
    return (
        change.options if change.HasField("options") else None,
        change.start_position if change.HasField("start_position") else None,
    )
