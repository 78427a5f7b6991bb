"""Plays a whole variation from its set-up, for a session that begins, is loaded or is rebuilt."""

from brettwerk.internal.v1 import rules_pb2
from brettwerk_games.rules.chance import SEED_BYTES
from services.session.domain import perception, plies
from services.session.domain.plies import Variation, rewrite, write_setup
from services.session.live.rules_client import RulesClient

SHORT_VARIATION = 64
"""Up to how many plies of a variation are requested one by one, among all other requests."""


async def play_variation(
    rules: RulesClient, game: str, seats: int, variation: Variation, *, audiences: int = perception.NOBODY
) -> tuple[rules_pb2.Step, plies.Marks]:
    """Return the last step of a variation and the marks of its plies. Raises Refused if the rules reject it.

    `audiences`: who gets to see that step, as bits.
    """
    if len(variation.plies) > SHORT_VARIATION:
        return await _play_long(rules, game, seats, variation, audiences)
    setup, *played = variation.plies
    first = perception.NOBODY if played else audiences
    step = (await rules.new(game, variation.options, seats, variation.start_position, setup.seed, first, setup=setup)).step
    marks, unaware = bytearray(), bytearray()
    for ply in played:
        before = tuple(step.to_act)
        step = await rules.play(game, step.position, ply)
        # The previous options are known only for changes in this session.
        retractable = step.retractable and ply.system_action.WhichOneof("kind") != "options"
        marks += plies.mark(ply, person=False, reveals=step.reveals, retractable=retractable, to_act=before, variation=True)
        unaware.append(step.unaware)
    if played:
        # Looked at anew: what the variation's last ply did did not happen in this session.
        step = await rules.look(game, step.position, audiences)
    return step, plies.Marks(bytes(marks), bytes(unaware) if any(unaware) else b"")


async def _play_long(
    rules: RulesClient, game: str, seats: int, variation: Variation, audiences: int
) -> tuple[rules_pb2.Step, plies.Marks]:
    """Do the same in one request, which the rules service answers in a separate process."""
    played = await rules.play_variation(game, seats, variation.message(), audiences=audiences)
    marks = bytearray()
    for ply, marked, to_act in zip(variation.plies[1:], played.plies[::2], played.plies[1::2], strict=True):
        retractable = bool(marked & 2) and ply.system_action.WhichOneof("kind") != "options"
        seats_to_act = tuple(seat for seat in range(seats) if to_act >> seat & 1)
        marks += plies.mark(
            ply, person=False, reveals=bool(marked & 1), retractable=retractable, to_act=seats_to_act, variation=True
        )
    return played.step, plies.Marks(bytes(marks), played.unaware)


async def as_written_by_rules(
    rules: RulesClient, game: str, seats: int, variation: Variation
) -> tuple[rules_pb2.Step, Variation]:
    """Return the last step of a variation from elsewhere, and the variation as the rules write it, its notation included.

    Raises Refused if the rules reject it. An empty one is begun, to see that it can be.
    """
    loaded = variation.message()
    if not variation.plies:
        loaded.variation.add(seed=bytes(SEED_BYTES))
    played = await rules.play_variation(game, seats, loaded, writes=True)
    write_setup(loaded, played)
    for ply, notation in zip(loaded.variation[1:], played.notations, strict=True):
        ply.notation = notation
    for one in played.canonical:
        rewrite(loaded.variation[one.ply], one.content)
    if not variation.plies:
        loaded.ClearField("variation")
    return played.step, Variation.of(loaded)
