"""The calls of clients on sessions: `calls.py` gives each call to the part that answers it."""
