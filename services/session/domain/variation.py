"""The variation that a log results in: everything that the rules need to play it again.

A value that clients give as `Any` is kept as the rules write it, so that all logs, records and answers have it in one form.
Clients are free to choose what precedes the last slash of a type URL, the order of fields, and whether options that are at their
defaults are given at all. A rules service of an earlier release does not say how it writes them: then they stay as given.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.internal.v1 import rules_pb2
from brettwerk.v1 import record_pb2
from services.runtime.refusal import damaged
from services.session.domain.state import State

_Beginning: TypeAlias = record_pb2.Created | record_pb2.Settled | record_pb2.Loaded | record_pb2.Setup


@dataclass(frozen=True, slots=True)
class Variation:
    """The options and start position that a game began with, and its plies; the first is the set-up. Empty before the start."""

    options: AnyMessage | None
    start_position: AnyMessage | None
    plies: tuple[record_pb2.Ply, ...]

    @classmethod
    def of(cls, change: record_pb2.Created | record_pb2.Settled | record_pb2.Loaded) -> "Variation":
        """Return the variation that an entry brings."""
        return cls(*options_and_start(change), tuple(change.variation))

    def message(self) -> record_pb2.Loaded:
        """Return it as it is loaded, and as the rules are asked about it."""
        return record_pb2.Loaded(variation=self.plies, options=self.options, start_position=self.start_position)

    def after(self, plies: int) -> "Variation":
        """Return its beginning: the set-up and that many plies."""
        return replace(self, plies=self.plies[: plies + 1])


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


def options_and_start(change: _Beginning) -> tuple[AnyMessage | None, AnyMessage | None]:
    """Return the options and the start position of an entry, None for either that it lacks."""
    return (
        change.options if change.HasField("options") else None,
        change.start_position if change.HasField("start_position") else None,
    )


def write_setup(beginning: _Beginning, said: rules_pb2.NewPositionResponse | rules_pb2.PlayVariationResponse) -> None:
    """Let a game begin with its options and its start position as the rules wrote them."""
    if said.HasField("options"):
        beginning.options.CopyFrom(said.options)
    if said.HasField("start_position") and beginning.HasField("start_position"):
        beginning.start_position.CopyFrom(said.start_position)


def write_step(ply: record_pb2.Ply, step: rules_pb2.Step) -> None:
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


def plies_to_replay(entry: record_pb2.Entry, before: State | None) -> int:
    """Return roughly how many plies are replayed when an entry is added again."""
    match entry.WhichOneof("change"):
        case "settled":
            return 1 + len(entry.settled.variation)
        case "loaded":
            return 1 + len(entry.loaded.variation)
        case "started":
            return 1 + (0 if before is None else len(before.created.variation))
        case "created":
            return 1 + len(entry.created.variation)
    return 1
