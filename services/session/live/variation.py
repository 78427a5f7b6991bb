"""Plays a whole variation from its set-up, as a session that begins, is loaded or is built again needs it."""

from collections.abc import Sequence

from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.v1 import record_pb2, rules_pb2
from services.session.domain import plies, updates
from services.session.live.rules_client import RulesClient

SHORT_VARIATION = 64
"""Up to how many plies of a variation are asked for one by one, among all other questions."""


async def play_variation(
    rules: RulesClient,
    game: str,
    seats: int,
    options: AnyMessage | None,
    start: AnyMessage | None,
    variation: Sequence[record_pb2.Ply],
    *,
    audiences: int = updates.NOBODY,
    writes: bool = False,
) -> tuple[rules_pb2.Step, plies.Marks]:
    """Return the last step of a variation and the marks of its plies. Raises Refused where the rules do not follow it.

    `audiences`: who is to see that step, as bits. `writes`: the plies get the notation that the rules have for them, whatever
    stood there.
    """
    if len(variation) > SHORT_VARIATION:
        return await _play_long(rules, game, seats, options, start, variation, audiences=audiences, writes=writes)
    first = audiences if len(variation) == 1 else updates.NOBODY
    step = await rules.new(game, options, seats, start, variation[0].seed, first, setup=variation[0])
    marks, unaware = bytearray(), bytearray()
    for ply in variation[1:]:
        before = tuple(step.to_act)
        step = await rules.play(game, step.position, ply)
        if writes:
            ply.notation = step.notation
        # What the options were before is known of changes in this session only.
        retractable = step.retractable and ply.system_action.WhichOneof("kind") != "options"
        marks += plies.mark(ply, person=False, reveals=step.reveals, retractable=retractable, to_act=before, variation=True)
        unaware.append(step.unaware)
    if len(variation) > 1:
        step = await rules.look(
            game, step.position, audiences
        )  # what the variation's last ply did did not happen in this session
    return step, plies.Marks(bytes(marks), bytes(unaware) if any(unaware) else b"")


async def _play_long(
    rules: RulesClient,
    game: str,
    seats: int,
    options: AnyMessage | None,
    start: AnyMessage | None,
    variation: Sequence[record_pb2.Ply],
    *,
    audiences: int,
    writes: bool,
) -> tuple[rules_pb2.Step, plies.Marks]:
    """Do the same in one question, which the rules service answers beside everything else."""
    loaded = record_pb2.Loaded(variation=variation, options=options, start_position=start)
    played = await rules.play_variation(game, seats, loaded, audiences=audiences, writes=writes)
    marks = bytearray()
    for ply, marked, to_act in zip(variation[1:], played.plies[::2], played.plies[1::2], strict=True):
        retractable = bool(marked & 2) and ply.system_action.WhichOneof("kind") != "options"
        seats_to_act = tuple(seat for seat in range(seats) if to_act >> seat & 1)
        marks += plies.mark(
            ply, person=False, reveals=bool(marked & 1), retractable=retractable, to_act=seats_to_act, variation=True
        )
    if writes:
        for ply, notation in zip(variation[1:], played.notations, strict=True):
            ply.notation = notation
    return played.step, plies.Marks(bytes(marks), played.unaware)
