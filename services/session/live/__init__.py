"""Sessions that are being played: in memory, as they change, and as they were.

`session_cache.py` holds them, `transaction.py` and `writer.py` change them, `rebuilds.py` makes earlier versions again.

`transaction.py` asks the rules what an entry does; playing and rebuilding use the same.
"""
