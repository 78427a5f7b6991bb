"""Computer players: which moves are wanted, how the AI service learns of them, and what happens to moves that nobody makes.

The rest of the process passes in what these modules need from it (`app/wiring.py`), so that writing does not depend on them.
"""
