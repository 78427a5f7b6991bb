"""All tables of the players service: whoever goes through every one takes METADATA from here, so that none is missing."""

from services.players.notifications.tables import DEVICES
from services.players.tables import METADATA

__all__ = ["METADATA"]

assert DEVICES.metadata is METADATA  # they are there once their module is imported
