"""Computer players: which moves are wanted, who is told of it, and what becomes of moves that nobody makes.

The rest of the process hands in what these modules need of it (`app/wiring.py`), so that writing knows nothing of them.
"""
