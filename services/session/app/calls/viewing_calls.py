"""Calls about viewings: finished games that several people look at together. They never write to a game."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass

from google.protobuf.message import Message

from brettwerk.internal.v1 import rules_pb2, session_pb2
from brettwerk.internal.v1.session_state_pb2 import StoredTalkLine
from brettwerk.v1 import errors_pb2, talk_pb2, viewings_pb2
from services.runtime import metrics
from services.runtime.bounded_cache import BoundedCache
from services.runtime.refusal import Refused
from services.runtime.token_buckets import Buckets
from services.session.app.calls.blocks import Blocks
from services.session.app.calls.talk_calls import ID_BYTES, Speech, rooms
from services.session.domain import perception
from services.session.domain.commands import access
from services.session.domain.ids import Request, checked, mark
from services.session.domain.perception import SPECTATOR
from services.session.domain.state import State
from services.session.domain.updates import update_for
from services.session.live.rebuilds import Rebuilds
from services.session.live.rules_client import RulesClient
from services.session.watch import talk, viewings
from services.session.watch.viewings import Viewings

CHANGES_PER_S, CHANGES_BURST = 10.0, 100.0
"""How many changes all people in a viewing together may make: each is told to all of them."""
_PLACES_BYTES = 1024 * 1024


@dataclass(eq=False, repr=False)
class ViewingCalls:
    """Starts and changes viewings, and takes what is said there. Raises Refused."""

    _viewings: Viewings
    _rebuilds: Rebuilds
    _rules: RulesClient
    _speech: Speech
    _blocks: Blocks
    _key: bytes
    """Makes the ids of viewings."""
    _now_ms: Callable[[], int]

    def __post_init__(self) -> None:
        self._places = BoundedCache[str, frozenset[str]](_PLACES_BYTES)
        sentence = "too much is changed in this viewing; the next change is made"
        self._rooms = rooms("in this viewing", "talk_of_viewing", self._now_ms)
        self._changes = Buckets("viewing_changes", CHANGES_PER_S, CHANGES_BURST, lambda: self._now_ms() / 1000, sentence)

    async def start_viewing(
        self, request: viewings_pb2.StartViewingRequest, caller: session_pb2.Caller, once: Request
    ) -> Message:
        """Start a viewing, and return it. Raises Refused: NO_TOKEN, UNKNOWN, STILL_RUNNING, FULL."""
        access.player(caller)
        state = await self._finished(request.session_id)
        version = viewings.shown_version(request.version, _newest(state))
        new = viewings.begun(mark(self._key, once.field.hex()).hex(), caller, version)
        viewing = await self._viewings.begin(state.id, new)
        audience = self._viewings.audience(state.id, viewing.id)
        return viewings_pb2.StartViewingResponse(viewing=viewings.shown(viewing, audience))

    async def change_viewing(self, request: viewings_pb2.ChangeViewingRequest, caller: session_pb2.Caller) -> Message:
        """Change what those in a viewing see, and return an empty answer.

        Raises Refused: NO_TOKEN, VIEWING, UNKNOWN, STILL_RUNNING, MALFORMED, FULL, TOO_MANY_REQUESTS.
        """
        access.player(caller)
        state = await self._finished(request.session_id)
        places = await self._places_of(state) if request.HasField("added_mark") else frozenset[str]()
        async with self._viewings.changing(state.id, request.viewing_id) as viewing:
            self._changes.take(viewing.id, 1)
            audience = self._viewings.audience(state.id, viewing.id)
            viewings.change(viewing, request, caller, audience, newest=_newest(state), places=places)
        if request.ends:
            await self._viewings.end(state.id, viewing)
        else:
            self._viewings.tell(state.id, viewing)
        return viewings_pb2.ChangeViewingResponse()

    async def say_in_viewing(
        self, request: viewings_pb2.SayInViewingRequest, caller: session_pb2.Caller, once: Request
    ) -> Message:
        """Say something, and return the line.

        Raises Refused: NO_TOKEN, MALFORMED, RESTRICTED, UNKNOWN, BLOCKED, TOO_MANY_REQUESTS.
        """
        text = self._speech.text(request)
        player = access.player(caller)
        self._speech.check(player)
        state, _ = await self._rebuilds.state(checked(request.session_id))
        await self._speech.game(state.game, request.phrase)
        others = self._viewings.audience(state.id, request.viewing_id).players - {player}
        blocked = await self._blocks.found(player, others)
        async with self._viewings.changing(state.id, request.viewing_id) as viewing:
            # A repeat is answered whatever the rate, and does not count towards it.
            before = talk.repeated(viewing.lines, once.field, once.digest)
            if before is not None:
                return viewings_pb2.SayInViewingResponse(line=before.line)
            self._rooms.take(viewing.id, 1)
            line = talk_pb2.TalkLine(id=secrets.token_hex(ID_BYTES), room=talk.TABLE, text=text, phrase=request.phrase)
            line.player_id, line.name, line.at_ms = player, caller.name, self._now_ms()
            new = StoredTalkLine(line=line, request=once.field, digest=once.digest, unheard_by=sorted(blocked))
            viewings.add_line(viewing, new)
        metrics.TALK_LINES.labels(state.game, "viewing").inc()
        self._viewings.say(state.id, viewing.id, new)
        return viewings_pb2.SayInViewingResponse(line=line)

    async def _finished(self, session_id: str) -> State:
        state, _ = await self._rebuilds.state(checked(session_id))
        if not state.is_over or not state.has_begun:
            raise Refused(errors_pb2.REASON_STILL_RUNNING, "only a game that was played and is over can be looked at together")
        return state

    async def _places_of(self, state: State) -> frozenset[str]:
        """Return the names of the places of a finished game's board."""
        found = self._places.get(state.id)
        if found is None:
            newest = perception.newest(state, SPECTATOR)
            packed = await self._rebuilds.updates(state.id, newest, newest, 1 << SPECTATOR)
            view = update_for(packed[-1], None).view
            drawn = await self._rules.ask.DrawScene(rules_pb2.DrawSceneRequest(game=state.game, view=view))
            found = frozenset(place.name for place in drawn.scene.places)
        self._places.put(state.id, found, 100 * len(found))
        return found


def _newest(state: State) -> int:
    """Return the number of the newest version for spectators."""
    return perception.number_of(state, SPECTATOR, perception.last_shown(state, SPECTATOR))
