"""Sessions that are being played: in memory (`shelf.py`), as they become (`draft.py`, `writer.py`) and were (`histories.py`).

`draft.py` asks the rules what an entry does; playing and rebuilding use the same function.
"""
