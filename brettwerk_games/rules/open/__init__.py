"""The common parts of games without secrets, so that a new one has only its own to say.

`game.py` is the game that they are made from: all is seen by everybody. `of_two.py` is one of two made of a module and its folder
(examples/connect_four), `values.py` what positions, views and events of such games have in common. `codec.py`
derives their bytes from values and contract, and makes a contract of values; `grid.py` draws squares, and `texts.py` makes
catalogue and rules page of one file for each language.
"""
