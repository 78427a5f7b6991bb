"""Players who come back: their accounts, and what finished games give them, in SQL tables of their own.

`service.py` is the endpoint, `calls.py` the table of what it answers. `store.py` opens the tables, and each room has its own in a
`tables.py`. `intake/` is the queue of finished games. No action of a game passes this service: while it is down, play goes on.
"""
