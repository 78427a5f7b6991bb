"""Measures how computers keep up when far more of their moves are wanted than workers can think about.

`mix.py` says who plays what, `people.py` and `tables.py` play it through the gateway, `crowd.py` makes it more and less.
`system.py` starts what is measured, with workers that think or with such that sleep (`sleeping_worker.py`). `moves.py` reads what
computers did from the logs of the sessions, `series.py` what the services say of themselves, `figures.py` makes figures of both,
and `bars.py` judges them. `overload.py`, `chaos.py` and `waiting.py` are the three runs: `python -m loadtests.computers --help`.
"""
