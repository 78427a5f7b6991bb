"""The form of a bot, and the moments at which it is asked."""

import inspect
from collections.abc import Awaitable, Callable, Iterable
from typing import TypeAlias

from brettwerk.v1 import sessions_pb2
from brettwerk_client import refusals
from brettwerk_client.progress import Field
from brettwerk_client.requests import Action

Bot: TypeAlias = Callable[[sessions_pb2.Update], Action | None]
"""Takes an update in which its seat may act, and returns the action that it plays, or None to wait for the next update."""
AsyncBot: TypeAlias = Callable[[sessions_pb2.Update], Action | Awaitable[Action | None] | None]
"""A bot that may take its time without keeping others waiting."""

OVERTAKEN = (refusals.StaleVersion, refusals.NotYourTurn, refusals.NotRunning, refusals.GameOver, refusals.NotYourSeat)
"""The refusals of an action when something else happened first; the watch brings what that was."""


async def awaited(choice: Action | Awaitable[Action | None] | None) -> Action | None:
    """Return what a bot has chosen, at once or after a while."""
    return await choice if inspect.isawaitable(choice) else choice


class Turns:
    """Says when a bot is to be asked: once for each update in which it may act, and not for those from before its own action.

    A server that lost what came after an update shows that again: the bot's own action may be among what was lost.
    """

    def __init__(self, leave_out: Iterable[Field] = ()) -> None:
        """Take the parts that updates lack: without lists of actions it goes by whose turn it is."""
        self._has_lists = sessions_pb2.Update.FIELD_ACTIONS not in leave_out
        self._acted = 0
        self._seen = 0

    def wants(self, update: sessions_pb2.Update, seat: int = -1) -> bool:
        """Return whether the bot of this seat is to choose now."""
        if update.version < self._seen:
            self._acted = 0
        self._seen = update.version
        if self._has_lists:
            may_act = bool(update.actions)
        else:
            may_act = seat in update.to_act and update.session.state == sessions_pb2.Session.STATE_RUNNING
        return may_act and update.version >= self._acted

    def acted(self, version: int) -> None:
        """Note the version that the bot's own action has made."""
        self._acted = version
