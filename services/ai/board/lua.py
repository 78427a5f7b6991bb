"""The scripts of the board (scripts/*.lua): offer, withdraw, take, beat, goodbye, statuses, sweep."""

from services.ai.lua import Scripts

ROOT_KEY = "bw:{wanted}"
"""Stands before the names of all keys of the board."""
SCRIPTS = Scripts("services.ai.board", ("board", "queues", "wants", "places"), ROOT_KEY, may_refuse=frozenset({"offer"}))
"""All but the offer make room, and so go on when Redis is full."""
