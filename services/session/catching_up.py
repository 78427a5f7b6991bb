"""What a watch lacks: it gets it from the store, or from the log, and is live again when it has heard of nothing newer.

A watch looks for the seat where its person sits: it goes along when the seats are dealt, and becomes a spectator's when the seat
changes hands. So whoever gives it an update, live or later, asks here first.
"""

import asyncio
from collections.abc import Callable

from brettwerk.v1 import errors_pb2, play_pb2, session_state_pb2
from services.runtime import metrics
from services.runtime.interceptor import internal
from services.runtime.logs import logger
from services.runtime.refusal import Refused, is_newer
from services.session.followers import Follower, resync
from services.session.histories import Histories
from services.session.presence import Presence
from services.session.updates import message_for

log = logger(__name__)

_Cause = play_pb2.Resync
_PAGE = 200
_AT_ONCE = 32


class Gaps:
    """Makes watches whole, a bounded number at a time."""

    def __init__(self, histories: Histories, presence: Presence, refuse: Callable[[Follower, Refused], None]) -> None:
        """`refuse` ends a watch that cannot go on."""
        self._histories = histories
        self._presence = presence
        self._refuse = refuse
        self._room = asyncio.Semaphore(_AT_ONCE)

    def stand_up(self, follower: Follower) -> None:
        """Make a watch that of a spectator."""
        seat, follower.seat = follower.seat, None
        if seat is not None:
            self._presence.leave(follower.session_id, seat)

    def move(self, follower: Follower, packed: session_state_pb2.PackedUpdate) -> None:
        """Let a watch go along to the seat where its person sits from this version on."""
        if follower.seat is None or not packed.dealt or packed.version <= follower.valid_from:
            return
        seat = list(packed.dealt).index(follower.seat)
        if seat != follower.seat:
            self._presence.enter(follower.session_id, seat)
            self.stand_up(follower)
            follower.seat = seat

    def has_lost_seat(self, follower: Follower, packed: session_state_pb2.PackedUpdate) -> bool:
        """Return whether the seat changed hands, and make its watcher a spectator then."""
        if follower.seat is None or packed.seat_changed != follower.seat + 1 or packed.version <= follower.valid_from:
            return False
        self.stand_up(follower)
        follower.sent = packed.version
        follower.stream.send([follower], resync(_Cause.CAUSE_SEAT, message_for(packed, None)))
        return True

    async def catch_up(self, follower: Follower) -> None:
        """Give a watch what it lacks; afterwards it is live."""
        try:
            async with self._room:
                patience = 100
                while not follower.is_gone and patience:
                    if follower.is_lagging:
                        await self.begin_anew(follower, _Cause.CAUSE_GAP)
                        if follower.is_lagging:
                            break
                    state, _ = await self._histories.state(follower.session_id)
                    if not await self._histories.is_at_hand(state, follower.sent + 1):
                        await self.begin_anew(follower, _Cause.CAUSE_GAP)
                        continue
                    missing = await self._histories.updates(follower.session_id, follower.sent + 1, follower.sent + _PAGE)
                    for packed in missing:
                        self.move(follower, packed)
                        if not self.has_lost_seat(follower, packed):
                            follower.sent = packed.version
                            follower.stream.send([follower], message_for(packed, follower.seat))
                    if not missing and follower.heard <= follower.sent:
                        break
                    if not missing:
                        patience -= 1
                        await asyncio.sleep(0.01)
        except Refused as refused:
            log.info("watch put off", reason=refused.refusal.message)
            if refused.reason not in (errors_pb2.REASON_UNAVAILABLE, errors_pb2.REASON_DEADLINE) or is_newer(refused.refusal):
                self._refuse(follower, refused)
        except Exception as error:
            log.error("watch failed", exc_info=error)
            self._refuse(follower, internal())
        finally:
            follower.is_catching_up = False

    async def begin_anew(self, follower: Follower, cause: play_pb2.Resync.Cause.ValueType) -> None:
        """Give a watch the newest picture."""
        state, _ = await self._histories.state(follower.session_id)
        if follower.seat is not None and state.seats[follower.seat].token_hash != follower.token_hash:
            self.stand_up(follower)
            follower.seat = next((n for n, seat in enumerate(state.seats) if seat.token_hash == follower.token_hash), None)
            if follower.seat is None:
                cause = _Cause.CAUSE_SEAT
            else:  # it was dealt, and what told so was thrown away
                self._presence.enter(follower.session_id, follower.seat)
                follower.valid_from = state.version
        packed = (await self._histories.updates(follower.session_id, state.version, state.version))[-1]
        follower.is_lagging = False
        follower.sent = packed.version
        follower.stream.send([follower], resync(cause, message_for(packed, follower.seat)))

    async def fall_back(self, follower: Follower) -> None:
        """Begin anew with a watch that knows more than the store, or perhaps something else: the store has lost something."""
        log.warning("the store may have lost versions that were told", session=follower.session_id)
        try:
            follower.heard = 0
            await self.begin_anew(follower, _Cause.CAUSE_AHEAD)
            metrics.WATCH_RESUMES.labels("cause_ahead").inc()
        except Refused as refused:
            log.info("watch put off", reason=refused.refusal.message)
            if is_newer(refused.refusal):
                self._refuse(follower, refused)
        finally:
            follower.is_catching_up = False
