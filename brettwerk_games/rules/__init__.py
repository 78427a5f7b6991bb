"""The games themselves: pure rules. Nothing here knows the platform. `interface.py` says what a game is."""
