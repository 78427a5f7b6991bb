"""Conditional moves in memory and in the store (domain/conditional.py). Whoever owns the session's shard writes them."""

from brettwerk.internal.v1 import session_state_pb2
from brettwerk.v1 import errors_pb2
from services.runtime.refusal import Refused, moved, unknown
from services.session.domain import clocks, conditional
from services.session.domain.ids import shard_of
from services.session.domain.perception import NOBODY
from services.session.domain.state import State
from services.session.domain.storage_format import read_entries
from services.session.live.rules_client import Games, RulesClient
from services.session.store.store import Store, Stored


async def read_conditional(store: Store, session_id: str, stored: Stored) -> conditional.Kept:
    """Return what is left of the conditional moves of a session as it is stored. Raises Refused (UNAVAILABLE)."""
    if not stored.conditional:
        return ()
    found = session_state_pb2.StoredConditionalMoves.FromString(stored.conditional)
    first = min((one.version for one in found.seats), default=stored.version)
    log = await store.log(session_id, first, stored.version) if first < stored.version else []
    return conditional.read(found, stored.version, read_entries(session_id, log))


async def check_possible(state: State, games: Games, rules: RulesClient) -> None:
    """Return when a session can have conditional moves, as its clock and its options are.

    Raises Refused: CONDITIONAL_MOVES, and whatever the rules refuse. Until it has returned, nothing may be said of what others
    could play.
    """
    facts = await games.facts(state.game)
    if not facts.conditional_moves:
        raise conditional.refused("game", "in this game nobody can say beforehand what they answer")
    if state.created.clock.kind and not clocks.is_slow(state.created.clock):
        raise conditional.refused("clock", "conditional moves are for games without clocks, or with clocks of days")
    if not facts.hidden:
        return
    if state.position is None or not (await rules.look(state.game, state.position, NOBODY)).conditional_moves:
        raise conditional.refused("options", "with these options something is hidden, so that nobody can foresee the game")


async def is_possible(state: State, games: Games, rules: RulesClient) -> bool:
    """Return whether a session can have conditional moves. Raises Refused: what the rules refuse."""
    try:
        await check_possible(state, games, rules)
    except Refused as refused:
        if refused.reason != errors_pb2.REASON_CONDITIONAL_MOVES:
            raise
        return False
    return True


async def keep_conditional(store: Store, session_id: str, version: int, kept: conditional.Kept) -> None:
    """Keep conditional moves that begin at a version. Raises Refused: UNKNOWN without the session, UNAVAILABLE (moved)."""
    data = conditional.write(kept, version).SerializeToString(deterministic=True) if kept else b""
    match await store.keep_conditional(session_id, data):
        case "moved":
            raise moved(shard_of(session_id))
        case "gone":
            raise unknown("session")
