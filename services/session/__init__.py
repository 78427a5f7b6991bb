"""Live sessions: who sits where, what was played, whose clock runs, and what must happen next.

A functional core with its effects at the rim. The core is pure: `state.py` is a session, `fold.py` makes the next state of an
entry of the log, `commands/` decide which entries a call makes or refuse it, `updates.py` says what every seat may see,
`clocks.py`, `plies.py` and `due.py` what time, undo and the sweeper need. The rim: `draft.py` asks the rules what an entry
does (playing and rebuilding use the same function), `store.py` commits it with one script, `tail.py` tells the watchers,
`sweeper.py` does what is due, `computers.py` asks computer players, `service.py` is the door.
"""
