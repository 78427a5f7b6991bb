"""The table of how players behaved in their last games with people."""

from sqlalchemy import Column, String, Table

from services.players.store import METADATA

CONDUCT = Table(
    "players_conduct",
    METADATA,
    Column("player_id", String(64), primary_key=True),
    # of the last games of each pace, in order of their ends: when in seconds since 1970, and a mark (departures.py), with spaces
    Column("live", String(600), nullable=False),
    Column("slow", String(600), nullable=False),
)
