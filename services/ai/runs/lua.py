"""The scripts of runs (scripts/*.lua): begin, take, finish, fail, hold, cancel, status."""

from services.ai.lua import Scripts

ROOT_KEY = "bw:{runs}"
"""Stands before the names of all keys of runs."""
SCRIPTS = Scripts("services.ai.runs", ("runs",), ROOT_KEY, may_refuse=frozenset({"begin"}))
"""All but the beginning make room, or count what was played, and so go on when Redis is full."""
