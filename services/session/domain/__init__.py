"""The session in itself: no clock, no network, no store.

`state.py` is a session, `fold.py` makes the next state from an entry of the log, `commands/` decide which entries a call makes or
refuse it, `updates.py` says what every seat may see, `public_session.py` what everybody may, `clocks.py` and `plies.py`
what time, the sweeper and undo need, `storage_format.py` how it is stored, and `records.py` how it is exported.
"""
