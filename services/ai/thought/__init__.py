"""The worker's part in wanted moves: it takes positions off the board, thinks about them, and answers.

`pool.py` runs its processes, and `tasks.py` has their one task: a turn (`turn.py`), of moves (`wanted_moves.py`) and reviews.
"""
