"""Computer players: which moves are wanted, how the AI service learns of them, and what becomes of moves that nobody makes.

The rest of the process hands in what these modules need of it (`app/wiring.py`), so that writing knows nothing of them.
"""
