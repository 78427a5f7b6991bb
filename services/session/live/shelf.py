"""Sessions within reach of this process: decoded states in a bounded cache, the store behind it, the archive behind that.

The cache may be behind another writer. Writers need not care, since the commit script compares revisions; readers ask for the
revision first. With the state the cache keeps what audiences may see of its position, as far as that is known.
"""

from collections import OrderedDict
from dataclasses import dataclass

from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.v1 import rules_pb2
from services.runtime.refusal import unknown
from services.session.domain.bounds import STATE_BYTES, STATES_BYTES
from services.session.domain.lines import line_of
from services.session.domain.newer import read_entries
from services.session.domain.state import State
from services.session.domain.updates import NOBODY, audience, shows, view_of
from services.session.live.draft import Draft, play_line
from services.session.live.rules_client import RulesClient
from services.session.store.store import Store


@dataclass(frozen=True, slots=True)
class Loaded:
    """A session as this process knows it."""

    state: State
    revision: str
    """The store's revision of the state."""
    sight: rules_pb2.Step | None = None


class Shelf:
    """Finds sessions in the cache and in the store. Raises Refused: UNKNOWN when there is none, UNAVAILABLE."""

    def __init__(self, store: Store, rules: RulesClient) -> None:
        self._store = store
        self._rules = rules
        self._cache: OrderedDict[str, Loaded] = OrderedDict()
        self._sizes: dict[str, int] = {}
        self._bytes = 0

    async def any(self, session_id: str) -> Loaded:
        """Return a session, perhaps not its newest version."""
        loaded = self._cache.get(session_id)
        if loaded is None:
            return await self.newest(session_id)
        self._cache.move_to_end(session_id)
        return loaded

    async def newest(self, session_id: str) -> Loaded:
        """Return the newest version of a session."""
        loaded = self._cache.get(session_id)
        if loaded is not None and await self._store.revision(session_id) == loaded.revision:
            self._cache.move_to_end(session_id)
            return loaded
        stored = await self._store.read(session_id)
        if stored is None:
            self.forget(session_id)
            raise unknown("session")
        return self.put(Loaded(State.decode(stored.state), stored.revision))

    async def view(self, state: State, seat: int | None) -> AnyMessage:
        """Return what a seat or a spectator may see of the position of a state that has one."""
        assert state.position is not None
        loaded, wanted = self._cache.get(state.id), 1 << audience(seat)
        known = loaded.sight if loaded is not None and loaded.state is state else None
        if known is None or not shows(known, wanted, len(state.seats)):
            known = await self._rules.look(state.game, state.position, wanted | (known.audiences if known else NOBODY))
            loaded = self._cache.get(state.id)
            if loaded is not None and loaded.state is state:
                self.put(Loaded(state, loaded.revision, known))
        return view_of(known, seat)

    def put(self, loaded: Loaded) -> Loaded:
        """Keep a session in the cache and return it. It may be older than what was there: what was read last is believed."""
        session_id = loaded.state.id
        self.forget(session_id)
        self._cache[session_id] = loaded
        self._sizes[session_id] = size = _size(loaded)
        self._bytes += size
        while self._bytes > STATES_BYTES and len(self._cache) > 1:
            self.forget(next(iter(self._cache)))
        return loaded

    def game(self, session_id: str) -> str:
        """Return the game of a session in the cache; empty when it is not there."""
        loaded = self._cache.get(session_id)
        return "" if loaded is None else loaded.state.game

    def forget(self, session_id: str) -> None:
        """Drop a session from the cache."""
        if self._cache.pop(session_id, None) is not None:
            self._bytes -= self._sizes.pop(session_id)

    def draft(self, loaded: Loaded) -> Draft:
        """Return a draft that begins at a version of a session."""
        state = loaded.state

        async def past(plies: int) -> AnyMessage:
            return await self.position(state, plies)

        return Draft(self._rules, state, loaded.sight, past)

    async def position(self, state: State, plies: int) -> AnyMessage:
        """Return the position of a session's line after so many plies: as it is kept, or played again."""
        assert state.position is not None
        kept = await self._store.position(state.id, plies)
        if kept is not None:
            return AnyMessage(type_url=state.position.type_url, value=kept)
        entries = read_entries(state.id, await self._store.log(state.id))
        line = line_of(entries[: state.version])
        step, _ = await play_line(
            self._rules, state.game, len(state.seats), line.options, line.start_position, line.plies[: plies + 1]
        )
        return step.position


def _size(loaded: Loaded) -> int:
    """Return the bytes of a session: of what can be large in it, and about so many for the rest."""
    state = loaded.state
    messages = (state.created, state.position, state.options, loaded.sight, *state.proposals)
    return STATE_BYTES + len(state.plies) + sum(message.ByteSize() for message in messages if message is not None)
