"""The common parts of games in which one seat at a time is to act, so that a new one has only its own to say.

`game.py` is the game that those without secrets are made from: all is seen by everybody. `of_module.py` is one that is made of a
module and its folder, which may hide something: `of_two.py` for two (examples/connect_four), `of_seats.py` for a chosen number of
seats (examples/liars_dice). `values.py` has what positions, views and events of such games have in common. `codec.py` derives
their bytes from values and contract, and makes a contract of values; `grid.py` draws squares, and `texts.py` makes catalogue and
rules page of one file for each language.
"""
