"""Celery's part, and what surrounds it. Celery is the bell: a ticket says that something waits, and the board says what.

Celery starts processes, restarts those that end, and delivers tickets (`app.py`, `tickets.py`). Everything else here is what it
lacks: it notices processes that hang, ends in order, and goes on while its broker is away. Nothing here knows what the work is,
whose tasks and pools are with it, in `thought/`, `runs/` and `puzzles/`.
"""
