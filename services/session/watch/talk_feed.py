"""Tells those who watch a table what is said there: first all that they hear of it, then every line when the store has it.

A watcher who comes to another seat, or loses it, hears something else, and so does everybody when a game is over: they are told
anew.
"""

from collections.abc import Awaitable, Callable, Iterable

from brettwerk.internal.v1.session_state_pb2 import StoredTalkLine
from brettwerk.v1 import play_pb2, talk_pb2
from services.session.domain import talk
from services.session.domain.state import State
from services.session.live.rebuilds import Rebuilds
from services.session.live.talk import Talk
from services.session.watch.followers import Follower, grouped


class TalkFeed:
    """The talk that was told."""

    def __init__(self, talk: Talk, rebuilds: Rebuilds, hides: Callable[[str], Awaitable[bool]], *, is_on: bool) -> None:
        """`hides` returns whether anything is hidden in a game; `is_on`: whether there is talk on this server."""
        self._talk = talk
        self._rebuilds = rebuilds
        self._hides = hides
        self._is_on = is_on

    async def begin(self, follower: Follower) -> None:
        """Tell a watch all that it hears, if it lacks that. Raises Refused (UNAVAILABLE)."""
        while follower.lacks_talk and not (follower.is_gone or follower.is_lagging):
            lacks = follower.lacks_talk
            whole = await self._whole(follower) if self._is_on else talk_pb2.Talk(whole=True, off=True)
            # Lines that came meanwhile are in it, unless that changed what the watch hears.
            if lacks == follower.lacks_talk and not (follower.is_gone or follower.is_lagging):
                follower.lacks_talk = 0
                self._tell([follower], whole)

    async def _whole(self, follower: Follower) -> talk_pb2.Talk:
        state, is_archived = await self._rebuilds.state(follower.session_id)
        if is_archived:
            return talk_pb2.Talk(whole=True)
        hidden = await self._hides(state.game)
        lines = await self._talk.lines(follower.session_id)  # at last: nothing is told between this and what is made of it
        listener = listener_of(follower)
        return talk_pb2.Talk(
            whole=True,
            lines=talk.audible_lines(state, lines, listener, hidden=hidden),
            room=talk.room_for(state, listener, hidden=hidden),
        )

    def deliver(self, state: State, stored: StoredTalkLine, followers: Iterable[Follower], *, hidden: bool) -> None:
        """Tell a new line to those who hear it."""
        sent = [
            follower
            for follower in followers
            if follower.with_talk
            and not (follower.lacks_talk or follower.is_gone or follower.is_lagging)
            and talk.hears(state, stored, listener_of(follower), hidden=hidden)
        ]
        # The last number they were given goes along with every message.
        for alike in grouped(sent, lambda one: (one.stream, one.last_number, one.last_at_ms)).values():
            self._tell(alike, talk_pb2.Talk(lines=[stored.line]))

    def _tell(self, followers: list[Follower], talk: talk_pb2.Talk) -> None:
        followers[0].stream.send(followers, play_pb2.WatchResponse(talk=talk).SerializeToString())


def listener_of(follower: Follower) -> talk.Listener:
    """Return as whom a watch hears."""
    return talk.Listener(follower.seat, follower.player_id)
