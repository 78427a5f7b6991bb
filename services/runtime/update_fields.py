"""Leaves parts out of updates, for callers that can do without them.

Leaving a part out is a matter of size only: an update is made for its audience first, and shows nothing more without a part.
"""

from collections.abc import Iterable
from typing import TypeAlias

from brettwerk.v1.sessions_pb2 import Update

Field: TypeAlias = Update.Field.ValueType


def leave_out(update: Update, parts: Iterable[Field]) -> None:
    """Empty these parts of an update. Parts of later releases are not known here, and stay."""
    for part in parts:
        if part == Update.FIELD_VIEW:
            update.ClearField("view")
        elif part == Update.FIELD_ACTIONS:
            update.ClearField("actions")
            update.ClearField("more_actions")
        elif part == Update.FIELD_EVENTS and update.HasField("happening"):
            update.happening.ClearField("events")
        elif part == Update.FIELD_OPTIONS and update.HasField("session"):
            update.session.ClearField("options")
