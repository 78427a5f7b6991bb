"""The computer players. `interface.py` says what one is; every module here that has a `PLAYER` is one, found by its name."""
