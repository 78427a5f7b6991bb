"""Hints for games that are being played: wanted as long as somebody can use them.

If the caller gives up, the call is cancelled, and the AI service takes the review off the board. Nobody can use a hint once the
position has moved on, so it is then abandoned from here.
"""

import asyncio
from collections.abc import Sequence
from typing import Protocol

from google.protobuf.any_pb2 import Any as AnyMessage

from brettwerk.internal.v1 import ai_pb2
from brettwerk.v1 import errors_pb2
from services.runtime.refusal import Refused
from services.session.domain.state import State
from services.session.domain.updates import PackedUpdate


class Reviewing(Protocol):
    """Asks computer players (services/session/computers/ai_client.py)."""

    async def review(self, game: str, view: AnyMessage, level: str, seed: int) -> ai_pb2.ReviewResponse:
        """Return what a computer player thinks of the actions of a view's seat."""


class Hints:
    """The hints that this process waits for; there are no more than calls that are carried out."""

    def __init__(self, reviewing: Reviewing) -> None:
        self._reviewing = reviewing
        self._open: dict[str, dict[asyncio.Task[ai_pb2.ReviewResponse], int]] = {}

    def __len__(self) -> int:
        return sum(len(asked) for asked in self._open.values())

    async def ask(self, state: State, view: AnyMessage, level: str, version: int) -> ai_pb2.ReviewResponse:
        """Return what a computer player thinks of the position of a session, in the view of the seat that is to act.

        Raises Refused: STALE_VERSION as soon as the session has another position, or is over; what a review raises.
        """
        asking = asyncio.ensure_future(self._reviewing.review(state.game, view, level, version))
        asked = self._open.setdefault(state.id, {})
        asked[asking] = state.position_version
        try:
            await asyncio.wait([asking])
        finally:
            asking.cancel()
            del asked[asking]
            if not asked:
                self._open.pop(state.id, None)
        if asking.cancelled():
            raise Refused(errors_pb2.REASON_STALE_VERSION, "the position changed before there was a hint")
        return asking.result()

    def committed(self, state: State, _before: State | None, _updates: Sequence[PackedUpdate]) -> None:
        """Abandon requests about any position but the session's current one."""
        for asking, position in self._open.get(state.id, {}).items():
            if position != state.position_version or state.is_over:
                asking.cancel()
