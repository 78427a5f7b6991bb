"""A watch's missing updates: it gets them from the store, or from the log, and is live again when it has heard of nothing newer.

A watch looks for the seat where its person sits: it goes along when the seats are dealt, and becomes a spectator's when the seat
changes hands. So whoever gives it an update, live or later, asks here first.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from prometheus_client import Counter

from brettwerk.v1 import play_pb2
from services.runtime import metrics
from services.runtime.logs import logger
from services.runtime.refusal import UNREACHED, Refused, is_newer, unavailable
from services.session.domain import perception
from services.session.domain.perception import SPECTATOR, audience
from services.session.domain.state import State
from services.session.domain.updates import PackedUpdate, is_unaware, message_for, number_for, resync
from services.session.live.rebuilds import Rebuilds
from services.session.watch.followers import Follower, Presence, Watchers
from services.session.watch.viewings import Company

log = logger(__name__)

_Cause = play_pb2.Resync
_PAGE = 200
_AT_ONCE = 32


@dataclass(eq=False, repr=False)
class Gaps:
    """Makes watches whole, a bounded number at a time."""

    _rebuilds: Rebuilds
    _presence: Presence
    _watchers: Watchers
    _company: Company

    def __post_init__(self) -> None:
        self._room = asyncio.Semaphore(_AT_ONCE)

    def leave_seat(self, follower: Follower) -> None:
        """Make a watch that of a spectator."""
        seat, follower.seat = follower.seat, None
        if seat is not None:
            self._presence.leave(follower.session_id, seat)
            self._changed_seat(follower)

    def take_seat(self, follower: Follower, seat: int) -> None:
        """Make a watch that of a seat."""
        self._presence.enter(follower.session_id, seat)
        self.leave_seat(follower)
        follower.seat = seat
        self._changed_seat(follower)

    def _changed_seat(self, follower: Follower) -> None:
        follower.resend_talk()
        self._watchers.changed(follower.session_id)

    def move(self, follower: Follower, packed: PackedUpdate) -> None:
        """Let a watch go along to the seat where its person sits from this version on."""
        if follower.seat is None or not packed.dealt or packed.version <= follower.valid_from:
            return
        seat = packed.dealt.index(follower.seat)
        if seat != follower.seat:
            self.take_seat(follower, seat)

    def has_lost_seat(self, follower: Follower, packed: PackedUpdate) -> bool:
        """Return whether the seat changed hands, and make its watcher a spectator then.

        Where spectators are told later, the update is not for one: the watch is to look itself (`is_doubted`).
        """
        if follower.seat is None or packed.seat_changed != follower.seat + 1 or packed.version <= follower.valid_from:
            return False
        if follower.has_delay:
            follower.is_doubted = True
            return True
        self.leave_seat(follower)
        self.give([follower], packed, _Cause.CAUSE_SEAT)
        return True

    def skip_version(self, follower: Follower, packed: PackedUpdate) -> None:
        """Let a watch pass over a version of which it perceives nothing."""
        follower.sent, follower.sent_at_ms = packed.version, packed.at_ms

    def give(
        self, followers: Sequence[Follower], packed: PackedUpdate, cause: play_pb2.Resync.Cause.ValueType | None = None
    ) -> None:
        """Give an update to watches of one stream and audience, which were told the same number last.

        Without a `cause` it follows what they have; where its number does not, since the game is over and everything counts now,
        it is a new beginning.
        """
        seat = followers[0].seat
        message, number = message_for(packed, seat), number_for(packed, seat)
        if cause is None and number != followers[0].last_number + 1:
            cause = _Cause.CAUSE_OPENED
        for follower in followers:
            follower.sent, follower.sent_at_ms = packed.version, packed.at_ms
            follower.last_number, follower.last_at_ms = number, follower.sent_at_ms
        followers[0].stream.send(followers, message if cause is None else resync(cause, message))

    async def begin(self, follower: Follower, watch: play_pb2.WatchRequest, state: State, *, is_archived: bool) -> None:
        """Let a watch start again where it cannot go on from the version that it has."""
        cause: play_pb2.Resync.Cause.ValueType | None = None
        if watch.seat_token and follower.seat is None and not is_archived:
            cause = _Cause.CAUSE_SEAT
        elif watch.after_version == 0:
            cause = _Cause.CAUSE_UNSPECIFIED
        elif follower.sent > perception.last_shown(state, audience(follower.seat)):
            cause = _Cause.CAUSE_AHEAD
        elif await self._rebuilds.is_opened_after(state, follower.sent):
            cause = _Cause.CAUSE_OPENED
        elif not self._has_at_hand(state, follower):
            cause = _Cause.CAUSE_GAP
        _begun(cause).inc()
        if cause is not None:
            await self._show_newest(follower, cause, state, is_archived=is_archived)

    async def catch_up(self, follower: Follower) -> None:
        """Give a watch what it lacks; afterwards it is live. Raises Refused where it cannot go on.

        When the store may have been set back it is asked first whether it still has what the watch was given. That may happen
        again at any moment here, so it is looked at until nothing is in doubt.
        """
        try:
            async with self._room:
                # A version is heard of a moment before the store shows it. After a second of looking it was lost.
                attempts = 100
                while not follower.is_gone and attempts:
                    if follower.is_lagging:
                        await self.start_over(follower, _Cause.CAUSE_GAP)
                        if follower.is_lagging:
                            break
                    if follower.is_doubted:
                        follower.is_doubted = False
                        await self._verify(follower)
                    state, _ = await self._rebuilds.state(follower.session_id)
                    if follower.sent == state.version and follower.heard <= follower.sent and not state.is_over:
                        break  # as after most beginnings
                    if await self._rebuilds.is_opened_after(state, follower.sent):
                        await self.start_over(follower, _Cause.CAUSE_OPENED)
                        continue
                    if not self._has_at_hand(state, follower):
                        await self.start_over(follower, _Cause.CAUSE_GAP)
                        continue
                    first, last = follower.sent + 1, follower.sent + _PAGE
                    if follower.is_delayed:
                        last = min(last, perception.last_shown(state, SPECTATOR))
                        follower.heard = min(follower.heard, last)
                    # If nobody moves it is told as its seat, or as a spectator when it loses that.
                    needed = follower.bits(follower.seat) | 1 << SPECTATOR
                    missing = await self._rebuilds.updates(follower.session_id, first, last, needed)
                    if follower.is_doubted:
                        continue  # the store was set back meanwhile: these may be of what is lost
                    for packed in missing:
                        if not is_shown(follower, packed):
                            break  # it has another seat now, and asks again
                        self.move(follower, packed)
                        if is_unaware(packed, follower.seat):
                            self.skip_version(follower, packed)
                        elif not self.has_lost_seat(follower, packed):
                            self.give([follower], packed)
                        elif follower.has_delay:
                            break  # it looks what it may be told now
                    if not missing and follower.heard <= follower.sent:
                        break
                    if not missing:
                        attempts -= 1
                        await asyncio.sleep(0.01)
                if not follower.is_gone:
                    await self._company.catch_up(follower)
                if not attempts:  # it heard of a version that the store has not: was that lost?
                    follower.heard, follower.is_doubted = 0, True
        except Refused as refused:
            log.info("watch put off", reason=refused.refusal.message)
            follower.is_doubted = True  # the next heartbeat tries again
            if refused.reason not in UNREACHED or is_newer(refused.refusal):
                raise
        finally:
            follower.is_catching_up = False

    def _has_at_hand(self, state: State, follower: Follower) -> bool:
        """Return whether a watch lacks nothing, or what it lacks is at hand."""
        is_behind = follower.sent < perception.last_shown(state, audience(follower.seat))
        return not is_behind or self._rebuilds.is_at_hand(state, follower.sent + 1)

    async def _verify(self, follower: Follower) -> None:
        """Let a watch start again that was given what the store does not have, or looks for a seat that it has no more."""
        state, is_archived = await self._rebuilds.state(follower.session_id)
        if is_archived:
            return
        if not await self._rebuilds.has(follower.session_id, max(1, follower.sent), follower.sent_at_ms):
            log.warning("the store has lost a version that was told", session=follower.session_id, version=follower.sent)
            _begun(_Cause.CAUSE_AHEAD).inc()
            await self.start_over(follower, _Cause.CAUSE_AHEAD)
        elif state.seat_of_hash(follower.token_hash) != follower.seat:
            # The version is there, but who sits where may have been lost with later ones, or come back.
            await self.start_over(follower, _Cause.CAUSE_GAP)
        else:
            follower.valid_from = state.version  # the one until now may have been of a version that is lost

    async def start_over(self, follower: Follower, cause: play_pb2.Resync.Cause.ValueType) -> None:
        """Give a watch the newest picture, for the seat that its token is good for now. Raises Refused (UNAVAILABLE)."""
        state, is_archived = await self._rebuilds.state(follower.session_id)
        await self._show_newest(follower, cause, state, is_archived=is_archived)

    async def _show_newest(
        self, follower: Follower, cause: play_pb2.Resync.Cause.ValueType, state: State, *, is_archived: bool
    ) -> None:
        """Give a watch the newest picture of a session whose newest state this is."""
        seat = None if is_archived else state.seat_of_hash(follower.token_hash)
        newest = perception.newest(state, audience(seat))
        found = await self._rebuilds.updates(follower.session_id, newest, newest, follower.bits(seat))
        if follower.is_gone:
            return
        if not found:
            raise unavailable("session")  # it was set back in between
        if seat != follower.seat:
            cause = _Cause.CAUSE_SEAT if seat is None else cause
            self.leave_seat(follower)
            if seat is not None:
                self.take_seat(follower, seat)
        follower.valid_from = state.version
        follower.is_lagging = False
        self.give([follower], found[-1], cause)
        last = perception.last_shown(state, audience(seat))
        if last > follower.sent:  # whatever lies between has no number for it
            follower.sent, follower.sent_at_ms = last, state.at_ms if last == state.version else 0


@cache
def _begun(cause: play_pb2.Resync.Cause.ValueType | None) -> Counter:
    """Return what counts the watches that begin with a new picture for this cause; with none, those that go on."""
    return metrics.WATCH_RESUMES.labels("backlog" if cause is None else _Cause.Cause.Name(cause).lower())


def is_shown(follower: Follower, packed: PackedUpdate) -> bool:
    """Return whether an update is for a watch, whatever it makes of its seat."""
    seat = follower.seat
    if seat is not None and packed.version > follower.valid_from:
        if packed.seat_changed == seat + 1:
            seat = None
        elif packed.dealt:
            seat = packed.dealt.index(seat)
    return not follower.bits(seat) & ~packed.audiences
