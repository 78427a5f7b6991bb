"""What clients ask of sessions: `calls.py` gives each call to the part that answers it."""
