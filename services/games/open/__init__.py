"""What is the same in every game of two without secrets, so that a new one says only what is its own (examples/connect_four).

`game.py` is the game that others are made from, `values.py` what its positions, views and events have in common. `codec.py`
derives the bytes from values and contract, `endings.py` knows how games end, `grid.py` draws squares, `notation.py` reads what
is written, and `texts.py` makes catalogue and rules page of one file for each language.
"""
