"""Exact endgame tables: the chance of the side to move, before its roll, in every position with few stones.

    files.py     the files: where, in which form, opened by mapping them into memory
    lock.py      one process at a time builds or deletes, and says how far it is
    build.py     makes them, from two stones upwards
    __main__.py  the command: `python -m brettwerk_games.players.einstein.tables`

Chances are stored in steps of 1/65535. Tables of up to four stones are computed in 32-bit floats from each other and rounded
once; greater ones from the stored ones below them. So a stored chance is off by at most 8e-6 with five stones, 1.6e-5 with six.
"""
