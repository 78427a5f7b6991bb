"""Proves that a session process owns its shards, and nobody else: several of them under load, moved, killed, stopped and cut off.

`leases.py` asks the store who owns what, `hurting.py` and `moving.py` are faults for a run of `loadtests.chaos`, `runs.py` are
those runs, `sharing.py` measures how load is shared. `python -m loadtests.owners --help`.
"""
