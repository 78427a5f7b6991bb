"""Step seeds of a session (services/games/chance.py)."""

from brettwerk.v1 import record_pb2
from services.games.chance import deal_seed, step_seed
from services.session.domain.plies import for_good
from services.session.domain.state import State


def setup_seed(state: State) -> bytes:
    """Return the seed of the set-up: ply 0."""
    return step_seed(state.secret, state.chance_id, 0, state.seed_contributions)


def seats_seed(state: State) -> bytes:
    """Return the seed by which the seats are assigned before the start."""
    return deal_seed(state.secret, state.id, state.seed_contributions)


def next_ply(state: State) -> record_pb2.Ply:
    """Return the next ply with only its seed.

    The seed depends on the ply's number, so that undo never rolls new dice; if seeds are held, on the number of the first ply
    that can still be taken back, so that playing something else in between rolls no new dice either.
    """
    held = state.created.holds_seeds
    number = (for_good(state) if held else state.ply_count) + 1
    return record_pb2.Ply(seed=step_seed(state.secret, state.chance_id, number, state.seed_contributions), held=held)
