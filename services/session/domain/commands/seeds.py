"""Step seeds of a session (services/games/chance.py)."""

from services.games.chance import deal_seed, step_seed
from services.session.domain.state import State


def setup_seed(state: State) -> bytes:
    """Return the seed of the set-up: ply 0."""
    return step_seed(state.secret, state.chance_id, 0, state.shares)


def seats_seed(state: State) -> bytes:
    """Return the seed by which the seats are dealt before the start."""
    return deal_seed(state.secret, state.id, state.shares)


def next_seed(state: State) -> bytes:
    """Return the seed of the next ply. It depends on the ply's number, so that undo never rolls new dice."""
    return step_seed(state.secret, state.chance_id, state.ply_count + 1, state.shares)
